"""Making tensors from other things: tensor, as_tensor, from_numpy, Tensor(...), index operands, out=."""
import warnings

from . import _C
from ._kinds import need, need_option, need_options
from ._types import contiguous_format, device_number, device as _device, dtype as dtype_, int64, layout as layout_, memory_format as memory_format_, preserve_format
from ._types import Size as _size_type, bool as bool_, channels_last, channels_last_3d

Tensor = _C.Tensor
_functions = _C.functions(1)
_empty, _to_device = _functions["empty"], _C.functions(256)["_to_device"]


def _array(data):
    """The memory of an array (NumPy, memoryview, ...) as a tensor, or None when data is no such thing."""
    if isinstance(data, (list, tuple, int, float)):
        return None
    if hasattr(data, "__array_interface__") or hasattr(data, "__array__"):
        import numpy

        array = numpy.asarray(data)
        return from_array(array, copy_if_foreign=True)
    return None


def from_array(array, copy_if_foreign=False):
    if not array.dtype.isnative and copy_if_foreign:
        array = array.astype(array.dtype.newbyteorder("="))
    try:
        return _C._from_buffer(array)[0]
    except (TypeError, ValueError) as error:
        if isinstance(error, ValueError) and "cannot include dtype" not in str(error):
            raise
        raise TypeError(f"can't convert np.ndarray of type {array.dtype}. The only supported types are: float64, float32, float16, "
                        "int64, int32, int16, int8, uint8, and bool.") from None


def placed(t, device):
    """t on the device, None: the default one."""
    number = _C._default_device() if device is None else device_number(device)
    return t if number == _C._device_of(t) else _to_device(t, "meta" if number == 2 else "cpu")


def with_grad(t, requires_grad):
    """A new tensor, which requires a gradient where that is wanted."""
    if not requires_grad:
        return t
    if not t.dtype.is_floating_point:
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    return t.requires_grad_()


def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """A new tensor with a copy of data (numbers, nested sequences, arrays, tensors)."""
    if isinstance(data, Tensor):
        warnings.warn("To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
                      "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).",
                      UserWarning, stacklevel=2)
        t = data.detach().clone() if dtype is None or dtype is data.dtype else data.detach().to(dtype, copy=True)
    else:
        t = _array(data)
        if t is None:
            t = _C._tensor(data, dtype) if not hasattr(data, "_elements") else _of_storage(data, dtype or _C.get_default_dtype())
        else:
            t = t.clone() if dtype is None else t.to(dtype, copy=True)
    return with_grad(placed(t, device), requires_grad)


def as_tensor(data, dtype=None, device=None):
    """data as a tensor, sharing its memory where that is possible."""
    if device is None and isinstance(data, Tensor):
        device = data.device
    t = data if isinstance(data, Tensor) else _array(data)
    if t is None:
        return placed(_C._tensor(data, dtype), device)
    return placed(t if dtype is None or dtype is t.dtype else t.to(dtype), device)


def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=None):
    """obj as a tensor: shares its memory where that is possible, unless copy=True; copy=False makes it an error where it is not. Of an object with the buffer
    protocol that is no array, the bytes are taken for elements of dtype. requires_grad: that of a tensor unless it is given, else False."""
    need_options("asarray", dtype_, dtype=dtype)
    need_options("asarray", bool, copy=copy, requires_grad=requires_grad)
    if device is None and isinstance(obj, Tensor):
        device = obj.device
    t = _shared(obj, dtype, copy)
    if t is None:
        if copy is False:
            raise ValueError("can't alias arbitrary sequence into a tensor.")
        t = _C._tensor(obj, dtype)
    elif dtype is not None and dtype is not t.dtype:
        if copy is False:
            raise ValueError(f"can't alias tensor with dtype '{_word(t.dtype)}' into dtype '{_word(dtype)}'.")
        t = t.to(dtype)
    elif copy:
        t = t.clone()
    return _grad_as_wanted(placed(t, device), obj, requires_grad)


