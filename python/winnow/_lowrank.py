"""torch.svd_lowrank and pca_lowrank: a few singular triplets of a large matrix by a random projection (Halko, Martinsson, Tropp 2009, algorithms 4.4
and 5.1)."""
import winnow as torch

__all__ = ["get_approximate_basis", "svd_lowrank", "pca_lowrank"]


def _turned(A):
    """A^T; A may be sparse."""
    return A.t() if A.is_sparse else A.mT


def _products(A, M):
    """X -> (A - M) X, and with the transpose."""
    turned = _turned(A)
    if M is None:
        return (lambda X: A @ X), (lambda X: turned @ X)
    return (lambda X: A @ X - M @ X), (lambda X: turned @ X - M.mT @ X)


def get_approximate_basis(A, q, niter=2, M=None):
    """Q [..., m, q] with orthonormal columns such that Q Q^T (A - M) is near A - M: the range of niter steps of the power iteration on q random vectors."""
    R = torch.randn(A.shape[-1], q, dtype=A.dtype if A.is_floating_point() else torch.get_default_dtype())
    times, back = _products(A, M)
    Q = torch.linalg.qr(times(R)).Q
    for _ in range(niter):
        Q = torch.linalg.qr(back(Q)).Q
        Q = torch.linalg.qr(times(Q)).Q
    return Q


def svd_lowrank(A, q=6, niter=2, M=None):
    """(U, S, V) with A - M near U diag(S) V^T, q triplets; q should be somewhat more than the rank that counts."""
    q = 6 if q is None else q
    m, n = A.shape[-2:]
    if M is not None:
        M = M.broadcast_to(A.shape)
    if m < n:  # the shorter side is projected
        V, S, U = svd_lowrank(_turned(A), q, niter, None if M is None else M.mT)
        return U, S, V
    Q = get_approximate_basis(A, q, niter, M)
    B = _products(A, M)[1](Q).mT
    U, S, Vh = torch.linalg.svd(B, full_matrices=False)
    return Q @ U, S, Vh.mT


def pca_lowrank(A, q=None, center=True, niter=2):
    """(U, S, V) of A, its columns' means taken off if center: the columns of V are the principal directions."""
    m, n = A.shape[-2:]
    q = min(6, m, n) if q is None else q
    if not 0 <= q <= min(m, n):
        raise ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}")
    if niter < 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    if not center:
        return svd_lowrank(A, q, niter)
    if not A.is_sparse:
        return svd_lowrank(A - A.mean(-2, keepdim=True), q, niter)
    if A.dim() != 2:
        raise ValueError("pca_lowrank input is expected to be 2-dimensional tensor")
    return svd_lowrank(A, q, niter, M=(torch.sparse.sum(A, 0).to_dense() / m).unsqueeze(0))
