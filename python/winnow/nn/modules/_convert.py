"""Methods of Module that change its parameters and buffers where they are: dtype, device, memory."""
from ..._C import _set_grad_enabled
from ..._construct import Tensor, without_memory
from ..._types import device as device_type, dtype as dtype_type, check_device, is_meta
from ..parameter import is_lazy


def _apply(self, fn, recurse=True):
    """Sends every parameter, its gradient and every buffer through fn. Parameters stay the objects they are."""
    if recurse:
        for module in self.children():
            module._apply(fn)
    for name, parameter in self._parameters.items():
        if parameter is None:
            continue
        grad = _set_grad_enabled(False)
        try:
            new = fn(parameter)
            if new is not parameter:
                parameter.data = new
            if parameter.grad is not None:
                parameter.grad.data = fn(parameter.grad)
        finally:
            _set_grad_enabled(grad)
    for name, buffer in self._buffers.items():
        if buffer is not None:
            new = fn(buffer)
            if is_lazy(buffer):
                buffer.data = new
            else:
                self._buffers[name] = new
    return self


def apply(self, fn):
    """Calls fn(module) for every submodule and then for the module itself."""
    for module in self.children():
        module.apply(fn)
    fn(self)
    return self


def _parse_to(args, kwargs):
    """The arguments of to(): (device, dtype, non_blocking, memory_format)."""
    device, dtype = kwargs.pop("device", None), kwargs.pop("dtype", None)
    non_blocking, memory_format = kwargs.pop("non_blocking", False), kwargs.pop("memory_format", None)
    other = kwargs.pop("tensor", None)
    kwargs.pop("copy", None)
    if kwargs:
        raise TypeError(f"to() received an invalid combination of arguments - got an unexpected keyword argument '{next(iter(kwargs))}'")
    args = list(args)
    if args:
        first = args.pop(0)
        if isinstance(first, Tensor):
            other = first
        elif isinstance(first, dtype_type):
            dtype = first
        elif first is None or isinstance(first, (str, int, device_type)):
            device = first
            if args and (args[0] is None or isinstance(args[0], dtype_type)):
                dtype = args.pop(0)
        else:
            rest = "bool non_blocking = False, bool copy = False, *, torch.memory_format memory_format = None)\n"
            raise TypeError(f"to() received an invalid combination of arguments - got ({type(first).__name__}), but expected one of:\n"
                            f" * (torch.device device = None, torch.dtype dtype = None, {rest} * (torch.dtype dtype, {rest} * (Tensor tensor, {rest}")
        if args:
            non_blocking = args.pop(0)
    if other is not None:
        device, dtype = other.device, other.dtype
    if device is not None and not is_meta(device):
        device = check_device(device)
    return device, dtype, non_blocking, memory_format


def to(self, *args, **kwargs):
    """Moves and converts the parameters and buffers: to(device), to(dtype), to(tensor), to(memory_format=...). Integer tensors keep
    their dtype."""
    device, dtype, non_blocking, memory_format = _parse_to(args, kwargs)
    if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
        raise TypeError(f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}")

    def convert(t):
        kind = dtype if t.is_floating_point() else None
        if is_meta(device):
            return without_memory(t, kind)
        if memory_format is not None and t.dim() in (4, 5):
            return t.to(device, kind, non_blocking, memory_format=memory_format)
        return t if kind is None or t.dtype is kind else t.to(kind)

    return self._apply(convert)


def _to_dtype(name, doc):
    def method(self):
        import winnow

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
    """winnow's tensors are on the CPU."""
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
    import winnow

    if is_meta(device):
        return self._apply(without_memory, recurse=recurse)
    if device is not None:
        check_device(device)
    return self._apply(lambda t: winnow.empty_like(t), recurse=recurse)


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
    for p in self.parameters():
        if p.grad is None:
            continue
        if set_to_none:
            p.grad = None
        else:
            if p.grad.grad_fn is not None:
                p.grad.detach_()
            else:
                p.grad.requires_grad_(False)
            p.grad.zero_()