def _shared(obj, dtype, copy):
    """obj's memory as a tensor; None: it has none that others can use."""
    if isinstance(obj, Tensor):
        return obj
    if isinstance(obj, (list, tuple, int, float, str)) and type(obj).__module__ == "builtins":
        return None
    numpy = _numpy_kind(obj)
    if numpy == "generic":
        if copy is False:
            raise RuntimeError("can't alias NumPy scalars. Either remove copy=False or transform it in a ndarray. ")
        return _array(obj)
    if numpy == "ndarray":
        return from_numpy(obj) if not copy else _array_of(obj)
    if type(obj).__name__ == "PyCapsule":
        return _C._from_dlpack(obj)
    if hasattr(obj, "__dlpack__"):
        return from_dlpack(obj)
    try:
        memoryview(obj)
    except TypeError:
        return _array(obj)
    return frombuffer(obj, dtype=dtype or _C.get_default_dtype())


def _numpy_kind(obj):
    """"ndarray" or "generic" (a scalar) for NumPy's objects."""
    for kind in type(obj).__mro__:
        if kind.__module__ == "numpy" and kind.__name__ in ("ndarray", "generic"):
            return kind.__name__
    return None


def _grad_as_wanted(t, obj, requires_grad):
    if requires_grad is None:
        if isinstance(obj, Tensor) and obj.requires_grad:
            from ._warn import warn_once

            warn_once("torch.asarray: unspecified requires_grad now defaults to obj.requires_grad instead of False. Pass requires_grad=False explicitly to get "
                      "the old behavior and silence this warning.", stacklevel=3)
        return t
    if requires_grad:
        return with_grad(t, True)
    return t.requires_grad_(False) if t.is_leaf else t.detach()


def from_numpy(ndarray):
    """A tensor on the memory of a NumPy array."""
    if type(ndarray).__module__ != "numpy" or not any(c.__name__ == "ndarray" for c in type(ndarray).__mro__):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    t = _array_of(ndarray)
    if not ndarray.flags.writeable:
        warnings.warn("The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to "
                      "this tensor will result in undefined behavior.", UserWarning, stacklevel=2)
    return t


def _array_of(ndarray):
    if not ndarray.dtype.isnative:
        raise ValueError("given numpy array has byte order different from the native byte order. "
                         "Conversion between byte orders is currently not supported.")
    if any(s % ndarray.itemsize for s in ndarray.strides):
        raise ValueError("given numpy array strides not a multiple of the element byte size. Copy the numpy array to reallocate the memory.")
    return from_array(ndarray)


def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    """A 1-D tensor on the memory of an object with the buffer protocol: count elements (-1: all) from byte offset on."""
    need_option("frombuffer", dtype_, dtype=dtype)
    view = _bytes_of(buffer)
    size = dtype.itemsize
    if len(view) == 0 or count == 0:
        raise ValueError(f"both buffer length ({len(view)}) and count ({count}) must not be 0")
    if not 0 <= offset < len(view):
        raise ValueError(f"offset ({offset} bytes) must be non-negative and no greater than buffer length ({len(view)} bytes) minus 1")
    if count < 0:
        if (len(view) - offset) % size:
            raise ValueError(f"buffer length ({len(view) - offset} bytes) after offset ({offset} bytes) must be a multiple of element size ({size})")
        count = (len(view) - offset) // size
    if offset + count * size > len(view):
        raise ValueError(f"requested buffer length ({count} * {size} bytes) after offset ({offset} bytes) must not be greater than "
                         f"actual buffer length ({len(view)} bytes)")
    if view.readonly:
        from ._warn import warn_once

        warn_once("The given buffer is not writable, and PyTorch does not support non-writable tensors. This means you can write to the underlying (supposedly "
                  "non-writable) buffer using the tensor. You may want to copy the buffer to protect its data or make it writable before converting it to a "
                  "tensor. This type of warning will be suppressed for the rest of this program.")
    t = _C._from_buffer(view[offset:offset + count * size])[0].view(dtype)
    return with_grad(t, requires_grad)


def _bytes_of(buffer):
    try:
        view = memoryview(buffer)
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    if not view.c_contiguous:
        raise RuntimeError("could not retrieve buffer from object")
    return view.cast("B") if view.nbytes else memoryview(b"")


