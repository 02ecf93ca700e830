"""Where torch's spelling of indexing, views and joins is more than a row's signature."""
import operator

from .general import ALIASES, adapter, functions, rows
from .._construct import Tensor
from .._kinds import need, wrong_kind
from .._recording import recording
from .._types import bool as _bool, channels_last, channels_last_3d, contiguous_format, memory_format, preserve_format

ALIASES.update({"row_stack": "vstack"})


# ------------------------------------------------------------------ any number of tensors, or one list of them

def _variadic(name):
    row = rows[name]

    @adapter("f", name, row.__doc__)
    def f(*tensors):
        if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
            tensors = tensors[0]
        return row(list(tensors))


for _name in ("block_diag", "cartesian_prod"):
    _variadic(_name)


def _at_least(name):
    row = rows[name]

    @adapter("f", name, row.__doc__)
    def f(*tensors):
        return row(tensors[0] if len(tensors) == 1 else tensors)


for _name in ("atleast_1d", "atleast_2d", "atleast_3d"):
    _at_least(_name)

_meshgrid = rows["meshgrid"]


@adapter("f")
def meshgrid(*tensors, indexing=None):
    """Without indexing torch warns, once, that it will be required."""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    if indexing is None:
        from .._warn import warn_once

        warn_once("torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.")
        indexing = "ij"
    return _meshgrid(list(tensors), indexing=indexing)


# ------------------------------------------------------------------ shapes

_unravel_index = rows["unravel_index"]


@adapter("f")
def unravel_index(indices, shape):
    """shape: one number, or several."""
    need("unravel_index", Tensor, indices=indices)
    if indices.is_floating_point() or indices.dtype is _bool:
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    if not isinstance(shape, (int, tuple, list)):
        raise TypeError(f"expected 'shape' to be int or sequence of ints, but got {type(shape)}")
    shape = [shape] if isinstance(shape, int) else shape
    for n in shape:
        if not isinstance(n, int):
            raise TypeError(f"expected 'shape' sequence to only contain ints, but got {type(n)}")
    shape = tuple([int(n) for n in shape])
    if any([n < 0 for n in shape]):
        raise ValueError(f"'shape' cannot have negative values, but got {shape}")
    return _unravel_index(indices, shape)


_tensor_split = rows["tensor_split"]


@adapter("fm")
def tensor_split(input, indices_or_sections=None, dim=0, *, indices=None, sections=None, tensor_indices_or_sections=None):
    """The argument has another name in each of the rows; a list longer than shapes may be goes as a tensor."""
    given = [x for x in (indices_or_sections, indices, sections, tensor_indices_or_sections) if x is not None]
    if len(given) != 1:
        raise TypeError("tensor_split() received an invalid combination of arguments")
    at = given[0]
    if isinstance(at, (tuple, list)) and len(at) > 16:
        from .._construct import tensor

        at = tensor(at)
    return _tensor_split(input, at, dim)


def _refuse_complex(name):
    @adapter("f", name, "winnow has no complex numbers.")
    def f(input):
        raise RuntimeError(f"{name}: complex numbers are not supported")


_refuse_complex("view_as_real")
_refuse_complex("view_as_complex")


@adapter("fm")
def resize_as_(input, the_template, *, memory_format=None):
    """resize_ to the_template's shape. Returns input."""
    need("resize_as_", Tensor, input=input, the_template=the_template)
    if memory_format is preserve_format:
        memory_format = _format_of(the_template)
    return input.resize_(tuple(the_template.shape), memory_format=memory_format)


def _format_of(t):
    """torch's guess: channels last where t lies so and not row by row."""
    last = {4: channels_last, 5: channels_last_3d}.get(t.dim())
    return last if last is not None and t.is_contiguous(memory_format=last) and not t.is_contiguous() else contiguous_format


