"""Parameter: a Tensor that modules count as theirs and that requires a gradient from the start; Buffer; both without a shape yet."""
from collections import OrderedDict

from .. import _C
from .._construct import Tensor


class _ParameterMeta(type(Tensor)):
    def __instancecheck__(self, instance):  # a subclass's instance may be marked as a parameter
        return type.__instancecheck__(self, instance) or (isinstance(instance, Tensor) and getattr(instance, "_is_param", False))


class Parameter(Tensor, metaclass=_ParameterMeta):
    """A Tensor that modules register as theirs when it is assigned to an attribute; it requires a gradient unless told otherwise."""
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
        from .._reduce import _rebuild_parameter, _rebuild_parameter_with_state
        from .._tensor import _state

        state = _state(self)
        args = (self.data, self.requires_grad, OrderedDict())
        return (_rebuild_parameter_with_state, (*args, state)) if state else (_rebuild_parameter, args)

    __torch_function__ = _C._disabled_torch_function_impl


class _BufferMeta(type(Tensor)):
    def __instancecheck__(self, instance):
        if self is Buffer:
            return isinstance(instance, Tensor) and getattr(instance, "_is_buffer", False)
        return type.__instancecheck__(self, instance)


class Buffer(Tensor, metaclass=_BufferMeta):
    """A Tensor that modules register as a buffer when it is assigned to an attribute."""
    __module__ = "torch.nn.parameter"

    def __new__(cls, data=None, *, persistent=True):
        t = (Tensor() if data is None else data).detach().requires_grad_(data is not None and data.requires_grad)
        t.persistent = persistent
        t._is_buffer = True
        return t

    __torch_function__ = _C._disabled_torch_function_impl


# ------------------------------------------------------------------ tensors whose shape comes later

_ALLOWED = {"half", "float", "double", "char", "short", "int", "long", "bfloat16", "to", "type", "cpu", "cuda", "copy_", "is_floating_point",
            "is_complex", "__get__", "__set__", "detach", "requires_grad_", "share_memory_", "register_hook"}


class UninitializedTensorMixin:
    """A tensor without shape: it may be converted and given a shape, and nothing else."""

    def materialize(self, shape, device=None, dtype=None):
        """Gives it its shape, with arbitrary contents; from now on it is a tensor of the usual class."""
        from .._construct import _functions

        off = _C._torch_function_off
        off(1)
        try:
            self.data = _functions["empty"](tuple(shape), dtype=self.data.dtype if dtype is None else dtype)
        finally:
            off(-1)
        self.__class__ = self.cls_to_become

    @property
    def shape(self):
        raise RuntimeError("Can't access the shape of an uninitialized parameter or buffer. This error usually happens in `load_state_dict` "
                           "when trying to load an uninitialized parameter into an initialized one. Call `forward` to initialize the "
                           "parameters before accessing their attributes.")

    __repr__ = lambda self: f"<{type(self).__name__}>"
    __reduce_ex__ = lambda self, protocol: (type(self), (self.requires_grad,))

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, dtype=self.dtype)
        return memo[id(self)]

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        name = getattr(func, "__name__", str(func))
        if name not in _ALLOWED:
            raise ValueError(f"Attempted to use an uninitialized parameter in {func}. This error happens when you are using a `LazyModule` or "
                             f"explicitly manipulating `torch.nn.parameter.{cls.__name__}` objects. When using LazyModules Call `forward` with "
                             "a dummy batch to initialize the parameters before calling torch functions")
        _C._torch_function_off(1)
        try:
            return func(*args, **(kwargs or {}))
        finally:
            _C._torch_function_off(-1)


def _empty(dtype):
    from .._construct import _functions

    return _functions["empty"](0, dtype=dtype)


class UninitializedParameter(UninitializedTensorMixin, Parameter):
    """A Parameter of a lazy module before its shape is known."""
    __module__ = "torch.nn.parameter"
    cls_to_become = Parameter

    def __new__(cls, requires_grad=True, device=None, dtype=None):
        return Tensor._make_subclass(cls, _empty(dtype), requires_grad)


class _MadeBuffer(Tensor):
    """What an UninitializedBuffer becomes."""
    __module__ = "torch"
    __torch_function__ = _C._disabled_torch_function_impl


_MadeBuffer.__name__ = _MadeBuffer.__qualname__ = "Tensor"


class UninitializedBuffer(UninitializedTensorMixin, Tensor):
    """A buffer of a lazy module before its shape is known."""
    __module__ = "torch.nn.parameter"
    cls_to_become = _MadeBuffer

    def __new__(cls, requires_grad=False, device=None, dtype=None, persistent=True):
        t = Tensor._make_subclass(cls, _empty(dtype), requires_grad)
        t.persistent, t._is_buffer = persistent, True
        return t


def is_lazy(param):
    """Is it one without shape yet?"""
    return isinstance(param, UninitializedTensorMixin)
