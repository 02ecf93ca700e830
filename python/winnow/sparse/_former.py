"""Old names of products with sparse matrices, and torch.sparse.FloatTensor and its kin."""
from .. import _C
from .._construct import Tensor, _word
from .._kinds import need
from .._types import BY_NUMBER, sparse_coo
from .._warn import warn_once
from ._tensor import _Sparse, sparse_coo_tensor

_rows = _C.functions(1)


def _product(name, a, b):
    need(name, Tensor, input=a, mat2=b)
    from . import mm

    return mm(a, b)


def spmm(input, mat2):
    """mm, of sparse or dense matrices."""
    return _product("spmm", input, mat2)


def dsmm(input, mat2):
    """mm, of sparse or dense matrices."""
    return _product("dsmm", input, mat2)


def _coo(name, a):
    if not isinstance(a, _Sparse) or a.layout is not sparse_coo:
        raise (RuntimeError if name == "smm" else NotImplementedError)(f"{name}: the first matrix must be a sparse COO tensor")
    return a


def _rows_of(a):
    """The rows of a matrix that have elements."""
    return a.coalesce().indices()[0].unique()


def smm(input, mat2):
    """mm of a sparse and a dense matrix as a sparse one, which has all elements of the rows that input has elements in."""
    dense, rows = _product("smm", _coo("smm", input), mat2), _rows_of(input)
    n = dense.size(1)
    at = _rows["stack"]([rows.repeat_interleave(n), _rows["arange"](n).repeat(rows.numel())])
    return sparse_coo_tensor(at, dense.index_select(0, rows).reshape(-1), tuple(dense.shape))


def hspmm(mat1, mat2):
    """mm of a sparse and a dense matrix as a hybrid one: of its rows those are stored that mat1 has elements in."""
    dense, rows = _product("hspmm", _coo("hspmm", mat1), mat2), _rows_of(mat1)
    return sparse_coo_tensor(rows.unsqueeze(0), dense.index_select(0, rows), tuple(dense.shape))


def sspaddmm(input, mat1, mat2, *, beta=1, alpha=1):
    """beta * input + alpha * (mat1 @ mat2) for a sparse input and mat1 and a dense mat2, as a sparse matrix."""
    need("sspaddmm", Tensor, input=input, mat1=mat1, mat2=mat2)
    if not isinstance(mat1, _Sparse) or not isinstance(input, _Sparse):
        name = "mat1" if isinstance(input, _Sparse) else "input"
        raise RuntimeError(f"sspaddmm: expected '{name}' to have sparse layout, got '{name}' with layout Strided")
    if isinstance(mat2, _Sparse):
        raise RuntimeError("sspaddmm: expected 'mat2' to have dense layout, got a sparse one")
    if mat1.dim() != 2 or mat2.dim() != 2 or mat1.size(1) != mat2.size(0):
        raise RuntimeError(f"sspaddmm: Argument #3: Expected dim 0 size {mat1.size(-1)}, got {mat2.size(0) if mat2.dim() else 0}")
    product = smm(mat1, mat2)
    if input.shape != product.shape:
        raise RuntimeError(f"sspaddmm: Argument #1: Expected shape {list(product.shape)}, got {list(input.shape)}")
    return input * beta + product * alpha


hsmm, saddmm = hspmm, sspaddmm


# ------------------------------------------------------------------ torch.sparse.FloatTensor

def _warn(given):
    newer = "(0,), dtype=" if not given else f"{given}, dtype=, device="
    old = f"{given}, *, device=" if given else ""
    warn_once(f"torch.sparse.SparseTensor({old}) is deprecated.  Please use torch.sparse_coo_tensor({newer}).", 3)


class _Kind(type):
    __instancecheck__ = lambda cls, x: isinstance(x, _Sparse) and x.layout is sparse_coo and x.dtype is cls.dtype

    def __call__(cls, *args, device=None):
        if args and isinstance(args[0], Tensor):
            _warn("indices, values" if len(args) == 2 else "indices, values, shape")
            return sparse_coo_tensor(*args, device=device)
        _warn("shape" if args else "")
        shape = (0,) if not args else tuple(args[0]) if isinstance(args[0], (tuple, list)) else args
        return sparse_coo_tensor(_rows["zeros"](len(shape), 0, dtype=BY_NUMBER[8]), _rows["zeros"](0, dtype=cls.dtype), shape, device=device)

    __repr__ = lambda cls: f"<class 'torch.sparse.{cls.__name__}'>"


def typed(name):
    """torch.sparse.<name>, FloatTensor or the like; None: there is none of the name."""
    dtype = {_word(d) + "Tensor": d for d in BY_NUMBER[1:10]}.get(name)
    return dtype and _Kind(name, (), {"dtype": dtype, "__doc__": f"Sparse tensors of {dtype}. torch.sparse_coo_tensor is the newer way.",
                                      "__module__": __package__})
