"""Where torch's function is more than a row's signature. Each adapter says why it is here; everything else comes from the table.

An adapter takes the place of the row's function in the namespaces named by its decorator: "f" torch.f, "m" Tensor.f.
"""
import math
import warnings

from .. import _C
from .._types import BY_NUMBER, usable_device, bool as bool_, channels_last, channels_last_3d, contiguous_format, device as _device, dtype as _dtype, memory_format as memory_format_, preserve_format
from .._construct import Tensor, _strides_for, _word, apply_format, placed, tensor
from .._kinds import need, need_dims, need_option, need_options, wrong_kind

rows = _C.functions(1)
linalg_rows = _C.functions(8)
methods = {}    # what this file adds to Tensor
functions = {}  # ... and to torch


def adapter(places, name=None, doc=None):
    """Decorates an adapter. doc: that of one that has the name, too, but is made where its row is known."""
    def add(f):
        f.__module__ = "torch"
        if doc is not None:
            f.__name__, f.__doc__ = name, doc
        if "f" in places:
            functions[name or f.__name__] = f
        if "m" in places:
            methods[name or f.__name__] = f
        return f
    return add


# ------------------------------------------------------------------ one name, several operations

_where = rows["where"]


@adapter("f")
def where(condition, *args, **kwargs):
    """where(condition) is nonzero(as_tuple=True); the method's self is not the condition."""
    if not args and not kwargs:
        need("where", Tensor, condition=condition)
        return nonzero(condition, as_tuple=True)
    return _where(condition, *args, **kwargs)


@adapter("m", "where")
def _where_method(self, condition, other):
    return _where(condition, self, other)


_nonzero = rows["nonzero"]


@adapter("fm")
def nonzero(input, *, out=None, as_tuple=False):
    """as_tuple: one index tensor for each dimension."""
    if out is not None:
        need_option("nonzero", Tensor, out=out)
    need_option("nonzero", bool, as_tuple=as_tuple)
    if as_tuple and out is not None:
        raise RuntimeError("nonzero does not support the out kwarg when as_tuple is True")
    if not as_tuple:
        return _nonzero(input, out=out)
    need("nonzero", Tensor, input=input)
    if input.dim() == 0:
        return (_nonzero(input.reshape(1)).select(1, 0),)
    return _nonzero(input).unbind(1)


# ------------------------------------------------------------------ conversions

_to, _copy = Tensor.to, Tensor.copy_


@adapter("m")
def copy_(self, src, non_blocking=False):
    """There is one device: non_blocking changes nothing. A number is copied to all elements."""
    return _copy(self, src) if isinstance(src, Tensor) or not isinstance(src, (int, float)) else self.fill_(src)


@adapter("m")
def to(self, *args, dtype=None, device=None, non_blocking=False, copy=False, memory_format=preserve_format):
    """to(dtype), to(device), to(other), to(device, dtype), each with non_blocking and copy."""
    args = list(args)
    if args and (args[0] is None or isinstance(args[0], (_device, str)) or type(args[0]) is int):
        device = args.pop(0)
        if args and (args[0] is None or isinstance(args[0], _dtype) or args[0] in (int, float, bool)):
            dtype = args.pop(0)
    elif args and isinstance(args[0], Tensor):
        dtype = args.pop(0).dtype
    elif args:
        dtype = args.pop(0)
        if not isinstance(dtype, _dtype) and dtype not in (int, float, bool):
            raise TypeError("to() received an invalid combination of arguments - got "
                            f"({type(dtype).__name__}), but expected one of:\n * (torch.device device, torch.dtype dtype, bool non_blocking, bool copy)"
                            "\n * (torch.dtype dtype, bool non_blocking, bool copy)\n * (Tensor other, bool non_blocking, bool copy)")
    if len(args) > 2 or any(type(a) is not bool for a in args):
        raise TypeError(f"to() received an invalid combination of arguments: {args[0]!r} is neither non_blocking nor copy")
    if len(args) == 2:  # after non_blocking
        copy = args[1]
    if dtype is None:
        dtype = self.dtype
    if device is not None and usable_device(device).type != self.device.type:
        return apply_format(_to(placed(self, device), dtype), memory_format)
    if copy:
        r = _to(self, dtype, True)
        return apply_format(r, memory_format)
    if self.dtype is dtype:  # contiguous_format is what a tensor without the others' strides has
        return self if memory_format in (preserve_format, contiguous_format) else apply_format(self, memory_format)
    return apply_format(_to(self, dtype), memory_format)


