"""torch.func: functional_call. vmap, grad and their like want function transforms, which winnow has not."""
from .nn.utils.stateless import func_functional_call as functional_call

__all__ = ["functional_call"]
functional_call.__module__ = "torch.func"


def __getattr__(name):
    from ._hook import missing

    raise missing("torch.func", name, __all__, "winnow has of torch.func only functional_call")
