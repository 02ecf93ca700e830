"""torch.lobpcg: a few eigenpairs of a large symmetric matrix from products with it alone (the locally optimal block preconditioned conjugate
gradient method of Knyazev). Each step looks for the best eigenvectors in the space of the present ones, their residuals and the last step's
directions; that space gets an orthonormal basis by the eigenvectors of its Gram matrix, from which what is nearly dependent is dropped. So there is
one method here, and `method` chooses nothing."""
import winnow

from . import Tensor
from ._linalg_utils import get_floating_dtype, matmul, qform
from .autograd import Function

__all__ = ["lobpcg"]

_EPS = {winnow.float32: 1.2e-07, winnow.float64: 2.23e-16}


def lobpcg(A, k=None, B=None, X=None, n=None, iK=None, niter=None, tol=None, largest=None, method=None, tracker=None, ortho_iparams=None,
           ortho_fparams=None, ortho_bparams=None):
    """The k largest (largest=False: smallest) eigenvalues of A X = B X diag(E) and their vectors, for a symmetric A and positive definite B (None: the
    identity), dense or sparse, or batches of dense ones. X: the first guess; n: how many vectors are iterated; iK: a preconditioner; niter: steps at most
    (-1: any number); tol: of the residuals; tracker: called with the LOBPCG object after each step. The derivative in A is known where B is None."""
    options = (k, n, niter, tol, largest, method, {**(ortho_iparams or {})}, {**(ortho_fparams or {})}, {**(ortho_bparams or {})})
    if A.requires_grad or (B is not None and B.requires_grad):
        return _Eigenpairs.apply((A + A.mT) / 2, None if B is None else (B + B.mT) / 2, X, iK, tracker, options)
    return _solve(A, B, X, iK, tracker, options)


class _Eigenpairs(Function):
    """dE = U^T dA U on the diagonal; dU moves within the other vectors found (by 1 / (E_j - E_i)) and in the complement, by (E_j - A)^-1 there."""

    @staticmethod
    def forward(ctx, A, B, X, iK, tracker, options):
        E, U = _solve(A, B, X, iK, tracker, options)
        ctx.save_for_backward(A, E, U)
        ctx.general = B is not None
        return E, U

    @staticmethod
    def backward(ctx, gE, gU):
        A, E, U = ctx.saved_tensors
        if A.is_sparse:
            raise ValueError("lobpcg.backward does not support sparse input yet. Note that lobpcg.forward does though.")
        if ctx.general:
            raise ValueError("lobpcg.backward does not support backward with B != I yet.")
        among = E.unsqueeze(-2) - E.unsqueeze(-1)
        among.diagonal(dim1=-2, dim2=-1).fill_(float("inf"))
        inside = winnow.diag_embed(gE) + (U.mT @ gU) / among
        outside = gU - U @ (U.mT @ gU)
        # On the vectors found the shift keeps the matrices regular; the right sides have no part there.
        shift = 1 + E.abs().amax(-1)[..., None, None] - E.amin(-1)[..., None, None]
        eye = winnow.eye(A.shape[-1], dtype=A.dtype)
        systems = E[..., None, None] * eye - (A - shift * 2 * (U @ U.mT)).unsqueeze(-3)
        moves = winnow.linalg.solve(systems, outside.mT.unsqueeze(-1)).squeeze(-1).mT
        return (U @ inside + moves) @ U.mT, None, None, None, None, None


def _solve(A, B, X, iK, tracker, options):
    k, n, niter, tol, largest, method, iparams, fparams, bparams = options
    if A.shape[-2] != A.shape[-1]:
        raise AssertionError(f"A must be square, got shape {A.shape}")
    if B is not None and A.shape != B.shape:
        raise AssertionError(f"A and B must have same shape, got {A.shape} vs {B.shape}")
    dtype, m = get_floating_dtype(A), A.shape[-1]
    tol = _EPS[dtype] ** 0.5 if tol is None else tol
    k = k if k is not None else 1 if X is None else X.shape[-1]
    n = X.shape[-1] if X is not None else k if n is None else n
    if m < 3 * n:
        raise ValueError(f"LOBPCG algorithm is not applicable when the number of A rows (={m}) is smaller than 3 x the number of requested eigenpairs (={n})")
    iparams = {"m": m, "n": n, "k": k, "niter": 1000 if niter is None else niter, **iparams}
    fparams, bparams = {"tol": tol, **fparams}, {"largest": True if largest is None else largest, **bparams}
    method = "ortho" if method is None else method

    def one(A, B, X):
        X = winnow.randn(m, n, dtype=dtype) if X is None else X
        if X.shape != (m, n):
            raise AssertionError(f"X shape mismatch: got {X.shape}, expected {(m, n)}")
        worker = LOBPCG(A, B, X, iK, iparams, fparams, bparams, method, tracker)
        worker.run()
        return worker.E[:k], worker.X[:, :k]

    batch = A.shape[:-2]
    if not batch:
        return one(A, B, X)
    pairs = []
    for i, a in enumerate(A.reshape(-1, m, m)):
        iparams["batch_index"] = i
        pairs.append(one(a, *(None if t is None else t.reshape(-1, m, t.shape[-1])[i] for t in (B, X))))
    if not pairs:
        return A.new_zeros((*batch, k), dtype=dtype), A.new_zeros((*batch, m, k), dtype=dtype)
    return winnow.stack([E for E, _ in pairs]).reshape(*batch, k), winnow.stack([U for _, U in pairs]).reshape(*batch, m, k)


