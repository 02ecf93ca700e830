"""Operations on sparse tensors, by the names of torch's functions and methods: TABLE. All of them are dense operations on the
values (and on what the indices pick from dense operands), so they are differentiable as those are."""
from .. import _C
from .._construct import Tensor, _word
from .._kinds import need
from .._info import allclose as dense_allclose
from .._types import int64, sparse_coo, sparse_csr
from ..autograd.function import Function
from ..nn.functional import embedding_bag
from ._tensor import _Sparse, _winnow, make, refuse, row_starts

_t = _C.functions(1)
TABLE = {}


def op(*names):
    def add(f):
        for name in names or (f.__name__,):
            TABLE[name] = f
        return f
    return add


def is_sparse(x):
    return isinstance(x, _Sparse)


def _number(x):
    return not isinstance(x, Tensor) or (not is_sparse(x) and x.dim() == 0)


def _named(name):
    """A function of one argument with f(0) = 0: of the coalesced values."""
    dense = _t[name]

    def f(input, *args, **kwargs):
        c = input.coalesce()
        return c._apply_values(dense(c._v, *args, **kwargs))
    TABLE[name] = f


for _name in _C._keeping_zero():  # as the rows say it (.zero)
    _named(_name)
_named("signbit")  # of +0, as what is not stored: that of -0 is true


# ------------------------------------------------------------------ linear in the values: no need to coalesce


TABLE["neg"] = TABLE["negative"] = lambda input: input._apply_values(-input._v)
TABLE["pos"] = TABLE["positive"] = lambda input: input


@op("clone")
def clone(input, *, memory_format=None):
    return make(input._i.clone(), input._v.clone(), input._size, input._layout, input._coalesced)


TABLE["detach"] = lambda input: input._apply_values(input._v.detach())


@op("to")
def to(input, *args, **kwargs):
    v = input._v.to(*args, **kwargs)
    return input if v is input._v else input._apply_values(v)


for _name in ("float", "double", "half", "bfloat16", "int", "long", "short", "char", "byte", "bool", "cpu"):
    TABLE[_name] = (lambda name: lambda input: to_same(input, getattr(input._v, name)()))(_name)


def to_same(input, v):
    return input if v is input._v else input._apply_values(v)


@op("zeros_like")
def zeros_like(input, *, dtype=None, **kwargs):
    v = input._v.detach().new_zeros((0,) + tuple(input._v.shape[1:]))
    return make(input._i[:, :0], v if dtype is None else v.to(dtype), input._size, input._layout, True)


# ------------------------------------------------------------------ products of elements


def _picked(input, dense):
    """What a dense operand has at the stored places, broadcast."""
    if dense.dim() > len(input._size):
        raise RuntimeError(f"mul: a sparse tensor of shape {list(input._size)} does not broadcast to {list(dense.shape)}")
    dense = dense.expand(tuple(input._size))
    return dense[tuple(input._i.unbind(0))]


def _both(a, b):
    """The places that two coalesced tensors share: their positions in a and in b."""
    ka, kb = a.keys(), b.keys()
    if kb.numel() == 0 or ka.numel() == 0:
        return ka[:0], kb[:0]
    place = _t["searchsorted"](kb, ka).clamp_(max=kb.numel() - 1)
    hit = kb[place] == ka
    return hit.nonzero().squeeze(1), place[hit]


@op("mul", "multiply", "rmul")
def mul(input, other):
    if not is_sparse(input):
        input, other = other, input
    if _number(other):
        return input._apply_values(input._v * other)
    if not is_sparse(other):
        return input._apply_values(input._v * _picked(input, other))
    if input._size != other._size:
        raise RuntimeError(f"mul: sparse operands must have one shape, got {list(input._size)} and {list(other._size)}")
    a, b = input.coalesce(), other.coalesce()
    at, bt = _both(a, b)
    return make(a._i[:, at], a._v[at] * b._v[bt], a._size, a._layout, True)


@op("div", "divide", "true_divide", "truediv")
def div(input, other, *, rounding_mode=None):
    if not is_sparse(input) or not _number(other):
        raise RuntimeError("div: a sparse tensor can only be divided by a number or a 0-d tensor")
    if rounding_mode is not None:
        input = input.coalesce()
    return input._apply_values(_t["div"](input._v, other, rounding_mode=rounding_mode))


