"""torch.nn.parallel: DataParallel. winnow computes in one process on one device."""
from ..._hook import lacking as _lacking, _shown
from .data_parallel import DataParallel
from .distributed import DistributedDataParallel

__all__ = ["DataParallel", "DistributedDataParallel"]
for _class in (DataParallel, DistributedDataParallel):
    _class.__module__ = _shown(_class.__module__)
del _class


__getattr__ = _lacking(__name__, __all__, "winnow computes in one process")
