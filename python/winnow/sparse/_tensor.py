"""Sparse tensors: indices and values, both dense. A plain first form: every operation is a few dense ones on the values, so that
gradients flow to them, and only stored elements are computed.

_Sparse is a subclass of Tensor whose own memory is a placeholder; operations reach it through __torch_function__ and are looked up
by name in _ops.TABLE. CSR keeps the same two tensors, coalesced, and its compressed rows beside them."""
import winnow
from .. import _C
from .._construct import Tensor, tensor
from .._types import Size, int64, sparse_coo, sparse_csr

_t = _C.functions(1)


def _winnow():
    """The whole module: adapters, too. It is not complete yet while this one is loaded."""
    return winnow


def refuse(name, layout):
    """What torch says, in one sentence."""
    backend = "SparseCsrCPU" if layout is sparse_csr else "SparseCPU"
    return NotImplementedError(f"Could not run 'aten::{name}' with arguments from the '{backend}' backend: winnow has no sparse form of it "
                               "yet; call .to_dense() first")


class _Sparse(Tensor):
    """indices [sparse_dim, nnz] (int64), values [nnz, ...dense dimensions]. The indices, and the beginnings of compressed rows, are the
    caller's to write: who asks for _i, _crow or _coalesced gets what was looked at again if somebody did."""

    _i = property(lambda s: s.look()._places)
    _crow = property(lambda s: s.look()._starts)
    _coalesced = property(lambda s: s.look()._in_order)

    def put(self, indices, coalesced, crow=None):
        """Takes checked indices."""
        self._places, self._in_order, self._starts = indices, coalesced, crow
        self._seen = indices._changes, None if crow is None else crow._changes

    def smm(self, mat2):
        """torch.smm(self, mat2)"""
        from ._former import smm

        return smm(self, mat2)

    def sspaddmm(self, mat1, mat2, *, beta=1, alpha=1):
        """torch.sspaddmm(self, mat1, mat2)"""
        from ._former import sspaddmm

        return sspaddmm(self, mat1, mat2, beta=beta, alpha=alpha)

    def look(self, who=""):
        """self, unless written indices are out of bounds; `who` begins the error."""
        crow = self._starts
        if self._seen != (self._places._changes, None if crow is None else crow._changes):
            if crow is not None and crow._changes != self._seen[1]:
                self._places = _t["stack"]([_rows_of(crow, self._places.size(1)), self._places[1]])
            _check_bounds(self._places, self._size, who)
            self.put(self._places, self._in_order and is_sorted(self._places, self._size))
        return self

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        from ._ops import TABLE

        name = getattr(func, "__name__", str(func))
        f = TABLE.get(name) or TABLE.get(name.strip("_"))
        if f is None:
            layout = next((a._layout for a in args if isinstance(a, _Sparse)), sparse_coo)
            raise refuse(name.strip("_"), layout)
        return f(*args, **(kwargs or {}))

    # -------------------------------------------------------------- what a tensor is asked

    shape = property(lambda s: s._size)
    layout = property(lambda s: s._layout)
    ndim = property(lambda s: len(s._size))
    is_sparse = property(lambda s: s._layout is sparse_coo)
    is_sparse_csr = property(lambda s: s._layout is sparse_csr)
    grad_fn = property(lambda s: s._v.grad_fn)
    is_leaf = property(lambda s: s._v.is_leaf)

    def type(self, dtype=None, non_blocking=False):
        """type() names the tensor's type; type(dtype) converts."""
        if dtype is None:
            return self._v.type().replace("torch.", "torch.sparse.")
        v = self._v.type(getattr(dtype, "dtype", dtype))
        return self if v is self._v else self._apply_values(v)

    @property
    def requires_grad(self):
        return self._v.requires_grad

    @requires_grad.setter
    def requires_grad(self, value):
        self._v.requires_grad_(value)

    @property
    def grad(self):
        g = self._v.grad
        return None if g is None else self._gradient_of(g)

    def _gradient_of(self, g):
        """The gradient of the values as one of the tensor."""
        if self._coalesced:
            return self._apply_values(g)
        keys, place = _winnow().unique(self.keys(), return_inverse=True)  # equal places have equal gradients: one of them stands
        v = g.new_zeros((keys.numel(),) + tuple(g.shape[1:])).index_copy(0, place, g)
        return make(unravel(keys, self._size[:self._i.size(0)]), v, self._size, self._layout, True)

    @grad.setter
    def grad(self, value):
        self._v.grad = None if value is None else value._v

    def requires_grad_(self, requires_grad=True):
        self._v.requires_grad_(requires_grad)
        return self

    def size(self, dim=None):
        return self._size if dim is None else self._size[dim]

    def dim(self):
        return len(self._size)

    def numel(self):
        return self._size.numel()

    __len__ = lambda self: self._size[0]

    def sparse_dim(self):
        return self._i.size(0)

    def dense_dim(self):
        return self._v.dim() - 1

    def is_coalesced(self):
        return self._coalesced

    def _nnz(self):
        return self._i.size(1)

    def _indices(self):
        return self._places

    def _values(self):
        return self._v.detach()

    def _need_coalesced(self, what):
        if not self._coalesced:
            raise RuntimeError(f"Cannot get {what} on an uncoalesced tensor, please call .coalesce() first")

    def indices(self):
        if self._layout is sparse_csr:
            raise RuntimeError("indices expected sparse coordinate tensor layout but got SparseCsr")
        if not self._in_order:
            self._need_coalesced("indices")
        return self._places

    def values(self):
        self._need_coalesced("values")
        return self._v

    def crow_indices(self):
        if self._layout is not sparse_csr:
            raise RuntimeError("crow_indices expected sparse row compressed tensor layout but got Sparse")
        return row_starts(self) if self._starts is None else self._starts

    def col_indices(self):
        if self._layout is not sparse_csr:
            raise RuntimeError("col_indices expected sparse row compressed tensor layout but got Sparse")
        return self._i[1]

    # -------------------------------------------------------------- conversions

    def keys(self):
        """One number for each stored element: its index in the sparse dimensions, row-major."""
        key = self._i.new_zeros(self._nnz())
        for d in range(self._i.size(0)):
            key = key * self._size[d] + self._i[d]
        return key

    def coalesce(self):
        """Sorted, each index once: values of equal indices are added."""
        if self._coalesced:
            return self
        keys, place = _winnow().unique(self.keys(), return_inverse=True)
        if self._i.size(0) == 0:
            v = self._v.sum(0, keepdim=True)
        else:
            v = self._v.new_zeros((keys.numel(),) + tuple(self._v.shape[1:])).index_add(0, place, self._v)
        return make(unravel(keys, self._size[:self._i.size(0)]), v, self._size, self._layout, True)

    def to_dense(self, dtype=None, *, masked_grad=None):
        dense = self._v.new_zeros(tuple(self._size))
        if self._i.size(0) == 0:
            dense = self._v.sum(0)
        elif self._nnz():
            dense.index_put_(tuple(self._i.unbind(0)), self._v, accumulate=True)
        return dense if dtype is None else dense.to(dtype)

    def to_sparse(self, *args, layout=None, **kwargs):
        if layout is sparse_csr:
            return self.to_sparse_csr()
        if args and args[0] != self.sparse_dim():
            raise RuntimeError("to_sparse: conversion from Sparse to Sparse with another sparse_dim is not supported")
        return self if self._layout is sparse_coo else make(self._i, self._v, self._size, sparse_coo, True)

    to_sparse_coo = to_sparse

    def to_sparse_csr(self, dense_dim=None):
        if len(self._size) != 2:
            raise RuntimeError(f"to_sparse_csr: winnow has compressed rows of matrices only, got a tensor of {len(self._size)} dimensions")
        c = self.coalesce()
        return make(c._i, c._v, c._size, sparse_csr, True)

    def numpy(self, *, force=False):
        raise TypeError("can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.")

    def tolist(self):
        return self.to_dense().tolist()

    def item(self):
        return self.to_dense().item()

    def _apply_values(self, v):
        """The same places with other values."""
        return make(self._i, v, self._size, self._layout, self._coalesced)

    def __repr__(self, *, tensor_contents=None):
        from ._print import text

        return text(self)

    __str__ = __repr__

    def __reduce_ex__(self, protocol):
        from .._reduce import _rebuild_sparse_tensor
        from .._save import _sparse_parts

        return _rebuild_sparse_tensor, (self.layout, _sparse_parts(self))