@op("pow")
def power(input, exponent):
    if not _number(exponent) or exponent <= 0:
        raise RuntimeError("pow: of a sparse tensor only with a positive number as exponent")
    c = input.coalesce()
    return c._apply_values(c._v ** exponent)


# ------------------------------------------------------------------ sums


def _dense_plus(dense, s, alpha, put=_t["index_put"]):
    """dense + alpha * s: a copy of dense (put: index_put_ for dense itself) that is changed where s stores something."""
    if dense.shape != s._size or dense.dtype is not s._v.dtype or not s._i.size(0) or dense.requires_grad or s._v.requires_grad:
        r = dense + (s if alpha == 1 else s * alpha).to_dense()
        return r if put is _t["index_put"] else _change_dense("add", dense, r)
    c = s.coalesce()
    return put(dense, tuple(c._i.unbind(0)), c._v if alpha == 1 else c._v * alpha, accumulate=True)


@op("add", "radd")
def add(input, other, *, alpha=1, put=_t["index_put"]):
    if not is_sparse(other) and not is_sparse(input):
        raise refuse("add", sparse_coo)
    if is_sparse(input) and is_sparse(other):
        if input._size != other._size:
            raise RuntimeError(f"add: expected 'self' and 'other' to have same size, but self has size {list(input._size)} while other has "
                               f"size {list(other._size)}")
        if sparse_csr in (input._layout, other._layout):
            same_dtype(input._v, other._v)
        if input._i is other._i or (input._i.shape == other._i.shape and bool((input._i == other._i).all())):
            return input._apply_values(_t["add"](input._v, other._v, alpha=alpha))
        v = _t["cat"]([input._v, other._v if alpha == 1 else other._v * alpha])
        s = make(_t["cat"]([input._i, other._i], 1), v, input._size, sparse_coo, False)
        return s.coalesce() if input._coalesced and other._coalesced else s
    if is_sparse(input):  # sparse + dense
        if _number(other):
            raise RuntimeError("add(sparse, dense) of a number: call .to_dense() first")
        return _dense_plus(other if alpha == 1 else other * alpha, input, 1)
    return _dense_plus(input, other, alpha, put)


@op("sub", "subtract")
def sub(input, other, *, alpha=1, put=_t["index_put"]):
    return add(input, other, alpha=-alpha, put=put)


TABLE["rsub"] = lambda input, other: add(other, input, alpha=-1)


@op("sum")
def total(input, dim=None, keepdim=False, *, dtype=None):
    """Over all dimensions a number; over some a tensor: sparse as long as a sparse dimension is left."""
    v = input._v if dtype is None else input._v.to(dtype)
    if dim is None or dim == ():
        return v.sum(dtype=dtype)
    n, sparse = len(input._size), input._i.size(0)
    dims = sorted({d % n for d in (dim if isinstance(dim, (tuple, list)) else (dim,))})
    inner = [d - sparse + 1 for d in dims if d >= sparse]
    if inner:
        v = v.sum(inner, keepdim=keepdim)
    outer = [d for d in dims if d < sparse]
    kept = [d for d in range(sparse) if d not in outer]
    if not kept and not keepdim:
        return v.sum(0)
    i = input._i[kept]
    size = [input._size[d] for d in kept]
    if keepdim and outer:
        i = _t["stack"]([input._i[d] if d in kept else _t["zeros_like"](input._i[0]) for d in range(sparse)])
        size = [input._size[d] if d in kept else 1 for d in range(sparse)]
    s = make(i, v, tuple(size) + tuple(v.shape[1:]), sparse_coo, input._coalesced and not outer)
    return s.coalesce() if outer else s


# ------------------------------------------------------------------ matrix products


def _fits_bags(a, b):
    """Rows in order and b a matrix of the same floats: each row of the result is a weighted sum of some of b's, which
    embedding_bag adds up without storing the multiples. Gradients of the values are left to the general way."""
    return a._coalesced and b.dim() == 2 and a._v.dtype is b.dtype and b.is_floating_point() and a._nnz() > 0 and not a._v.requires_grad


def _bags(a, b):
    return embedding_bag(a._i[1], b, row_starts(a)[:-1], mode="sum", per_sample_weights=a._v)


class _Bags(Function):
    """_bags() with a gradient that has gradients itself."""

    @staticmethod
    def forward(ctx, b, matrix):
        ctx.matrix = matrix[0]
        return _bags(ctx.matrix, b)

    @staticmethod
    def backward(ctx, grad):
        return _times(transpose(ctx.matrix, 0, 1), grad), None


