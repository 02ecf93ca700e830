"""torch.nn.parallel: DataParallel. winnow computes in one process on one device."""
from ..._hook import _shown
from .data_parallel import DataParallel

__all__ = ["DataParallel"]
DataParallel.__module__ = _shown(DataParallel.__module__)


def __getattr__(name):
    from ..._hook import missing

    raise missing(__name__, name, __all__, "winnow computes in one process")