@adapter("m")
def dim_order(self, *, ambiguity_check=False):
    """The dimensions from the one with the largest stride to the one with the smallest. ambiguity_check=True makes it an error where another order
    would do as well; a list of memory formats: unless exactly one of those fits."""
    formats = ambiguity_check if isinstance(ambiguity_check, list) else []
    if not isinstance(ambiguity_check, (bool, list)) or not all(isinstance(f, memory_format) for f in formats):
        raise TypeError("The ambiguity_check argument must be a bool or a list of memory formats.")
    strides = self.stride()
    open_ = 1 in self.shape or any(a == b for a, b in zip(strides, strides[1:]))
    if ambiguity_check is not False and open_ and sum(self.is_contiguous(memory_format=f) for f in formats) != 1:
        raise RuntimeError("The tensor does not have unique dim order, or cannot map to exact one of the given memory formats.")
    by_format = [f for f in formats if self.is_contiguous(memory_format=f)]
    if len(by_format) == 1 and by_format[0] in (channels_last, channels_last_3d):
        return (0, *range(2, self.dim()), 1)
    return tuple(sorted(range(self.dim()), key=lambda d: -strides[d]))


# ------------------------------------------------------------------ copies of several pieces into out=

def _list_out(name):
    row = rows[name]

    @adapter("f", name, row.__doc__)
    def f(*args, out=None, **kwargs):
        r = row(*args, **kwargs)
        if out is None:
            return r
        if len(out) != len(r):
            raise RuntimeError(f"{name}() expected an out= argument of size {len(r)}, got size {len(out)}")
        from .._construct import store_out, unlike

        for x, o in zip(r, out):
            if x.dtype != o.dtype:
                raise RuntimeError(unlike(x, o))
            store_out(name, x, o)


for _name in ("split_copy", "split_with_sizes_copy", "unbind_copy"):
    _list_out(_name)


# ------------------------------------------------------------------ functions of Python, element by element

def _elementwise(self, others, f):
    for position, t in enumerate(others, 1):
        name = f"map{'' if len(others) == 1 else len(others)}_"
        if not isinstance(t, Tensor):
            raise wrong_kind(name, position, "other", "Tensor", t)
        _check_no_grad(t, name)
    with recording(False):
        columns = [t.detach().expand(tuple(self.shape)).reshape(-1).tolist() for t in (self, *others)]
        values = [_number(f(*row), self.dtype) for row in zip(*columns)]
        from .._construct import tensor

        self.detach().copy_(tensor(values, dtype=self.dtype).reshape(tuple(self.shape)))
    return self


def _number(value, dtype):
    """What a function of Python gave, as an element of the dtype."""
    if dtype.is_floating_point:
        if not hasattr(value, "__float__") and not hasattr(value, "__index__"):
            raise TypeError(f"must be real number, not {type(value).__name__}")
        return float(value)
    return int(value) if isinstance(value, float) else operator.index(value)


def _check_no_grad(self, name):
    if self.requires_grad:
        raise RuntimeError(f"Can't call {name}() on Variable that requires grad. Use var.detach().{name}() instead.")


@adapter("m")
def apply_(self, callable):
    """self[...] = callable(self[...]), element by element, in Python."""
    _check_no_grad(self, "apply_")
    return _elementwise(self, (), callable)


@adapter("m")
def map_(self, tensor, callable):
    """self[...] = callable(self[...], tensor[...]), element by element, in Python."""
    _check_no_grad(self, "map_")
    return _elementwise(self, (tensor,), callable)


@adapter("m")
def map2_(self, x, y, callable):
    """self[...] = callable(self[...], x[...], y[...]), element by element, in Python."""
    _check_no_grad(self, "map2_")
    return _elementwise(self, (x, y), callable)


@adapter("m")
def fill_diagonal_(self, fill_value, wrap=False):
    """The main diagonal; wrap: of a tall matrix, again and again below an empty row."""
    n = self.dim()
    if n < 2:
        raise RuntimeError("dimensions must larger than 1")
    if n > 2 and len(set(self.shape)) != 1:
        raise RuntimeError("all dimensions of input must be of equal length")
    height, width = self.shape[0], self.shape[1]
    if wrap and n == 2 and 0 < width < height - 1:
        down, right = self.stride()
        blocks = height // (width + 1)  # whole ones, with the empty row below each
        self.as_strided((blocks, width), ((width + 1) * down, down + right), self.storage_offset()).fill_(fill_value)
        self.narrow(0, blocks * (width + 1), height - blocks * (width + 1)).diagonal().fill_(fill_value)
    else:
        self.as_strided((min(self.shape),), (sum(self.stride()),), self.storage_offset()).fill_(fill_value)
    return self