def type_word(x):
    return _word(x.dtype)


def same_dtype(a, b):
    if a.dtype is not b.dtype:
        raise RuntimeError(f"expected scalar type {type_word(a)} but found {type_word(b)}")


def _times(a, b):
    """Sparse matrix times dense matrix: each stored element adds its multiple of a row of b to a row of the result."""
    a.look("addmm: ")
    if len(a._size) != 2 or a._v.dim() != 1:
        raise RuntimeError(f"mm: expected a sparse matrix, got shape {list(a._size)} with {a._v.dim() - 1} dense dimensions")
    if a._size[1] != b.size(0):
        raise RuntimeError(f"mm: mat1 and mat2 shapes cannot be multiplied ({a._size[0]}x{a._size[1]} and "
                           f"{'x'.join(map(str, b.shape))})")
    same_dtype(a._v, b)
    if a._v.dtype._name == "bool":
        raise NotImplementedError("\"addmm_sparse_dense\" not implemented for 'Bool'")
    if _fits_bags(a, b):
        return _Bags.apply(b, (a,)) if b.requires_grad else _bags(a, b)
    rows = b.index_select(0, a._i[1])
    return b.new_zeros((a._size[0],) + tuple(b.shape[1:])).index_add(0, a._i[0], a._v.reshape((-1,) + (1,) * (b.dim() - 1)) * rows)


@op("mm", "matmul", "smm", "spmm", "dsmm", "hspmm")
def mm(input, mat2):
    if is_sparse(input) and is_sparse(mat2):
        return _sparse_times_sparse(input, mat2)
    if is_sparse(input):
        if mat2.dim() not in (1, 2):
            raise RuntimeError(f"mm: expected a matrix or a vector as second operand, got {mat2.dim()} dimensions")
        return _times(input, mat2)
    mat2.look("addmm: ")
    return _times(transpose(mat2, 0, 1), input.t() if input.dim() == 2 else input).t() if input.dim() == 2 else _times(transpose(mat2, 0, 1), input)


TABLE["rmatmul"] = lambda input, other: mm(other, input)
TABLE["mv"] = lambda input, vec: _times(input, vec)


def _sparse_times_sparse(a, b):
    """Every stored element of a meets the stored elements of its row of b."""
    if a._size[1] != b._size[0]:
        raise RuntimeError(f"mm: mat1 and mat2 shapes cannot be multiplied ({a._size[0]}x{a._size[1]} and {b._size[0]}x{b._size[1]})")
    if a._v.dtype is not b._v.dtype:
        raise RuntimeError(f"mat1 dtype {type_word(a._v)} does not match mat2 dtype {type_word(b._v)}")
    a, b = a.coalesce(), b.coalesce()
    count = _t["bincount"](b._i[0], minlength=max(b._size[0], 1))
    first = count.cumsum(0) - count
    many = count[a._i[1]]
    left = _winnow().repeat_interleave(_t["arange"](a._nnz()), many)
    start = _winnow().repeat_interleave(many.cumsum(0) - many, many)
    right = first[a._i[1]][left] + _t["arange"](left.numel()) - start
    i = _t["stack"]([a._i[0][left], b._i[1][right]])
    return make(i, a._v[left] * b._v[right], (a._size[0], b._size[1]), sparse_coo, False).coalesce()


@op("addmm")
def addmm(input, mat1, mat2, *, beta=1, alpha=1):
    product = mm(mat1, mat2)
    same_dtype(product, input)
    product = product if alpha == 1 else product * alpha
    return product if beta == 0 else (input if beta == 1 else input * beta) + product


def mm_reduced(a, b, reduce):
    """Each element of a's row r times b's row of that number, reduced instead of added up; 0 where a row is empty."""
    if not is_sparse(a) or a._layout is not sparse_csr or is_sparse(b):
        raise NotImplementedError("torch.sparse.mm: reduce= wants a CSR matrix and a dense matrix")
    if reduce not in ("sum", "mean", "amax", "amin"):
        raise RuntimeError(f"sparse_mm_reduce: reduce type of {reduce} has not been enabled.")
    if reduce == "sum":
        return mm(a, b)
    if b.dim() != 2 or a._size[1] != b.size(0):
        raise RuntimeError(f"mm: shapes {list(a._size)} and {list(b.shape)} cannot be multiplied")
    same_dtype(a._v, b)
    products = a._v.unsqueeze(1) * b.index_select(0, a._i[1])
    return products.new_zeros((a._size[0], b.size(1))).index_reduce(0, a._i[0], products, reduce, include_self=False)