def _converter(name, target):
    @adapter("m", name, f"The elements as {target!r}.")
    def f(self, *, memory_format=preserve_format):
        return to(self, target, memory_format=memory_format)


for _name, _i in (("float", 1), ("double", 2), ("half", 3), ("bfloat16", 4), ("char", 5), ("short", 6), ("int", 7), ("long", 8), ("byte", 9), ("bool", 10)):
    _converter(_name, BY_NUMBER[_i])

# ------------------------------------------------------------------ memory formats

_contiguous, _clone = Tensor.contiguous, rows["clone"]


@adapter("m")
def contiguous(self, *, memory_format=contiguous_format):
    if memory_format is contiguous_format:
        return _contiguous(self)
    lies_so = isinstance(memory_format, memory_format_) and memory_format is not preserve_format and self.is_contiguous(memory_format=memory_format)
    return self if lies_so else apply_format(self, memory_format)


@adapter("fm")
def clone(input, *, memory_format=preserve_format):
    r = _clone(input)
    return r if memory_format is None or memory_format is preserve_format else apply_format(r, memory_format)


@adapter("m")
def is_contiguous(self, *, memory_format=contiguous_format):
    """Do the elements lie in memory in the order of that format, without gaps?"""
    if memory_format is contiguous_format:
        return self._is_contiguous()
    from .._construct import _strides_for

    need_option("is_contiguous", memory_format_, memory_format=memory_format)
    if self.dim() != (4 if memory_format._name == "channels_last" else 5):
        return False
    want = _strides_for(self.shape, memory_format)
    return all(n == 1 or a == b for n, a, b in zip(self.shape, self.stride(), want))


# ------------------------------------------------------------------ pieces and shapes

_split_rows = Tensor.split


@adapter("f")
def split(tensor, split_size_or_sections, dim=0):
    """The argument has another name than the rows' two; more pieces than a shape may have dimensions are cut one by one."""
    if isinstance(split_size_or_sections, (tuple, list)) and len(split_size_or_sections) > 16:
        return _many_pieces(tensor, split_size_or_sections, dim)
    return _split_rows(tensor, split_size_or_sections, dim)


@adapter("m", "split", "torch's method names its argument otherwise than the function.")
def _split_method(self, split_size, dim=0):
    return split(self, split_size, dim)


@adapter("fm")
def split_with_sizes(input, split_sizes, dim=0):
    """Views of pieces along dim with these sizes, which add up to the dimension's size."""
    return split(input, list(split_sizes), dim)


def _many_pieces(input, sizes, dim):
    if sum(sizes) != input.size(dim) or min(sizes) < 0:
        raise RuntimeError(f"split_with_sizes expects split_sizes to sum exactly to {input.size(dim)} (input tensor's size at dimension {dim}), "
                           f"but got split_sizes={list(sizes)}")
    pieces, start = [], 0
    for n in sizes:
        pieces.append(input.narrow(dim, start, n))
        start += n
    return tuple(pieces)


_squeeze = rows["squeeze"]


@adapter("fm")
def squeeze(input, *args, **kwargs):
    """dim may be a tuple."""
    dim = args[0] if args else kwargs.get("dim")
    if isinstance(dim, (tuple, list)) and len(args) + len(kwargs) == 1:
        need("squeeze", Tensor, input=input)
        dims = need_dims(dim, input.dim())
        if not dims:
            return input.view(tuple(input.shape))
        for d in sorted(dims, reverse=True):
            input = _squeeze(input, d)
        return input
    return _squeeze(input, *args, **kwargs)


