"""The modules of torch.nn, all of them."""
from . import (activation, adaptive, batchnorm, channelshuffle, container, conv, distance, dropout, flatten, fold, instancenorm, lazy,
               linear, loss, module, normalization, padding, pixelshuffle, pooling, rnn, sparse, transformer, upsampling, utils)

_FILES = (activation, adaptive, batchnorm, channelshuffle, container, conv, distance, dropout, flatten, fold, instancenorm, linear, loss,
          module, normalization, padding, pixelshuffle, pooling, rnn, sparse, transformer, upsampling)
__all__ = []
for _file in _FILES:
    for _name in [n for n in _file.__all__ if n[:9] != "register_"]:  # the hooks of all modules are in modules.module, as in torch
        globals()[_name] = getattr(_file, _name)
        __all__.append(_name)


def _name_for_the_program():
    """Where the program says `import torch`, the classes say so too: their names are what it knows, in pickles as well."""
    from ..._hook import _shown

    for file in _FILES + (lazy,):
        for value in list(vars(file).values()):
            if isinstance(value, type) and value.__module__.startswith(__name__):
                where = file.__name__ if file is not lazy and value.__name__ in file.__all__ else value.__module__
                value.__module__ = _shown(where)


_name_for_the_program()
del _file, _name