def store(result, out):
    """out=: the caller's tensor becomes the result."""
    if not is_sparse(out) or out._layout is not result._layout:
        raise RuntimeError(f"Expected out to have {result._layout} layout, but got {out.layout}")
    if out._v.dtype is not result._v.dtype:
        raise RuntimeError(f"Expected out tensor to have dtype {result._v.dtype}, but got {out._v.dtype} instead")
    out._v, out._size = result._v, result._size
    out.put(result._i, result._coalesced, result._crow)
    return out


# ------------------------------------------------------------------ shapes


@op("transpose", "swapaxes", "swapdims")
def transpose(input, dim0, dim1):
    n, sparse = len(input._size), input._i.size(0)
    a, b = dim0 % n, dim1 % n
    if (a < sparse) != (b < sparse):
        raise RuntimeError(f"transpose: dimensions {dim0} and {dim1}: one is sparse, the other dense")
    size = list(input._size)
    size[a], size[b] = size[b], size[a]
    if a >= sparse:
        return make(input._i, input._v.transpose(a - sparse + 1, b - sparse + 1), size, sparse_coo, input._coalesced)
    order = list(range(sparse))
    order[a], order[b] = order[b], order[a]
    return make(input._i[order], input._v, size, sparse_coo, input._coalesced and a == b)


@op("t")
def t(input):
    sparse, dense = input._i.size(0), input._v.dim() - 1
    if sparse > 2 or dense:
        raise RuntimeError(f"t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got {sparse} sparse and {dense} dense dimensions")
    return numpy_T(input)


@op("T", "numpy_T")
def numpy_T(input):
    return transpose(input, 0, 1) if len(input._size) == 2 else input


@op("permute")
def permute(input, *dims):
    dims = dims[0] if len(dims) == 1 and isinstance(dims[0], (tuple, list)) else dims
    sparse = input._i.size(0)
    dims = [d % len(input._size) for d in dims]
    if sorted(dims[:sparse]) != list(range(sparse)):
        raise RuntimeError("permute: sparse and dense dimensions cannot change places")
    v = input._v.permute(0, *[d - sparse + 1 for d in dims[sparse:]])
    return make(input._i[dims[:sparse]], v, [input._size[d] for d in dims], sparse_coo, dims == sorted(dims) and input._coalesced)


@op("unsqueeze")
def unsqueeze(input, dim):
    dim %= len(input._size) + 1
    size = list(input._size)
    size.insert(dim, 1)
    if dim > input._i.size(0):
        return make(input._i, input._v.unsqueeze(dim - input._i.size(0) + 1), size, sparse_coo, input._coalesced)
    i = _t["cat"]([input._i[:dim], _t["zeros_like"](input._i[:1]), input._i[dim:]])
    return make(i, input._v, size, sparse_coo, input._coalesced)


@op("cat", "concat", "concatenate")
def cat(tensors, dim=0):
    first = tensors[0]
    dim %= len(first._size)
    if dim >= first._i.size(0):
        raise RuntimeError("cat: of sparse tensors along sparse dimensions only")
    indices, at = [], 0
    for s in tensors:
        i = s._i.clone()
        i[dim] += at
        indices.append(i)
        at += s._size[dim]
    size = list(first._size)
    size[dim] = at
    return make(_t["cat"](indices, 1), _t["cat"]([s._v for s in tensors]), size, sparse_coo, False)


@op("index_select")
def index_select(input, dim, index):
    dim %= len(input._size)
    if dim >= input._i.size(0):
        size = list(input._size)
        size[dim] = index.numel()
        return make(input._i, input._v.index_select(dim - input._i.size(0) + 1, index), size, sparse_coo, input._coalesced)
    if index.numel() and (int(index.min()) < 0 or int(index.max()) >= input._size[dim]):
        raise IndexError(f"index_select: index out of range for dimension {dim} of size {input._size[dim]}")
    places = (input._i[dim].unsqueeze(1) == index.to(int64).unsqueeze(0)).nonzero()
    i = input._i.index_select(1, places[:, 0])
    i[dim] = places[:, 1]
    size = list(input._size)
    size[dim] = index.numel()
    return make(i, input._v.index_select(0, places[:, 0]), size, sparse_coo, False).coalesce()