def from_dlpack(ext_tensor, *, device=None, copy=None):
    """A tensor on the memory of an object with __dlpack__, or of a capsule."""
    if hasattr(ext_tensor, "__dlpack__"):
        if hasattr(ext_tensor, "__dlpack_device__") and ext_tensor.__dlpack_device__()[0] not in (1, 3):
            raise BufferError(f"DLPack device {ext_tensor.__dlpack_device__()}: winnow has tensors in main memory only")
        ext_tensor = ext_tensor.__dlpack__()
    t = _C._from_dlpack(ext_tensor)
    return t.clone() if copy else t


def _legacy(*args, device=None, dtype=None):
    """Tensor(), Tensor(2, 3), Tensor([1, 2]), Tensor(tensor): the default floating dtype."""
    if device is not None:
        _legacy_device(device, args)
    dtype = dtype or _C.get_default_dtype()
    if not args:
        return _empty(0, dtype=dtype)
    if len(args) == 1:
        a = args[0]
        if isinstance(a, Tensor):
            return a.detach()
        if isinstance(a, (list, tuple)) and not isinstance(a, _size_type):
            return _C._tensor(a, dtype)
        array = _array(a)
        if array is not None:
            return array if array.dtype is dtype else array.to(dtype)
        if isinstance(a, _size_type):
            return _empty(tuple(a), dtype=dtype)
        if isinstance(a, range) or hasattr(a, "_elements"):
            return _C._tensor(list(a), dtype) if isinstance(a, range) else _of_storage(a, dtype)
        if isinstance(a, str):
            raise TypeError("new(): invalid data type 'str'")
        if not hasattr(a, "__index__"):
            raise TypeError(f"new(): data must be a sequence (got {type(a).__name__})")
    elif not all(hasattr(a, "__index__") for a in args):
        kinds = ", ".join(type(a).__name__ for a in args)
        raise TypeError(f"new() received an invalid combination of arguments - got ({kinds}), but expected sizes, a storage, a tensor or data")
    return _empty(*args, dtype=dtype)


def _legacy_device(device, args):
    kind = _device(device).type
    if kind != "cpu":
        raise RuntimeError(f"legacy constructor expects device type: cpu but device type: {kind} was passed")
    if len(args) == 1 and isinstance(args[0], Tensor):
        raise RuntimeError("Legacy tensor constructor of the form torch.Tensor(tensor, device=device) is not supported.  Use torch.tensor(...) or "
                           "torch.as_tensor(...) instead.")


def _of_storage(storage, dtype):
    """A tensor on all of a storage, whose elements are of this dtype or bytes."""
    of = getattr(storage, "dtype", dtype)
    if of is not dtype:
        raise RuntimeError(f"Expected a Storage of type {_word(dtype)} or an UntypedStorage, but got {_word(of)}")
    return _empty(0, dtype=dtype).set_(storage)


def _index(value, dtype=None):
    """A list or an array in x[...] as an index tensor; with dtype: a value that is assigned."""
    if dtype is not None:
        t = _array(value)
        return _C._tensor(value, dtype) if t is None else t.to(dtype)
    t = _array(value)
    if t is None:
        if not isinstance(value, (list, tuple, range)):
            if hasattr(value, "__index__"):
                return _C._tensor(value.__index__(), None)
            raise IndexError("only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
                             f"(got {type(value).__name__})")
        t = _C._tensor(value, None)
        if t.numel() == 0:
            t = t.to(int64)
    return t


# ---------------------------------------------------------------------------- out= and memory formats


