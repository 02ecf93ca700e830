"""Variable: what Tensors were called once. isinstance(x, Variable) asks for a Tensor; Variable(x) is an alias of x."""
from .. import _C

__all__ = ["Variable"]


class VariableMeta(type):
    __instancecheck__ = lambda cls, other: isinstance(other, _C.Tensor)


class _Engine:
    """Variable._execution_engine: the door to what runs backward."""

    @staticmethod
    def queue_callback(callback):
        """Calls callback() when the backward that runs now (the outermost, of several) has ended."""
        from ._tasks import queue_callback

        queue_callback(callback)


class Variable(metaclass=VariableMeta):
    """Variable(data, requires_grad=False): a Tensor on the memory of data, without its history."""

    _execution_engine = _Engine()

    def __new__(cls, data=None, requires_grad=False, volatile=None, *, name=None):
        if data is None:
            return _C.Tensor()
        if not isinstance(data, _C.Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        alias = data.detach()
        if requires_grad:
            alias.requires_grad_()
        return alias
