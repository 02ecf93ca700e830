"""Methods of Module that change its parameters and buffers where they are: dtype, device, memory."""
import winnow
from ... import __future__ as _future
from ..._construct import Tensor
from ..._types import device as device_type, dtype as dtype_type, memory_format as memory_format_type, check_device, usable_device
from ..._recording import forget_gradients, recording
from ..._swap import swap_tensors
from ..parameter import Parameter, is_lazy


def _apply(self, fn, recurse=True):
    """Sends every parameter, its gradient and every buffer through fn. Parameters stay the objects they are."""
    if recurse:
        for module in self.children():
            module._apply(fn)
    for name, parameter in self._parameters.items():
        if parameter is not None:
            _convert_parameter(self, name, parameter, fn)
    for name, buffer in self._buffers.items():
        if buffer is not None:
            new = fn(buffer)
            if is_lazy(buffer):
                buffer.data = new
            else:
                self._buffers[name] = new
    return self


def _swap_parameter(module, name, parameter, fn):
    """One parameter and its gradient, by swapping them with new ones."""
    gradient, parameter.grad = parameter.grad, None  # which would be held by the parameter, too
    try:
        with recording(False):
            swap_tensors(parameter, Parameter(fn(parameter), requires_grad=parameter.requires_grad))
    except Exception as error:
        parameter.grad = gradient
        raise RuntimeError(f"_apply(): Couldn't swap {module._get_name()}.{name}") from error
    if gradient is None:
        return
    try:
        with recording(False):
            new = fn(gradient)
            swap_tensors(gradient, (new.detach() if new is gradient else new).requires_grad_(gradient.requires_grad))
    except Exception as error:
        raise RuntimeError(f"_apply(): Couldn't swap {module._get_name()}.{name}.grad") from error
    parameter.grad = gradient


def _convert_parameter(module, name, parameter, fn):
    """One parameter and its gradient. They stay the objects they are, unless torch.__future__ says otherwise, or fn makes sparse ones of dense."""
    if _future._swap:
        _swap_parameter(module, name, parameter, fn)
        return
    gradient = parameter.grad
    with recording(False):
        new = fn(parameter)
        changed = None if gradient is None else fn(gradient)
    if _replaced(parameter, new):
        parameter = module._parameters[name] = Parameter(new, parameter.requires_grad)
        if gradient is not None:
            parameter.grad = changed.requires_grad_(gradient.requires_grad)
        return
    if new is not parameter:
        parameter.data = new
    if gradient is not None:
        parameter.grad.data = changed


def _replaced(old, new):
    return isinstance(new, Tensor) and (_future._overwrite or old.layout is not new.layout)


def apply(self, fn):
    """Calls fn(module) for every submodule and then for the module itself."""
    for module in self.children():
        module.apply(fn)
    fn(self)
    return self


_OPTIONS = "bool non_blocking = False, bool copy = False, *, torch.memory_format memory_format = None)\n"
_FORMS = (("device", "dtype"), ("dtype",), ("tensor",))  # what may come before non_blocking and copy
_KINDS = {"device": (str, int, device_type), "dtype": dtype_type, "tensor": Tensor, "non_blocking": bool, "copy": bool, "memory_format": memory_format_type}


def _bound(form, args, kwargs):
    """The arguments by name, or None where they do not fit."""
    names = (*form, "non_blocking", "copy")
    given = dict(zip(names, args))
    if len(args) > len(names) or given.keys() & kwargs.keys() or not kwargs.keys() <= {*names, "memory_format"}:
        return None
    given.update(kwargs)
    needed = () if len(form) == 2 else form
    for name, value in given.items():
        none = value is None and name not in needed and _KINDS[name] is not bool
        if not (none or isinstance(value, _KINDS[name])) or (name == "device" and isinstance(value, bool)):
            return None
    return given if all([name in given for name in needed]) else None


def _parse_to(args, kwargs):
    """The arguments of to(): (device, dtype, non_blocking, memory_format)."""
    given = next((g for g in (_bound(form, args, kwargs) for form in _FORMS) if g is not None), None)
    if given is None:
        got = ", ".join([*(type(a).__name__ for a in args), *(f"{k}={type(v).__name__}" for k, v in kwargs.items())])
        raise TypeError(f"to() received an invalid combination of arguments - got ({got}), but expected one of:\n"
                        f" * (torch.device device = None, torch.dtype dtype = None, {_OPTIONS} * (torch.dtype dtype, {_OPTIONS} * (Tensor tensor, {_OPTIONS}")
    if "copy" in given:
        raise RuntimeError(".to() does not accept copy argument")
    other = given.get("tensor")
    device, dtype = (given.get("device"), given.get("dtype")) if other is None else (other.device, other.dtype)
    if device is not None:
        device = usable_device(device)
    return device, dtype, given.get("non_blocking", False), given.get("memory_format")


def to(self, *args, **kwargs):
    """Moves and converts the parameters and buffers: to(device), to(dtype), to(tensor), to(memory_format=...). Integer tensors keep
    their dtype."""
    device, dtype, non_blocking, memory_format = _parse_to(args, kwargs)
    if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
        raise TypeError(f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}")

    def convert(t):
        kind = dtype if t.is_floating_point() else None
        if t.is_meta and device is not None and device.type != "meta":
            raise NotImplementedError("Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of torch.nn.Module.to() when "
                                      "moving module from meta to a different device.")
        if memory_format is not None and t.dim() in (4, 5):
            return t.to(device, kind, non_blocking, memory_format=memory_format)
        return t if (kind is None or t.dtype is kind) and device is None else t.to(device, kind)

    return self._apply(convert)


def _to_dtype(name, doc):
    def method(self):
        dtype = getattr(winnow, name)
        return self._apply(lambda t: t.to(dtype) if t.is_floating_point() else t)

    method.__name__ = name
    method.__qualname__ = "Module." + name
    method.__doc__ = doc
    return method


float_ = _to_dtype("float", "Converts floating-point parameters and buffers to float32.")
double = _to_dtype("double", "Converts floating-point parameters and buffers to float64.")
half = _to_dtype("half", "Converts floating-point parameters and buffers to float16.")
bfloat16 = _to_dtype("bfloat16", "Converts floating-point parameters and buffers to bfloat16.")


def type_(self, dst_type):
    """Converts all parameters and buffers to dst_type."""
    return self._apply(lambda t: t.type(dst_type))


def cpu(self):
    """The parameters and buffers in main memory."""
    return self._apply(lambda t: t.cpu())


def _elsewhere(name):
    def method(self, device=None):
        check_device(device_type(name, device) if isinstance(device, int) else name if device is None else device)
        return self._apply(lambda t: t.to(name))

    method.__name__ = name
    method.__qualname__ = "Module." + name
    method.__doc__ = "winnow computes on the CPU: an error that says so."
    return method


cuda, xpu, ipu, mtia = (_elsewhere(name) for name in ("cuda", "xpu", "ipu", "mtia"))


def to_empty(self, *, device, recurse=True):
    """Gives the parameters and buffers new memory whose contents are arbitrary."""
    return self._apply(lambda t: winnow.empty_like(t, device=device), recurse=recurse)


def share_memory(self):
    """Moves the parameters and buffers into memory that processes share."""
    return self._apply(lambda t: t.share_memory_())


def requires_grad_(self, requires_grad=True):
    """Says whether autograd records operations on the parameters."""
    for p in self.parameters():
        p.requires_grad_(requires_grad)
    return self


def zero_grad(self, set_to_none=True):
    """Forgets the parameters' gradients (set_to_none=False: fills them with zeros)."""
    forget_gradients(self.parameters(), set_to_none)