def row_starts(matrix):
    """[rows + 1]: where each row of a coalesced matrix begins among the stored elements. Counted once."""
    if matrix._crow is None:
        counts = _t["bincount"](matrix._i[0], minlength=matrix._size[0])
        if counts.numel() > matrix._size[0]:  # written where no version counts: NumPy's memory
            _check_bounds(matrix._i, matrix._size, "")
        matrix.put(matrix._i, True, _t["cat"]([counts.new_zeros(1), counts.cumsum(0)]))
    return matrix._crow


def _rows_of(crow, nnz):
    """The row of each stored element."""
    counts = crow.diff().to(int64)
    if crow.dim() != 1 or crow.numel() < 1 or int(crow[0]) != 0 or int(crow[-1]) != nnz or (counts.numel() and int(counts.min()) < 0):
        raise RuntimeError("sparse_csr_tensor: crow_indices must go from 0 up to nnz without falling, and col_indices and values have nnz elements")
    return _winnow().repeat_interleave(_t["arange"](crow.numel() - 1), counts)


def _check_bounds(i, size, who):
    """Are the indices of a tensor of that size? Says of a matrix what torch's products say."""
    if i.size(1) == 0:
        return
    for d, (low, high) in enumerate(zip(i.amin(1).tolist(), i.amax(1).tolist())):
        if low >= 0 and high < size[d]:
            continue
        wrong = low if low < 0 else high
        if len(size) == 2:
            raise RuntimeError(f"{who}index out of {'column' if d else 'row'} bound: {wrong} not between 1 and {size[d]}")
        raise RuntimeError(f"found negative index {wrong} for dim {d}" if wrong < 0 else
                           f"size is inconsistent with indices: for dim {d}, size is {size[d]} but found index {wrong}")


