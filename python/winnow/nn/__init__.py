"""torch.nn: so far Parameter and nn.functional. Module and the layers come with issue 7."""
from .parameter import Buffer, Parameter, UninitializedParameter
from . import functional, parameter, utils

__all__ = ["Parameter", "Buffer", "UninitializedParameter", "functional", "parameter", "utils"]


def __getattr__(name):
    from .._hook import missing

    raise missing("torch.nn", name, __all__)
