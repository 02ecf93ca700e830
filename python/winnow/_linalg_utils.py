"""torch._linalg_utils: small helpers of linear algebra, and the functions that PyTorch removed in favour of torch.linalg's."""
import winnow

from . import Tensor
from ._stand_in import refusing


def is_sparse(A):
    """Is A a sparse COO tensor?"""
    if not isinstance(A, Tensor):
        raise TypeError(f"expected Tensor but got {type(A)}")
    return A.layout is winnow.sparse_coo


def get_floating_dtype(A):
    """A's dtype, float32 for integers."""
    return A.dtype if A.dtype in (winnow.float16, winnow.float32, winnow.float64) else winnow.float32


def matmul(A, B):
    """A @ B; A may be sparse, or None for the identity."""
    if A is None:
        return B
    return winnow.sparse.mm(A, B) if is_sparse(A) else winnow.matmul(A, B)


def bform(X, A, Y):
    """X^T A Y."""
    return matmul(X.mT, matmul(A, Y))


def qform(A, S):
    """S^T A S."""
    return bform(S, A, S)


def basis(A):
    """An orthonormal basis of A's columns."""
    return winnow.linalg.qr(A).Q


def symeig(A, largest=False):
    """Eigenvalues and eigenvectors of a symmetric matrix, the smallest (or largest) first."""
    E, Z = winnow.linalg.eigh(A, UPLO="U")
    return (E.flip(-1), Z.flip(-1)) if largest else (E, Z)


def _removed(name, text):
    return refusing(name, RuntimeError, f"This function was deprecated since version 1.9 and is now removed. {text}",
                    f"Removed from PyTorch: raises. {text}")


matrix_rank = _removed("matrix_rank", "Please use the `torch.linalg.matrix_rank` function instead. The parameter 'symmetric' is called 'hermitian' there.")
solve = _removed("solve", "`torch.solve` is deprecated in favor of `torch.linalg.solve`, whose arguments are reversed: torch.solve(B, A).solution is "
                 "torch.linalg.solve(A, B). For the LU factorization see torch.linalg.lu_factor.")
lstsq = _removed("lstsq", "`torch.lstsq` is deprecated in favor of `torch.linalg.lstsq`, whose arguments are reversed: torch.lstsq(B, A).solution[:A.size(1)] "
                 "is torch.linalg.lstsq(A, B).solution.")
eig = _removed("eig", "torch.linalg.eig returns complex tensors, which winnow has not yet; for symmetric matrices use torch.linalg.eigh.")
_symeig = _removed("symeig", "The default behavior has changed from using the upper triangular portion of the matrix by default to using the lower triangular "
                   "portion: torch.symeig(A, eigenvectors=True, upper=upper) is torch.linalg.eigh(A, UPLO='U' if upper else 'L').")