@op("select")
def select(input, dim, index):
    dim %= len(input._size)
    n = input._size[dim]
    if not -n <= index < n:
        raise IndexError(f"select(): index {index} out of range for tensor of size {list(input._size)} at dimension {dim}")
    if dim >= input._i.size(0):
        return make(input._i, input._v.select(dim - input._i.size(0) + 1, index), input._size[:dim] + input._size[dim + 1:], sparse_coo, False)
    here = (input._i[dim] == index % n).nonzero().squeeze(1)
    size = tuple(input._size[:dim]) + tuple(input._size[dim + 1:])
    v = input._v[here]
    if input._i.size(0) == 1:
        return v.sum(0)
    rest = [d for d in range(input._i.size(0)) if d != dim]
    return make(input._i[rest][:, here], v, size, sparse_coo, input._coalesced)


@op("getitem")
def getitem(input, index):
    for k in (index if isinstance(index, tuple) else (index,)):
        if not isinstance(k, int):
            raise refuse("index", input._layout)
        input = select(input, 0, k) if is_sparse(input) else input[k]
    return input


TABLE["is_nonzero"] = lambda input: bool(input.to_dense())
TABLE["equal"] = lambda input, other: input._size == other._size and bool((input.to_dense() == other.to_dense()).all())


@op("allclose")
def allclose(input, other, **kwargs):
    return dense_allclose(*(x.to_dense() if is_sparse(x) else x for x in (input, other)), **kwargs)


TABLE["any"] = lambda input: input.coalesce()._v.any()
TABLE["norm"] = lambda input, p=2, dim=None, **kwargs: input.coalesce()._v.norm(p)
TABLE["len"] = lambda input: input._size[0]


def _change_dense(name, dense, r):
    """A dense tensor changed in place by an operation with a sparse one; r: its result."""
    if not _winnow().can_cast(r.dtype, dense.dtype):
        raise RuntimeError(f"Can't convert result type {r.dtype} to output {dense.dtype} in {name} operation")
    return dense.copy_(r.to_dense() if is_sparse(r) else r)


def _in_place(name):
    f = TABLE[name]

    def g(input, *args, **kwargs):
        if not is_sparse(input) and f in (add, sub):
            return f(input, *args, **kwargs, put=Tensor.index_put_)
        r = f(input, *args, **kwargs)
        if not is_sparse(input):
            return _change_dense(name, input, r)
        input._v = r._v
        input.put(r._i, r._coalesced)
        return input
    TABLE[name + "_"] = TABLE["i" + name] = g


for _name in ("add", "sub", "mul", "div", "neg"):
    _in_place(_name)


@op("zero_")
def zero_(input):
    input._v = input._v.detach()[:0]
    input.put(input._places[:, :0], True)
    return input


@op("sparse_mask")
def sparse_mask(input, mask):
    """input at the places that mask stores."""
    need("sparse_mask", Tensor, mask=mask)
    if not is_sparse(mask):
        raise NotImplementedError("sparse_mask: the mask is a dense tensor")
    m = mask.coalesce()
    if is_sparse(input):
        a = input.coalesce()
        at, mt = _both(a, m)
        v = a._v.new_zeros((m._nnz(),) + tuple(a._v.shape[1:])).index_copy(0, mt, a._v[at])
    else:
        v = input[tuple(m._i.unbind(0))]
    return make(m._i, v, m._size, mask._layout, True)


def softmax(input, dim, dtype=None, log=False):
    """Over the stored elements of each line along dim; what is not stored counts as -inf."""
    c = input.coalesce()
    n, sparse = len(c._size), c._i.size(0)
    dim %= n
    v = c._v if dtype is None else c._v.to(dtype)
    if dim >= sparse:
        return c._apply_values(_t["log_softmax" if log else "softmax"](v, dim - sparse + 1))
    rest = [d for d in range(sparse) if d != dim]
    line = make(c._i[rest], v, [c._size[d] for d in rest] + list(v.shape[1:]), sparse_coo, False).keys() if rest else c._i[0] * 0
    lines, line = _winnow().unique(line, return_inverse=True)
    shape = (lines.numel(),) + tuple(v.shape[1:])
    most = v.detach().new_full(shape, float("-inf")).index_reduce(0, line, v.detach(), "amax")
    e = (v - most[line]).exp()
    total_ = v.new_zeros(shape).index_add(0, line, e)
    return c._apply_values(v - most[line] - total_.log()[line] if log else e / total_[line])
