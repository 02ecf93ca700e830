"""Questions about tensors and dtypes, and settings: is_tensor, result_type, set_printoptions, ..."""
from . import _C
from ._construct import Tensor, can_cast
from ._kinds import need
from ._types import BY_NUMBER, dtype as _dtype

__all__ = ["is_tensor", "is_floating_point", "is_complex", "is_nonzero", "is_storage", "numel", "can_cast", "promote_types", "result_type",
           "set_printoptions", "set_default_dtype", "set_default_device", "get_default_device", "set_default_tensor_type", "equal", "typename",
           "is_inference", "is_same_size", "broadcast_shapes", "broadcast_tensors", "broadcast_to", "allclose", "get_num_interop_threads",
           "set_num_interop_threads", "set_flush_denormal", "set_float32_matmul_precision", "get_float32_matmul_precision", "isclose", "is_signed", "_assert"]

set_default_dtype = _C.set_default_dtype
_rows = _C.functions(1)


def is_tensor(obj):
    """Is obj a Tensor, or of a subclass?"""
    return isinstance(obj, Tensor)


def is_storage(obj):
    """Is obj the memory behind a tensor (Tensor.untyped_storage, Tensor.storage)?"""
    from .storage import TypedStorage, UntypedStorage

    return isinstance(obj, (TypedStorage, UntypedStorage))


def _assert(condition, message):
    """assert as a function: what models written for torch.fx call."""
    if not condition:
        raise AssertionError(message)


def _the_tensor(name, x):
    need(name, Tensor, input=x)
    return x


def is_floating_point(input):
    """Is input's dtype one of float16, bfloat16, float32, float64?"""
    return _the_tensor("is_floating_point", input).dtype.is_floating_point


def is_signed(input):
    """Does input's dtype hold negative numbers?"""
    return _the_tensor("is_signed", input).dtype.is_signed


def is_complex(input):
    """False: winnow has no complex tensors."""
    return False if _the_tensor("is_complex", input) is not None else None


def is_inference(input):
    """Was input made in inference mode?"""
    return _the_tensor("is_inference", input).is_inference()


def is_same_size(input, other):
    """Have input and other the same shape?"""
    need("is_same_size", Tensor, input=input, other=other)
    return input.shape == other.shape


def is_nonzero(input):
    """Is the only element of input unequal to zero? An error for any other number of elements."""
    n = _the_tensor("is_nonzero", input).numel()
    if n != 1:
        raise RuntimeError(f"Boolean value of Tensor with {'no values' if n == 0 else 'more than one value'} is ambiguous")
    return bool(input.item())


def numel(input):
    """The number of elements."""
    return _the_tensor("numel", input).numel()


def typename(obj):
    """The name of obj's type; of a tensor as "torch.FloatTensor"."""
    if isinstance(obj, Tensor):
        return obj.type()
    kind = obj if hasattr(obj, "__qualname__") else type(obj)
    module = getattr(kind, "__module__", None) or ""
    return kind.__qualname__ if module in ("builtins", "") else f"{module}.{kind.__qualname__}"


# ------------------------------------------------------------------ promotion

_FLOATS = (1, 2, 3, 4)  # numbers of winnow.h: f32 f64 f16 bf16
_RANK = {5: 1, 6: 2, 7: 3, 8: 4}


def promote_types(type1, type2):
    """The smallest dtype that holds values of both, without regard to numbers and dimensions (result_type)."""
    for t in (type1, type2):
        if not isinstance(t, _dtype):
            raise TypeError(f"promote_types(): arguments must be torch.dtype, not {type(t).__name__}")
    a, b = type1._number, type2._number
    if not a or not b:
        raise NotImplementedError("promote_types: winnow has no complex tensors yet")
    if a == b:
        return type1
    if a in _FLOATS or b in _FLOATS:
        if a not in _FLOATS or b not in _FLOATS:
            return type1 if a in _FLOATS else type2
        return BY_NUMBER[2 if 2 in (a, b) else 1]
    if 10 in (a, b):
        return type1 if b == 10 else type2
    if 9 in (a, b):
        other = b if a == 9 else a
        return BY_NUMBER[6] if other == 5 else BY_NUMBER[other]
    return type1 if _RANK[a] > _RANK[b] else type2


def _category(number):
    return 3 if number in _FLOATS else 1 if number == 10 else 2


def result_type(tensor1, tensor2):
    """The dtype that an operation on both would have: dimensions before none, tensors before numbers, higher category wins."""
    best = [None, None, None]  # tensors with dimensions, without, numbers
    for x in (tensor1, tensor2):
        if isinstance(x, Tensor):
            tier, d = (0 if x.dim() else 1), x.dtype
        elif isinstance(x, bool):
            tier, d = 2, BY_NUMBER[10]
        elif isinstance(x, int):
            tier, d = 2, BY_NUMBER[8]
        elif isinstance(x, float):
            tier, d = 2, _C.get_default_dtype()
        else:
            raise TypeError(f"result_type(): argument must be Tensor or Number, not {type(x).__name__}")
        best[tier] = d if best[tier] is None else promote_types(best[tier], d)
    r = None
    for d in best:
        if d is not None and (r is None or _category(d._number) > _category(r._number)):
            r = d
    return r


# ------------------------------------------------------------------ comparisons and broadcasting

def equal(input, other):
    """Have both the same shape and elements?"""
    if not isinstance(input, Tensor) or not isinstance(other, Tensor):
        raise TypeError("equal(): arguments must be Tensors")
    return input.shape == other.shape and bool((input == other).all())


