"""Fake tensors: tensors on the meta device that say they are on another, and the mode within which all are."""
from .. import _C
from .._c_names import DisableTorchFunctionSubclass
from .._tensor import Tensor
from .._types import device as Device
from ..nn.parameter import Parameter
from ..overrides import TorchFunctionMode
from ..utils._pytree import tree_leaves, tree_map_only

__all__ = ["DataDependentOutputException", "DynamicOutputShapeException", "FakeTensor", "FakeTensorMode", "UnsupportedFakeTensorException"]

_META, _CPU = Device("meta"), Device("cpu")


class UnsupportedFakeTensorException(RuntimeError):
    """The function cannot be told of without values."""


class DataDependentOutputException(RuntimeError):
    """The function gives a value, and there are none."""


class DynamicOutputShapeException(RuntimeError):
    """The shape of the result depends on values, and there are none."""


def _valueless(self, *args, **kwargs):
    raise DataDependentOutputException("aten._local_scalar_dense.default")


class FakeTensor(Tensor):
    """A tensor on meta that says it is on fake_device; fake_mode answers its functions."""

    @staticmethod
    def __new__(cls, fake_mode, elem, device):
        t = Tensor._make_subclass(cls, elem, elem.requires_grad)
        t.fake_mode, t.fake_device = fake_mode, Device(device)
        return t

    device = property(lambda self: self.fake_device)
    is_cpu = property(lambda self: self.fake_device.type == "cpu")
    is_meta = property(lambda self: self.fake_device.type == "meta")
    item = tolist = __bool__ = __int__ = __float__ = __index__ = _valueless

    def numpy(self, *, force=False):
        raise RuntimeError(".numpy() is not supported for tensor subclasses.")

    def __repr__(self, *, tensor_contents=None):
        with DisableTorchFunctionSubclass():
            text = Tensor.__repr__(self).replace("device='meta', ", "", 1)
        return f"Parameter({text})" if getattr(self, "_is_param", False) else text

    @property
    def grad(self):
        gradient = Tensor.grad.__get__(self)
        return gradient if gradient is None else self.fake_mode._wrapped(gradient, (), self.fake_device)

    @grad.setter
    def grad(self, gradient):
        Tensor.grad.__set__(self, gradient)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        mode = next(x.fake_mode for x in _tensors((args, kwargs)) if isinstance(x, FakeTensor))
        return mode.__torch_function__(func, types, args, kwargs)


def is_fake(x):
    """Is it a fake tensor?"""
    return isinstance(x, FakeTensor)


def _tensors(tree):
    """The tensors in arguments, in lists and dictionaries of them, too."""
    return [x for x in tree_leaves(tree) if isinstance(x, Tensor)]


class FakeTensorMode(TorchFunctionMode):
    """Within, functions give fake tensors: shapes, strides, dtypes and history, no values. A tensor with values among the arguments is an error, unless
    allow_non_fake_inputs."""

    def __init__(self, *, allow_fallback_kernels=True, allow_non_fake_inputs=False, shape_env=None, static_shapes=None, export=False):
        super().__init__()
        self.allow_non_fake_inputs = allow_non_fake_inputs

    def __enter__(self):
        _META.__enter__()  # what is made where no device is named
        return super().__enter__()

    def __exit__(self, *exception):
        super().__exit__(*exception)
        _META.__exit__(*exception)

    def from_tensor(self, tensor, *, static_shapes=None, **ignored):
        """A fake of the tensor: its shape, strides, dtype, device and whether it requires a gradient."""
        if isinstance(tensor, FakeTensor):
            return tensor
        with DisableTorchFunctionSubclass():
            fake = FakeTensor(self, tensor.detach().as_subclass(Tensor).to("meta"), tensor.device).requires_grad_(tensor.requires_grad)
        if isinstance(tensor, Parameter):
            fake._is_param = True
        return fake

    def _device_of(self, tensors, asked):
        """Of a result: as asked for, else that of the first argument with dimensions."""
        if asked is not None:
            return Device(asked)
        fakes = sorted((t for t in tensors if isinstance(t, FakeTensor)), key=lambda t: t.dim() == 0)
        return fakes[0].fake_device if fakes else _CPU

    def _checked(self, func, t):
        """An argument: itself, or its fake where that is allowed."""
        if isinstance(t, FakeTensor) or _C._device_of(t) == 2:
            return t
        if self.allow_non_fake_inputs:
            return self.from_tensor(t)
        raise AssertionError("Please convert all Tensors to FakeTensors first or instantiate FakeTensorMode with 'allow_non_fake_inputs'. "
                             f"Found in aten.{func.__name__}(tensor([...], size={tuple(t.shape)}))")

    def _wrapped(self, t, arguments, device):
        if isinstance(t, FakeTensor) or any(t is a for a in arguments) or _C._device_of(t) != 2:
            return t
        return FakeTensor(self, t, device)._become(t)  # with its history

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        asked = kwargs.get("device")
        with DisableTorchFunctionSubclass():
            if func.__name__ == "_to_device":
                asked, args = (None if _C._device_of(args[0]) != 2 else args[1]), (args[0], "meta")
            else:
                args, kwargs = tree_map_only(Tensor, lambda t: self._checked(func, t), (args, kwargs))
            if kwargs.get("device") is not None:
                kwargs["device"] = _META
            arguments = _tensors((args, kwargs))
            device = self._device_of(arguments, asked)
            try:
                result = func(*args, **kwargs)
            except NotImplementedError as error:
                raise DynamicOutputShapeException(f"aten.{func.__name__}.default") from error
            return tree_map_only(Tensor, lambda t: self._wrapped(t, arguments, device), result)
