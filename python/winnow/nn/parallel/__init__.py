"""torch.nn.parallel: DataParallel. winnow computes in one process on one device."""
from ..._hook import _shown
from .data_parallel import DataParallel
from .distributed import DistributedDataParallel

__all__ = ["DataParallel", "DistributedDataParallel"]
for _class in (DataParallel, DistributedDataParallel):
    _class.__module__ = _shown(_class.__module__)
del _class


def __getattr__(name):
    from ..._hook import missing

    raise missing(__name__, name, __all__, "winnow computes in one process")