def is_sorted(indices, size):
    """Does each column of indices [sparse_dim, nnz] come after the one before it in row-major order?"""
    if indices.dim() != 2 or indices.size(0) > len(size) or Size(size[:indices.size(0)]).numel() >= 1 << 63:
        return False
    key = indices.new_zeros(indices.size(1))
    for row, n in zip(indices.unbind(0), size):
        key = key * n + row
    return bool((key[1:] > key[:-1]).all())


def unravel(keys, size):
    """The reverse of keys(): [len(size), n]."""
    rows = []
    for n in reversed(tuple(size)):
        rows.append(keys % n if n else keys)
        keys = keys // n if n else keys
    return _t["stack"](rows[::-1]) if rows else keys.new_zeros((0, keys.numel()))


def make(indices, values, size, layout=sparse_coo, coalesced=False):
    """A sparse tensor of checked parts."""
    s = values.detach().new_empty(0).as_subclass(_Sparse)
    s._v, s._size, s._layout = values, Size(size), layout
    s.put(indices, coalesced)
    return s


def _parts(values, dtype, requires_grad):
    v = values if isinstance(values, Tensor) else tensor(values, dtype=dtype)
    if dtype is not None:
        v = v.to(dtype)
    if requires_grad:
        return v.detach().clone().requires_grad_()
    return v.view(v.shape) if v.requires_grad else v  # the sparse tensor is no leaf then