_movedim = rows["movedim"]


@adapter("fm")
def movedim(input, source, destination):
    """source and destination may be tuples."""
    if isinstance(source, int) and isinstance(destination, int):
        return _movedim(input, source, destination)
    need("movedim", Tensor, input=input)
    for position, name, dims in ((2, "source", source), (3, "destination", destination)):
        if not isinstance(dims, (int, tuple, list)):
            raise wrong_kind("movedim", position, name, "int or tuple of ints", dims)
    source = (source,) if isinstance(source, int) else tuple(source)
    destination = (destination,) if isinstance(destination, int) else tuple(destination)
    n = input.dim()
    if len(source) != len(destination):
        raise RuntimeError(f"movedim: Invalid source or destination dims: source ({list(source)} dims) should contain the same number of "
                           f"dims as destination ({list(destination)} dims)")
    for d in source + destination:
        if not -n <= d < n:
            raise IndexError(f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {d})")
    src, dst = [d % n for d in source], [d % n for d in destination]
    for name, dims in (("source", src), ("destination", dst)):
        if len(set(dims)) != len(dims):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({list(dims)})")
    rest = iter(d for d in range(n) if d not in src)
    at = dict(zip(dst, src))
    return input.permute([at[i] if i in at else next(rest) for i in range(n)])


@adapter("m")
def view_as(self, other):
    """A view of self with other's shape."""
    need("view_as", Tensor, other=other)
    return self.view(tuple(other.shape))


@adapter("m")
def reshape_as(self, other):
    """self with other's shape: a view where that is possible."""
    need("reshape_as", Tensor, other=other)
    return self.reshape(tuple(other.shape))


# ------------------------------------------------------------------ creation

_range = rows["range"]


def _range_with_warning(*args, **kwargs):
    """torch warns of range, which includes the end: arange is meant to take its place."""
    warnings.warn("torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with Python's range builtin. Instead, "
                  "use torch.arange, which produces values in [start, end).", UserWarning, stacklevel=2)
    return _range(*args, **kwargs)


_range_with_warning.__name__ = _range_with_warning.__qualname__ = "range"
adapter("f", "range")(_range_with_warning)

_randint, _random = rows["randint"], Tensor.random_
_DIGITS = {"float32": 24, "float64": 53, "float16": 11, "bfloat16": 8}  # of the mantissa
_C_WORDS = {"float32": "float", "float64": "double", "float16": "c10::Half", "bfloat16": "c10::BFloat16", "int8": "signed char", "int16": "short", "int32": "int",
            "int64": "long", "uint8": "unsigned char", "bool": "bool"}


def _warn_of_bounds(dtype, low, high):
    """Among such numbers are some that the dtype does not hold; torch warns."""
    word, digits = _C_WORDS[dtype._name], _DIGITS.get(dtype._name, 64)
    for name, n in (("from", low), ("to - 1", high - 1 if isinstance(high, int) else None)):
        if isinstance(n, int) and abs(n) > 1 << digits:
            warnings.warn(f"{name} is out of bounds [-(2^{digits}), 2^{digits}]. Due to precision limitations {word} can support discrete uniform distribution "
                          "only within this range. This warning will become an error in version 1.7 release, please fix the code in advance", UserWarning, stacklevel=3)


@adapter("m")
def random_(self, *args, **kwargs):
    """torch warns of bounds that a floating dtype does not hold exactly."""
    if args or kwargs:
        only_to = len(args) == 1 and "to" not in kwargs
        low = 0 if only_to else args[0] if args else kwargs.get("from", 0)
        _warn_of_bounds(self.dtype, low, args[-1] if only_to or len(args) > 1 else kwargs.get("to"))
    return _random(self, *args, **kwargs)


_randint_like = rows["randint_like"]