def store_out(name, result, out, exact=False, unset=False):
    """out= for rows that have none: checks, resizes and fills the caller's tensors. exact: they must have the results' dtype; unset: whose elements are
    nobody's business."""
    if isinstance(result, Tensor):
        outs, results = (out,), (result,)
    else:
        if not isinstance(out, (tuple, list)) or len(out) != len(result):
            raise TypeError(f"{name}(): argument 'out' must be tuple of Tensors of length {len(result)}, not {type(out).__name__}")
        outs, results = tuple(out), tuple(result)
    exact = exact or len(outs) > 1
    for o, r in zip(outs, results):
        if not isinstance(o, Tensor):
            raise TypeError(f"{name}(): argument 'out' must be Tensor, not {type(o).__name__}")
        if _C.is_grad_enabled() and (r.requires_grad or o.requires_grad):
            raise RuntimeError(f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the "
                               "arguments requires grad.")
        if unset and o.dtype is not r.dtype:
            raise RuntimeError(f"dtype {_word(r.dtype)} does not match dtype of out parameter ({_word(o.dtype)})")
        if exact and o.dtype is not r.dtype:
            raise RuntimeError(unlike(r, o))
        if not can_cast(r.dtype, o.dtype):
            raise RuntimeError(f"result type {_word(r.dtype)} can't be cast to the desired output type {_word(o.dtype)}")
    for o, r in zip(outs, results):
        if o.shape != r.shape:
            if o.numel() and not unset:
                warnings.warn(f"An output with one or more elements was resized since it had shape {list(o.shape)}, which does not match "
                              f"the required output shape {list(r.shape)}. This behavior is deprecated, and in a future PyTorch release outputs will not be "
                              "resized unless they have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements "
                              "with t.resize_(0).", UserWarning, stacklevel=2)
            o.data = _empty(tuple(r.shape), dtype=o.dtype)
        if not unset:
            o.copy_(r)
    return outs[0] if isinstance(result, Tensor) else type(result)(outs)


_CXX = {"float32": "float", "float64": "double", "float16": "c10::Half", "bfloat16": "c10::BFloat16", "int8": "signed char", "int16": "short int",
        "int32": "int", "int64": "long int", "uint8": "unsigned char", "bool": "bool"}


def unlike(result, out):
    """torch's text for an out= of another dtype, where it has to have the result's."""
    wanted, got = (_CXX[str(t.dtype).rpartition(".")[2]] for t in (result, out))
    return f"Expected out tensor to have dtype {wanted}, but got {got} instead"


_WORDS = {"float32": "Float", "float64": "Double", "float16": "Half", "bfloat16": "BFloat16", "int8": "Char", "int16": "Short",
          "int32": "Int", "int64": "Long", "uint8": "Byte", "bool": "Bool"}


def _word(dtype):
    return _WORDS.get(dtype._name, dtype._name)


def can_cast(from_, to):
    """May a result of dtype from_ be written to a tensor of dtype to?"""
    need("can_cast", dtype_, from_=from_, to=to)
    if from_.is_complex and not to.is_complex:
        return False
    if from_.is_floating_point and not (to.is_floating_point or to.is_complex):
        return False
    return not (to is bool_ and from_ is not bool_)


def _strides_for(shape, format):
    order = {channels_last: (1, 3, 2, 0), channels_last_3d: (1, 4, 3, 2, 0), contiguous_format: tuple(reversed(range(len(shape))))}[format]
    strides, step = [0] * len(shape), 1
    for d in order:
        strides[d] = step
        step *= max(shape[d], 1)
    return strides


def apply_format(result, format):
    """memory_format= of factories and conversions; None: preserve_format."""
    if format is preserve_format or format is None or not isinstance(result, Tensor):
        return result
    if not isinstance(format, memory_format_):
        raise TypeError(f"argument 'memory_format' must be torch.memory_format, not {type(format).__name__}")
    dims = {channels_last: 4, channels_last_3d: 5}.get(format, result.dim())
    if result.dim() != dims:
        raise RuntimeError(f"required rank {dims} tensor to use {format._name} format")
    strides = _strides_for(result.shape, format)
    if tuple(strides) == result.stride():
        return result
    fresh = _functions["empty_strided"](tuple(result.shape), strides, dtype=result.dtype)
    return fresh.copy_(result)


def empty_in_format(like, format):
    """A tensor of like's shape and dtype, without values, that lies as memory_format= says."""
    if format is preserve_format or format is None:
        return like
    return apply_format(_functions["empty"](tuple(like.shape), dtype=like.dtype), format)


_C._register_new(_legacy)
_C._register_index(_index)
from ._former import former_order

_C._register_helpers(device_number, store_out, apply_format, empty_in_format, former_order, layout_, memory_format_)