def sparse_coo_tensor(indices=None, values=None, size=None, *, dtype=None, device=None, pin_memory=False, requires_grad=False,
                      check_invariants=None, is_coalesced=None):
    """The tensor of `size` with values[k] at indices[:, k] (added up where an index comes twice) and nothing elsewhere."""
    if indices is not None and values is None and size is None or (indices is None and size is not None):
        size = size if indices is None else indices
        i = tensor([], dtype=int64).reshape(len(size), 0)
        v = tensor([], dtype=dtype) if dtype else tensor([])
        return make(i, v.requires_grad_(requires_grad), size, sparse_coo, True)
    i = (indices if isinstance(indices, Tensor) else tensor(indices)).to(int64)
    v = _parts(values, dtype, requires_grad)
    if i.dim() == 1 and i.numel() == 0:
        i = i.reshape(len(size) if size is not None else 0, 0)
    if i.dim() != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(i.shape)}")
    if v.dim() < 1 or v.size(0) != i.size(1):
        raise RuntimeError(f"indices and values must have same nnz, but got nnz from indices: {i.size(1)}, "
                           f"nnz from values: {v.size(0) if v.dim() else 1}")
    if size is not None and len(size) != i.size(0) + v.dim() - 1:
        raise RuntimeError(f"number of dimensions must be sparse_dim ({i.size(0)}) + dense_dim ({v.dim() - 1}), but got {len(size)}")
    if i.size(0) > 16:
        raise RuntimeError(f"a tensor of {i.size(0)} dimensions: winnow has up to 16")
    low = i.amin(1).tolist() if i.size(1) else [0] * i.size(0)
    high = i.amax(1).tolist() if i.size(1) else [-1] * i.size(0)
    if any(x < 0 for x in low):
        d = next(k for k, x in enumerate(low) if x < 0)
        raise RuntimeError(f"found negative index {low[d]} for dim {d}")
    if size is None:
        size = tuple(h + 1 for h in high) + tuple(v.shape[1:])
    size = Size(size)
    if tuple(size[i.size(0):]) != tuple(v.shape[1:]):
        raise RuntimeError(f"values has incorrect size, expected {[v.size(0), *size[i.size(0):]]}, got {list(v.shape)}")
    for d, h in enumerate(high):
        if h >= size[d]:
            raise RuntimeError(f"size is inconsistent with indices: for dim {d}, size is {size[d]} but found index {h}")
    return make(i, v, size, sparse_coo, bool(is_coalesced) or (i.size(1) < 2 and is_coalesced is not False))


def sparse_csr_tensor(crow_indices, col_indices, values, size=None, *, dtype=None, device=None, pin_memory=False, requires_grad=False,
                      check_invariants=None):
    """The matrix whose row r has values[k] in column col_indices[k] for k from crow_indices[r] up to crow_indices[r + 1]."""
    crow = crow_indices if isinstance(crow_indices, Tensor) else tensor(crow_indices)
    col = col_indices if isinstance(col_indices, Tensor) else tensor(col_indices)
    v = _parts(values, dtype, requires_grad)
    if crow.dim() != 1 or col.dim() != 1 or v.dim() != 1:
        raise RuntimeError("sparse_csr_tensor: winnow has compressed rows of single matrices with scalar elements only")
    nnz = col.numel()
    rows = _rows_of(crow, nnz if v.size(0) == nnz else -1)
    high = int(col.max()) + 1 if nnz else 0
    if size is None:
        size = (crow.numel() - 1, high)
    if len(size) != 2 or size[0] != crow.numel() - 1 or high > size[1] or (nnz and int(col.min()) < 0):
        raise RuntimeError(f"sparse_csr_tensor: the indices do not fit into size {list(size)}")
    s = make(_t["stack"]([rows, col.to(int64)]), v, size, sparse_csr, True)
    s.put(s._i, True, crow)
    return s


def to_sparse(self, sparse_dim=None, *, layout=None, blocksize=None, dense_dim=None):
    """The elements that are not 0 (of the first sparse_dim dimensions: the slices that are not all 0) with their indices."""
    if layout not in (None, sparse_coo, sparse_csr):
        raise NotImplementedError(f"to_sparse: winnow has no layout {layout}")
    n = self.dim() if sparse_dim is None else sparse_dim
    if not (0 < n <= self.dim() or n == self.dim()):
        raise RuntimeError(f"sparse_dim argument must be in >=0 and <={self.dim()} range, but got {n}")
    filled = self.detach() != 0
    if n < self.dim():
        filled = filled.flatten(n).any(n) if n else filled
    i = _t["nonzero"](filled).t().contiguous() if n else self.new_zeros((0, int(bool(filled))), dtype=int64)
    v = self[tuple(i.unbind(0))] if n else self.reshape(1)[:i.size(1)]
    s = make(i, v, self.shape, sparse_coo, True)
    return s.to_sparse_csr() if layout is sparse_csr else s


def to_sparse_csr(self, dense_dim=None):
    """The matrix with compressed rows."""
    return to_sparse(self, layout=sparse_csr)