@adapter("f")
def randint_like(input, *args, dtype=None, **kwargs):
    """Warns as random_ does."""
    need("randint_like", Tensor, input=input)
    low, high = args[:2] if len(args) > 1 else (kwargs.get("low", 0), args[0] if args else kwargs.get("high"))
    _warn_of_bounds(dtype if isinstance(dtype, _dtype) else input.dtype, low, high)
    return _randint_like(input, *args, dtype=dtype, **kwargs)


@adapter("f")
def randint(*args, low=0, high=None, size=None, **kwargs):
    """randint(high, size) and randint(low, high, size)."""
    args = list(args)
    if args and isinstance(args[-1], (tuple, list)):
        size = args.pop()
    if len(args) == 2:
        low, high = args
    elif len(args) == 1:
        if high is None:
            high = args[0]
        else:
            low = args[0]
    elif args:
        raise TypeError("randint() takes (high, size) or (low, high, size)")
    if high is None or size is None:
        raise TypeError("randint() missing required arguments: high and size")
    if isinstance(kwargs.get("dtype"), _dtype):
        _warn_of_bounds(kwargs["dtype"], low, high)
    return _randint(low, high, size, **kwargs)


_randn, _empty = rows["randn"], rows["empty"]


@adapter("f")
def normal(mean=0.0, std=1.0, size=None, *, generator=None, out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """mean and std may each be a number (then size says how many) or a tensor."""
    if not isinstance(mean, Tensor) and not isinstance(std, Tensor):
        if size is None:
            raise TypeError("normal(): numbers for mean and std need a size")
        if std < 0:
            raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
        r = _empty(size, dtype=dtype, device=device).normal_(float(mean), float(std), generator=generator)
        if out is not None:
            return _construct_out("normal", r, out)
        return r.requires_grad_(requires_grad) if requires_grad else r
    if size is not None and (isinstance(std, Tensor) or std >= 0):
        raise TypeError("normal() received an invalid combination of arguments: size is for numbers, and a tensor has a size")
    if not isinstance(std, Tensor) and std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    if isinstance(std, Tensor) and std.numel() and bool((std < 0).any()):
        raise RuntimeError("normal expects all elements of std >= 0.0")
    like = mean if isinstance(mean, Tensor) else std  # the result is of its dtype
    shape = (mean.detach() + std.detach()).shape if isinstance(mean, Tensor) and isinstance(std, Tensor) else like.shape
    if isinstance(std, Tensor):
        r = _randn(tuple(shape), dtype=like.dtype, generator=generator) * std + mean
    else:
        r = _empty(tuple(shape), dtype=like.dtype).normal_(0.0, float(std), generator=generator) + mean
    r = r if r.dtype is like.dtype else r.to(like.dtype)
    return r if out is None else _construct_out("normal", r, out)


@adapter("f")
def native_dropout(input, p, train):
    """dropout and the mask of what it keeps."""
    need("native_dropout", Tensor, input=input)
    if input.numel() == 0:
        return input, rows["empty_like"](input)
    if train is False:
        return input.clone(), rows["ones_like"](input, dtype=bool_)
    kept = rows["empty_like"](input, dtype=bool_).bernoulli_(1 - p)
    return input * kept * (0.0 if p == 1 else 1 / (1 - p)), kept


def _as_self(self, r):
    """New tensors are of self's class."""
    return r.as_subclass(type(self)) if type(self) is not Tensor and _C._inherits(self) else r


@adapter("m")
def new_empty_strided(self, size, stride, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A new tensor with these strides, elements as they are in memory; self's dtype unless another is given."""
    return _as_self(self, rows["empty_strided"](size, stride, dtype=dtype or self.dtype, device=device or self.device, requires_grad=requires_grad))


def _new(name, f):
    @adapter("m", "new_" + name, f"{f.__doc__}\n\nOf self's dtype unless another is given.")
    def method(self, *args, dtype=None, device=None, layout=None, pin_memory=False, requires_grad=False, **kwargs):
        return _as_self(self, f(*args, dtype=dtype or self.dtype, device=device or self.device, requires_grad=requires_grad, **kwargs))


for _name in ("empty", "zeros", "ones"):
    _new(_name, rows[_name])


@adapter("m")
def new_full(self, size, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A new tensor filled with fill_value, of self's dtype unless another is given."""
    return _as_self(self, rows["full"](size, fill_value, dtype=dtype or self.dtype, device=device or self.device, requires_grad=requires_grad))


@adapter("m")
def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A new tensor with a copy of data, of self's dtype unless another is given."""
    return _as_self(self, tensor(data, dtype=dtype or self.dtype, device=device or self.device, requires_grad=requires_grad))


# ------------------------------------------------------------------ contractions and norms

@adapter("f")
def batch_norm_update_stats(input, running_mean, running_var, momentum):
    """(mean, biased variance) of each channel of a batch; the running statistics move towards them (the variance's unbiased)."""
    need("batch_norm_update_stats", Tensor, input=input)
    need_options("batch_norm_update_stats", Tensor, running_mean=running_mean, running_var=running_var)
    if input.numel() == 0:
        raise RuntimeError(f"input tensor must have at least one element, but got input_sizes = {list(input.shape)}")
    dims = [d for d in range(input.dim()) if d != 1]
    mean, var = input.mean(dims), input.var(dims, correction=0)
    n = input.numel() // input.shape[1]
    for running, now in ((running_mean, mean), (running_var, var * (n / (n - 1) if n > 1 else math.nan))):
        if running is not None:
            running.mul_(1 - momentum).add_(now, alpha=momentum)
    return mean, var


_einsum = rows["einsum"]


@adapter("f")
def einsum(*args):
    """einsum('ij,jk', a, b), einsum('ij,jk', [a, b]) and torch's sublist form einsum(a, [0, 1], b, [1, 2], [0, 2])."""
    if len(args) > 1 and not isinstance(args[0], (str, Tensor)):
        raise TypeError(f"einsum(): argument 'equation' (position 1) must be str, not {type(args[0]).__name__}")
    if len(args) < 2:
        raise ValueError("einsum(): must specify the equation string and at least one operand, or at least one operand and its subscripts list")
    if isinstance(args[0], str):
        operands = args[1:]
        if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
            operands = tuple(operands[0])
        return _einsum(args[0], list(operands))

    def letters(labels):
        text = ""
        for s in labels:
            if s is Ellipsis:
                text += "..."
            elif 0 <= s < 52:
                text += chr(ord("A") + s) if s < 26 else chr(ord("a") + s - 26)
            else:
                raise ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)")
        return text
    equation = ",".join(letters(args[i]) for i in range(1, len(args) - len(args) % 2, 2))
    if len(args) % 2:
        equation += "->" + letters(args[-1])
    return _einsum(equation, list(args[: len(args) - len(args) % 2 : 2]))


_vector_norm = linalg_rows["vector_norm"]


@adapter("fm")
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    """p may be 'fro' or 'nuc'."""
    if p == "nuc":
        from .linalg import nuclear

        return nuclear(input, dim, keepdim, dtype, out)
    if p is None or p == "fro":
        p = 2
    if isinstance(p, str):
        raise RuntimeError(f"norm: unknown order '{p}'")
    if dim is not None and isinstance(dim, int):
        dim = (dim,)
    kwargs = {} if out is None else {"out": out}
    return _vector_norm(input, p, dim, keepdim, dtype=dtype, **kwargs)


_tensordot = _C.functions(256)["tensordot"]


@adapter("f")
def tensordot(a, b, dims=2, out=None):
    """dims may be a number, two lists, or a tensor of them."""
    if isinstance(dims, Tensor):
        dims = dims.tolist() if dims.dim() else dims.item()
    need("tensordot", Tensor, a=a, b=b)
    if isinstance(dims, (list, tuple)) and len(dims) == 2:
        if isinstance(dims[0], int):
            dims = (dims[0],), (dims[1],)
        first, second = list(dims[0]), list(dims[1])
    elif not isinstance(dims, int):
        raise RuntimeError(f"tensordot expects dims to be int or tuple[list[int], list[int]] or list[list[int]] containing two lists, but got dims={dims}")
    else:
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        first, second = list(range(-dims, 0)), list(range(dims))
    r = _tensordot(a, b, first, second)
    return r if out is None else _construct_out("tensordot", r, out, exact=True)


def _construct_out(name, r, out, **how):
    from .._construct import store_out

    return store_out(name, r, out, **how)


# ------------------------------------------------------------------ changes of a tensor's geometry in place

def _geometry(name):
    f = getattr(Tensor, name)

    @adapter("m", name + "_", f"{f.__doc__}\n\nself becomes that view of itself, and is returned.")
    def method(self, *args, **kwargs):
        _C._may_change(self, name + "_")
        if self.requires_grad and self.is_leaf and _C.is_grad_enabled():
            raise RuntimeError("a view of a leaf Variable that requires grad is being used in an in-place operation.")
        made = f(self, *args, **kwargs)
        if self.requires_grad and self.is_leaf and self._base is None:  # nothing is recorded: it stays the leaf that it is, with .grad and hooks
            self.data = made
            return self
        return self._become(made)


for _name in ("t", "transpose", "squeeze", "unsqueeze", "as_strided"):
    _geometry(_name)


@adapter("m")
def set_(self, source=None, storage_offset=None, size=None, stride=None):
    """self becomes another name for source's elements, a tensor's or a storage's (without source: empty), and is returned. With an offset and
    a size (and strides): for those elements of source's memory."""
    from ..storage import TypedStorage, UntypedStorage

    if isinstance(source, TypedStorage) and source.dtype is not self.dtype:
        raise RuntimeError(f"Expected a Storage of type {_word(self.dtype)} or an UntypedStorage, but got type {_word(source.dtype)} for argument 1 'storage'")
    if source is not None and not isinstance(source, (Tensor, TypedStorage, UntypedStorage)):
        raise TypeError(f"set_(): argument 'source' (position 1) must be Tensor or Storage, not {type(source).__name__}")
    if isinstance(source, Tensor) and source.dtype is not self.dtype:
        raise RuntimeError(f"Could not set tensor of type {_C_WORDS[source.dtype._name]} to a tensor of type {_C_WORDS[self.dtype._name]}")
    if (storage_offset is None) != (size is None):
        raise TypeError("set_() received an invalid combination of arguments: source goes with storage_offset and size, or alone")
    _C._may_change(self, "set_")
    if source is None:
        new = _empty(0, dtype=self.dtype)
    elif size is None and isinstance(source, Tensor):
        new = source
    else:
        new = _part(source, self.dtype, storage_offset or 0, size, stride)
    self.data = new
    from ..autograd.graph import increment_version

    increment_version(self)  # which .data does not
    return self


def _part(source, dtype, offset, size, stride):
    """Elements of a storage, or of the storage of a tensor of the same dtype; size None: all."""
    from ..storage import TypedStorage, _untyped

    storage = _untyped(source) if isinstance(source, Tensor) else source.untyped() if isinstance(source, TypedStorage) else source
    flat = storage._elements(dtype)
    if size is None:
        return flat
    size = (size,) if isinstance(size, int) else tuple(size)
    return flat.as_strided(size, _strides(size) if stride is None or len(stride) == 0 else tuple(stride), offset)


@adapter("m")
def resize_(self, *size, memory_format=None, **named):
    """Gives self another shape, keeping as many of the elements in memory as fit; new ones are as they are in memory. Returns self."""
    if not size and "size" in named:
        size = (named.pop("size"),)
    if named:
        raise TypeError(f"resize_() got an unexpected keyword argument '{next(iter(named))}'")
    if not size:
        raise TypeError('resize_() missing 1 required positional arguments: "size"')
    sizes = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    if isinstance(size[0], (tuple, list)) and len(size) > 1:
        raise TypeError(f"resize_() takes 1 positional argument but {len(size)} were given")
    sizes = tuple([_size("resize_", i, s) for i, s in enumerate(sizes)])
    if self.requires_grad and not self.is_inference():
        raise RuntimeError("cannot resize variables that require grad")
    _C._may_change(self, "resize_")
    if memory_format is not None:
        need_option("resize_", memory_format_, memory_format=memory_format)
    if memory_format is preserve_format:
        raise RuntimeError("Unsupported memory formatPreserve")
    rank = {channels_last: 4, channels_last_3d: 5}.get(memory_format, len(sizes))
    if rank != len(sizes):
        raise RuntimeError(f"required rank {rank} tensor to use {memory_format._name} format")
    if tuple(self.shape) != sizes or memory_format is not None:
        from ..autograd.graph import increment_version

        self.data = _resized(self.detach(), sizes, memory_format)
        increment_version(self)
    return self


def _size(name, at, n):
    try:
        n = n.__index__()
    except AttributeError:
        raise TypeError(f"{name}(): argument 'size' (position 1) must be tuple of ints, not {type(n).__name__}") from None
    if not -(1 << 63) <= n < 1 << 63:
        raise TypeError(f"{name}(): argument 'size' failed to unpack the object at pos {at + 1} with error \"Overflow when unpacking long long\"")
    return n


def _resized(old, sizes, format):
    """A tensor of these sizes on old's memory, or on a copy of that with room for more."""
    strides, n = _strides(sizes), math.prod(sizes)
    reach = (old.storage_offset() + n) * old.element_size() if n else 0
    if reach >= 1 << 63:
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(sizes)}")
    flat = old.untyped_storage()._elements(old.dtype)
    if reach > flat.numel() * old.element_size():
        room = _empty(old.storage_offset() + n, dtype=old.dtype)
        room[:flat.numel()] = flat
        flat = room
    return flat.as_strided(sizes, strides if format is None else _strides_for(sizes, format), old.storage_offset() if reach else 0)


def _strides(sizes):
    """Row-major strides of sizes whose product is a number."""
    strides = _strides_for(sizes, contiguous_format)
    if max(strides, default=1) >= 1 << 63:
        raise RuntimeError("Stride calculation overflowed")
    if math.prod(sizes) >= 1 << 63 or min(sizes, default=0) < 0:
        raise RuntimeError("numel: integer multiplication overflow")
    return strides


# ------------------------------------------------------------------ names that mean the same

ALIASES = {
    "absolute": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan", "arctanh": "atanh",
    "arctan2": "atan2", "subtract": "sub", "multiply": "mul", "divide": "div", "true_divide": "div", "negative": "neg", "greater": "gt",
    "greater_equal": "ge", "less": "lt", "less_equal": "le", "not_equal": "ne", "fix": "trunc", "clip": "clamp", "moveaxis": "movedim",
    "swapaxes": "transpose", "swapdims": "transpose", "ger": "outer", "concat": "cat", "concatenate": "cat",
}


def describe(f, row):
    """What the row says, for help(), after what the function that stands in its place says of itself."""
    f.__doc__ = f"{f.__doc__}\n\n{row.__doc__}" if f.__doc__ else row.__doc__


def install(namespace):
    """Puts adapters and aliases into torch's namespace and into Tensor."""
    ours = _C.functions(256)
    for name, f in functions.items():
        row = rows.get(name) or ours.get(name)
        if row is not None:
            describe(f, row)
    namespace.update(functions)
    for name, f in methods.items():
        row = getattr(Tensor, name, None)
        if row is not None and f is not functions.get(name):
            describe(f, row)
        setattr(Tensor, name, f)
    for alias, name in ALIASES.items():
        for tail in ("", "_"):
            if name + tail in namespace:
                namespace.setdefault(alias + tail, namespace[name + tail])
        for tail in ("", "_"):
            method = getattr(Tensor, name + tail, None)
            if method is not None and not hasattr(Tensor, alias + tail) and name != "cat":
                setattr(Tensor, alias + tail, method)