class LOBPCG:
    """One problem and the state of its iteration, which a tracker may look at: E, X, R, S; iparams, fparams, bparams (what was asked for), ivars,
    fvars, bvars, tvars (how far it is)."""

    def __init__(self, A, B, X, iK, iparams, fparams, bparams, method, tracker):
        self.A, self.B, self.X, self.iK = A, B, X, iK
        self.iparams, self.fparams, self.bparams, self.method, self.tracker = iparams, fparams, bparams, method, tracker
        self.E, self.R, self.S = X.new_zeros(iparams["n"]), winnow.zeros_like(X), X.new_zeros(iparams["m"], 3 * iparams["n"])
        self._last = None  # the directions of the last step
        self.tvars, self.fvars, self.bvars = {}, {}, {}
        self.ivars = {"istep": 0, "converged_count": 0, "iterations_left": iparams["niter"]}

    def __str__(self):
        names = ("iparams", "fparams", "bparams", "ivars", "fvars", "bvars", "tvars", "A", "B", "iK", "X", "E")
        return "LOBPCG:\n" + "".join([f"  {name}={getattr(self, name)}\n" for name in names])

    def run(self):
        """Steps until stop_iteration says so."""
        while True:
            self.update()
            if self.tracker is not None:
                self.call_tracker()
            if self.stop_iteration():
                return

    def call_tracker(self):
        """Shows the state to the tracker."""
        self.tracker(self)

    def stop_iteration(self):
        """Converged, told to stop (bvars["force_stop"]), or out of steps?"""
        return (self.bvars.get("force_stop", False) or self.ivars["iterations_left"] == 0 or self.ivars["converged_count"] >= self.iparams["k"])

    def update(self):
        """One step: the first finds the best vectors within the guess."""
        if self.ivars["istep"] == 0:
            size = float(winnow.linalg.norm(self.X))
            self.fvars.update(X_norm=size, A_norm=float(winnow.linalg.norm(matmul(self.A, self.X))) / size,
                              B_norm=float(winnow.linalg.norm(matmul(self.B, self.X))) / size)
            self._best_within(self.X)
        else:
            done = self.ivars["converged_count"]
            parts = [self.X, matmul(self.iK, self.R[:, done:])] + ([] if self._last is None else [self._last[:, done:]])
            old = self.X
            self._best_within(winnow.cat(parts, 1))
            self._last = self.X - old @ (old.mT @ matmul(self.B, self.X))
        self.update_residual()
        self.update_converged_count()
        self.ivars["iterations_left"] -= 1
        self.ivars["istep"] += 1

    def _best_within(self, S):
        """The best n vectors in the span of S's columns."""
        self.S = self._orthonormal(self._orthonormal(S))  # twice: the first loses digits where columns are nearly dependent
        E, Z = winnow.linalg.eigh(qform(self.A, self.S))
        if self.bparams["largest"]:
            E, Z = E.flip(-1), Z.flip(-1)
        n = self.iparams["n"]
        self.E, self.X = E[:n], self.S @ Z[:, :n]

    def _orthonormal(self, S):
        """A basis of the columns' span with S^T B S = 1."""
        gram = qform(self.B, S)
        scale = gram.diagonal().clamp(min=winnow.finfo(S.dtype).tiny).rsqrt()
        values, vectors = winnow.linalg.eigh(gram * scale * scale.unsqueeze(1))
        kept = values > values.max() * S.shape[1] * winnow.finfo(S.dtype).eps
        kept[-self.iparams["n"]:] = True
        return S @ (scale.unsqueeze(1) * vectors[:, kept] * values[kept].abs().rsqrt())

    def update_residual(self):
        """R = A X - B X diag(E)."""
        self.R = matmul(self.A, self.X) - matmul(self.B, self.X) * self.E

    def update_converged_count(self):
        """How many of the first pairs have a residual below tol, relative to the norms (tvars["rerr"])."""
        sizes = winnow.linalg.vector_norm(self.X, dim=0) * (self.fvars["A_norm"] + self.E.abs() * self.fvars["B_norm"])
        self.tvars["rerr"] = rerr = winnow.linalg.vector_norm(self.R, dim=0) / sizes
        self.ivars["converged_count"] = int((rerr < self.fparams["tol"]).int().cumprod(0).sum())
        return self.ivars["converged_count"]
