"""Parameter: a Tensor that modules count as theirs and that requires a gradient from the start."""
from .. import _C
from .._construct import Tensor


class _ParameterMeta(type(Tensor)):
    def __instancecheck__(self, instance):  # a subclass's instance may be marked as a parameter
        return type.__instancecheck__(self, instance) or (isinstance(instance, Tensor) and getattr(instance, "_is_param", False))


class Parameter(Tensor, metaclass=_ParameterMeta):
    __module__ = "torch.nn.parameter"

    def __new__(cls, data=None, requires_grad=True):
        if data is None:
            data = Tensor()
        if type(data) is Tensor or type(data) is Parameter:
            return Tensor._make_subclass(cls, data, requires_grad)
        t = data.detach().requires_grad_(requires_grad)
        if type(t) is not type(data):
            raise RuntimeError(f"Creating a Parameter from an instance of type {type(data).__name__} requires that detach() returns an "
                               f"instance of the same type, but return type {type(t).__name__} was found instead.")
        t._is_param = True
        return t

    def __deepcopy__(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        result = type(self)(self.data.clone(), self.requires_grad)
        memo[id(self)] = result
        return result

    def __repr__(self):
        return "Parameter containing:\n" + super().__repr__()

    def __reduce_ex__(self, protocol):
        return (_rebuild_parameter, (self.data, self.requires_grad, dict(self.__dict__)))

    __torch_function__ = _C._disabled_torch_function_impl


def _rebuild_parameter(data, requires_grad, state):
    p = Parameter(data, requires_grad)
    if state:
        p.__dict__.update(state)
    return p


class Buffer(Tensor, metaclass=_ParameterMeta):
    """A Tensor that modules register as a buffer."""
    __module__ = "torch.nn.parameter"

    def __new__(cls, data=None, *, persistent=True):
        t = (Tensor() if data is None else data).detach().requires_grad_(data is not None and data.requires_grad)
        t.persistent = persistent
        t._is_buffer = True
        return t

    __torch_function__ = _C._disabled_torch_function_impl


class UninitializedParameter(Parameter):
    def __new__(cls, requires_grad=True, device=None, dtype=None):
        raise NotImplementedError("winnow has no lazily initialised parameters yet")
