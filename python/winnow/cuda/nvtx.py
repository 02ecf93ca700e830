"""torch.cuda.nvtx as on a PyTorch without CUDA: marks for NVIDIA's tools, which are not there."""
import contextlib

from .._stand_in import refusing as _refusing

__all__ = ["range_push", "range_pop", "range_start", "range_end", "mark", "range"]

for _name in __all__[:-1]:
    globals()[_name] = _refusing(_name, RuntimeError, "NVTX functions not installed. Are you sure you have a CUDA build?",
                                 "Needs CUDA, which winnow has not: a RuntimeError.")
del _name


@contextlib.contextmanager
def range(msg, *args, **kwargs):
    """Context whose beginning and end are marked: a RuntimeError."""
    range_push(msg.format(*args, **kwargs))  # noqa: F821
    yield