def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """|input - other| <= atol + rtol * |other|, or equal."""
    for name, x in (("input", input), ("other", other)):
        if not isinstance(x, Tensor):
            raise TypeError(f"isclose(): argument '{name}' must be Tensor, not {type(x).__name__}")
    for at, name, x in ((3, "rtol", rtol), (4, "atol", atol)):
        if not isinstance(x, (int, float)) and not (isinstance(x, Tensor) and x.dim() == 0 and not x.requires_grad):
            raise TypeError(f"isclose(): argument '{name}' (position {at}) must be float, not {type(x).__name__}")
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{str(input.dtype)} and {str(other.dtype)}: isclose wants both of one dtype")
    rtol, atol = (x.item() if isinstance(x, Tensor) else x for x in (rtol, atol))
    if rtol < 0 or atol < 0:
        raise RuntimeError(f"rtol and atol must not be negative, got {rtol} and {atol}")
    close = input == other
    if equal_nan and input.dtype.is_floating_point:
        close = close | (input.isnan() & other.isnan())
    if rtol == 0 and atol == 0:
        return close
    a, b = (input, other) if input.dtype.is_floating_point else (input.to(_C.get_default_dtype()), other.to(_C.get_default_dtype()))
    error, allowed = (a - b).abs(), atol + (rtol * b).abs()
    return close | (error.isfinite() & (error <= allowed))


def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Are all elements close to each other (isclose)? NaN is close to NaN with equal_nan only."""
    return bool(isclose(input, other, rtol, atol, equal_nan).all())


for _f in (allclose, isclose, equal):
    setattr(Tensor, _f.__name__, _f)


def broadcast_shapes(*shapes):
    """The shape to which the shapes broadcast."""
    from ._types import Size

    shapes = [(s,) if isinstance(s, int) else tuple(s) for s in shapes]
    n = max(map(len, shapes), default=0)
    out = [1] * n
    for s in shapes:
        for i, x in enumerate(s, n - len(s)):
            if x < 0:
                raise RuntimeError(f"Trying to create tensor with negative dimension ({x}): ({x})")
            if x != 1 and out[i] != x:
                if out[i] != 1:
                    raise RuntimeError("Shape mismatch: objects cannot be broadcast to a single shape")
                out[i] = x
    return Size(out)


def broadcast_to(input, size):
    """A view of input expanded to size."""
    return _the_tensor("broadcast_to", input).expand(size)


Tensor.broadcast_to = broadcast_to


def broadcast_tensors(*tensors):
    """Views of the tensors, all expanded to the shape to which theirs broadcast."""
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tensors[0]
    for i, t in enumerate(tensors):
        if not isinstance(t, Tensor):
            raise TypeError(f"broadcast_tensors(): expected Tensor as element {i} in argument 0, but got {type(t).__name__}")
    shape = broadcast_shapes(*(t.shape for t in tensors))
    return tuple(t.expand(tuple(shape)) for t in tensors)


# ------------------------------------------------------------------ settings

_print = {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None}
_PROFILES = {"default": (4, 1000, 3, 80), "short": (2, 1000, 2, 80), "full": (4, float("inf"), 3, 80)}


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    """How tensors are printed, for the whole process."""
    if profile is not None:
        if profile not in _PROFILES:
            raise ValueError(f"set_printoptions: unknown profile '{profile}'")
        _print.update(zip(("precision", "threshold", "edgeitems", "linewidth"), _PROFILES[profile]))
    for name, value in (("precision", precision), ("threshold", threshold), ("edgeitems", edgeitems), ("linewidth", linewidth)):
        if value is not None:
            _print[name] = value
    _print["sci_mode"] = sci_mode
    many = _print["threshold"]
    _C._set_print_options(_print["precision"], 2**62 if many == float("inf") else int(many), _print["edgeitems"], int(min(_print["linewidth"], 1 << 30)),
                          -1 if sci_mode is None else int(sci_mode))


def set_default_device(device):
    """Where tensors are made when they are not told: "cpu" (also None) or "meta"."""
    from ._types import device_number

    _C._set_default_device(device_number("cpu" if device is None else device))


def get_default_device():
    """The device of new tensors."""
    from ._types import CPU, META

    return META if _C._default_device() == 2 else CPU


def set_default_tensor_type(t):
    """Sets the default dtype by the name or class of a tensor type ("torch.DoubleTensor"). set_default_dtype is the newer name."""
    from ._warn import warn_once

    warn_once("torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use torch.set_default_dtype() and torch.set_default_device() as "
              "alternatives.", stacklevel=2)
    name = t if isinstance(t, str) else getattr(t, "__name__", str(t))
    for word, number in (("FloatTensor", 1), ("DoubleTensor", 2), ("HalfTensor", 3), ("BFloat16Tensor", 4)):
        if name.rpartition(".")[2] == word:
            return set_default_dtype(BY_NUMBER[number])
    raise TypeError(f"only floating-point types are supported as the default type, got {name}")


def get_num_interop_threads():
    """1: winnow runs one operation at a time."""
    return 1


def set_num_interop_threads(n):
    """Accepted: winnow runs one operation at a time."""


def set_flush_denormal(mode):
    """False: winnow flushes denormals inside kernels only, and leaves the thread's mode as it is."""
    return False


_precision = "highest"


def set_float32_matmul_precision(precision):
    """Accepted: winnow multiplies float32 in float32."""
    global _precision
    if precision not in ("highest", "high", "medium"):
        raise ValueError(f"{precision} is not one of 'highest', 'high' or 'medium'")
    _precision = precision


def get_float32_matmul_precision():
    """What set_float32_matmul_precision was given last; "highest" at the start."""
    return _precision
