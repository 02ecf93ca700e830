"""torch.sparse: functions of sparse tensors. They are plain: a few dense operations on the stored values (docs/python.md)."""
from .. import _C
from .._types import sparse_csr
from . import _autograd, _ops  # noqa: F401
from .._construct import Tensor
from .._kinds import need
from ._tensor import _Sparse, make as _make, sparse_coo_tensor, sparse_csr_tensor  # noqa: F401

_t = _C.functions(1)


def _sparse(name, input):
    need(name, Tensor, input=input)
    if not isinstance(input, _Sparse):
        raise NotImplementedError(f"Could not run 'aten::{name}' with a dense tensor: it is a function of sparse ones")
    return input


def mm(mat1, mat2, reduce=None):
    """The product of matrices of which one or both are sparse; sparse if both are.

    reduce: "sum", "mean", "amax" or "amin" of each element's products, of a CSR matrix with a dense one."""
    if reduce is not None:
        return _ops.mm_reduced(mat1, mat2, reduce)
    return _ops.mm(mat1, mat2) if isinstance(mat1, _Sparse) or isinstance(mat2, _Sparse) else _t["mm"](mat1, mat2)


def addmm(mat, mat1, mat2, *, beta=1.0, alpha=1.0):
    """beta * mat + alpha * (mat1 @ mat2), mat1 sparse."""
    need("_sparse_addmm", Tensor, input=mat, mat1=mat1, mat2=mat2)
    return _ops.addmm(mat, mat1, mat2, beta=beta, alpha=alpha) if isinstance(mat1, _Sparse) or isinstance(mat2, _Sparse) else \
        _t["addmm"](mat, mat1, mat2, beta=beta, alpha=alpha)


def sum(input, dim=None, dtype=None):
    """The sum of the stored elements; over some dimensions a sparse tensor."""
    return _ops.total(_sparse("_sparse_sum", input), dim, dtype=dtype)


def softmax(input, dim, *, dtype=None):
    """Softmax along dim over stored elements."""
    return _ops.softmax(_sparse("_sparse_softmax", input), dim, dtype)


def log_softmax(input, dim, *, dtype=None):
    """log(softmax) along dim over stored elements."""
    return _ops.softmax(_sparse("_sparse_log_softmax", input), dim, dtype, log=True)


def sampled_addmm(input, mat1, mat2, *, beta=1.0, alpha=1.0, out=None):
    """alpha * (mat1 @ mat2) at the places that input stores + beta * input: only those products are computed."""
    need("sparse_sampled_addmm", Tensor, input=input, mat1=mat1, mat2=mat2)
    if not isinstance(input, _Sparse) or input.layout is not sparse_csr:
        raise RuntimeError(f"sampled_addmm: Expected self to have SparseCsr layout, but got {input.layout}")
    if mat1.dim() != 2 or mat2.dim() != 2 or mat1.size(1) != mat2.size(0) or tuple(input.shape) != (mat1.size(0), mat2.size(1)):
        raise RuntimeError(f"sampled_addmm: shapes {list(input.shape)}, {list(mat1.shape)} and {list(mat2.shape)} do not fit")
    for other, name in ((mat2, "mat2"), (input._v, "self")):
        if mat1.dtype is not other.dtype:
            raise RuntimeError(f"sampled_addmm: Expected mat1 and {name} to have the same dtype, but got {_ops.type_word(mat1)} and {_ops.type_word(other)}")
    if out is not None and any([t.requires_grad for t in (input, mat1, mat2, out)]) and _C.is_grad_enabled():
        raise RuntimeError("sparse_sampled_addmm(): functions with out=... arguments don't support automatic differentiation, but one of the "
                           "arguments requires grad.")
    products = (mat1.index_select(0, input._i[0]) * mat2.t().index_select(0, input._i[1])).sum(1)
    v = products * alpha if beta == 0 else input._v * beta + products * alpha
    result = _make(input._i, v, input._size, sparse_csr, True)
    return result if out is None else _ops.store(result, out)


def __getattr__(name):
    if name[-6:] == "Tensor":
        from ._former import typed

        kind = typed(name)
        if kind is not None:
            globals()[name] = kind
            return kind
    from .._hook import missing

    raise missing("torch.sparse", name, [n for n in globals() if not n.startswith("_")])
