"""torch.__config__: how this build came about."""
from . import _C, __version__, _winnow, get_num_threads

__all__ = ["show", "parallel_info"]


def show():
    """What runs here, in a sentence or two."""
    return f"winnow {_winnow}, PyTorch's interface as of {__version__.partition('+')[0]}\n  - CPU kernels: {_C._level()}\n  - CUDA: none\n"


def _cxx_flags():
    """The flags of the C++ compiler: none, winnow is C."""
    return ""


def parallel_info():
    """Threads, in a sentence."""
    return f"winnow's own threads\n\ttorch.get_num_threads() : {get_num_threads()}\n"
