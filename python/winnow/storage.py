"""torch.storage: the memory behind a tensor (Tensor.untyped_storage)."""
from ._tensor import UntypedStorage

__all__ = ["UntypedStorage"]


def __getattr__(name):
    from ._hook import missing

    raise missing(__name__, name, globals(), "winnow's storages have no dtype")
