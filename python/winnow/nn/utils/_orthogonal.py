"""Weights that stay orthogonal matrices: parametrizations.orthogonal.

The free tensor X, of the weight's shape, is mapped to a matrix with orthonormal columns (rows, where it is wider than high; it is turned
then). matrix_exp and cayley read X's lower triangle as a skew-symmetric matrix; householder reads below the diagonal the vectors of
reflectors, and on it the signs of the columns. With trivialization a square orthogonal `base` is multiplied from the left and X starts at
minus the identity, which all three maps take to the identity."""
import winnow

from .. import functional as F
from ..modules.module import Module

MAPS = ("matrix_exp", "cayley", "householder")


def _is_orthogonal(q):
    n, k = q.shape[-2:]
    eye = winnow.eye(k, dtype=q.dtype)
    return winnow.allclose(q.mT @ q, eye, atol=10 * n * winnow.finfo(q.dtype).eps)


def _orthogonalized(a):
    """The orthogonal factor of a = Q R with R's diagonal positive, which makes it unique."""
    packed, tau = winnow.geqrf(a)
    q = winnow.linalg.householder_product(packed, tau)
    return q * packed.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)


def _skew(x):
    """X's lower triangle minus its transpose, with columns of zeros where X has fewer than rows."""
    n, k = x.shape[-2:]
    lower = x.tril(-1)
    if n != k:
        lower = F.pad(lower, (0, n - k))
    return lower - lower.mT


def _reflected(x):
    """The product of the reflectors below X's diagonal, its columns with the signs on the diagonal."""
    below = x.tril(-1)
    tau = 2 / (1 + (below * below).sum(-2))
    return winnow.linalg.householder_product(below, tau) * x.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)


class _Orthogonal(Module):
    """A matrix with orthonormal columns or rows, made of any tensor of its shape."""

    def __init__(self, weight, orthogonal_map, *, use_trivialization=True):
        super().__init__()
        self.shape, self.orthogonal_map = weight.shape, orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, x):
        n, k = x.shape[-2:]
        wide = n < k
        if wide:
            x, k = x.mT, n
        if self.orthogonal_map == "householder":
            q = _reflected(x)
        else:
            a = _skew(x)
            if self.orthogonal_map == "matrix_exp":
                q = winnow.matrix_exp(a)
            else:
                eye = winnow.eye(a.shape[-1], dtype=a.dtype)
                q = winnow.linalg.solve(eye - a / 2, eye + a / 2)
            q = q[..., :k]
        if getattr(self, "base", None) is not None:
            q = self.base @ q
        return q.mT if wide else q

    @winnow.no_grad()
    def right_inverse(self, value):
        if value.shape != self.shape:
            raise ValueError(f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {value.shape}.")
        n, k = value.shape[-2:]
        wide = n < k
        q = value.mT if wide else value
        if hasattr(self, "base"):
            x = self._new_base(q)
        elif self.orthogonal_map == "householder":
            x, tau = winnow.geqrf(q)
            signs = x.diagonal(dim1=-2, dim2=-1)
            signs.sign_()
            signs[tau == 0] *= -1  # a reflector by tau = 0 is none, while ours always are
        else:
            raise NotImplementedError("It is not possible to assign to the matrix exponential or the Cayley parametrizations when use_trivialization=False.")
        return x.mT if wide else x

    def _new_base(self, q):
        """Makes base a square orthogonal matrix that begins with q's columns; returns the X that is mapped to the identity."""
        n, k = q.shape[-2:]
        if n == k:
            self.base = q.clone() if _is_orthogonal(q) else _orthogonalized(q)
        else:
            self.base = _orthogonalized(winnow.cat([q, winnow.randn(*q.shape[:-1], n - k, dtype=q.dtype)], -1))
        x = winnow.zeros_like(q)
        x.diagonal(dim1=-2, dim2=-1).fill_(-1)
        return x
