"""Normal vectors of low rank, and distributions over matrices: covariances and factors of correlations."""
import math

import winnow as torch
from . import constraints
from .._draws import draws_as_torch
from ._compound import cholesky_factor, mahalanobis, one_matrix
from ._positive import Beta, Chi2
from .distribution import Distribution
from .utils import broadcast_all, lazy_property, standard_normal

__all__ = ["LowRankMultivariateNormal", "Wishart", "LKJCholesky"]


class LowRankMultivariateNormal(Distribution):
    """Normal vectors of covariance W W^T + diag(D), W = cov_factor (n x rank), D = cov_diag: in O(n rank^2)"""
    arg_constraints = {"loc": constraints.real_vector, "cov_factor": constraints.independent(constraints.real, 2),
                       "cov_diag": constraints.independent(constraints.positive, 1)}
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        event = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise ValueError("cov_factor must be at least two-dimensional, with optional leading batch dimensions")
        if cov_factor.shape[-2:-1] != event:
            raise ValueError(f"cov_factor must be a batch of matrices with shape {event[0]} x m")
        if cov_diag.shape[-1:] != event:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event}")
        batch = torch.broadcast_shapes(loc.shape[:-1], cov_factor.shape[:-2], cov_diag.shape[:-1])
        self.loc, self.cov_diag = loc.expand(batch + event), cov_diag.expand(batch + event)
        self.cov_factor = cov_factor.expand(batch + cov_factor.shape[-2:])
        super().__init__(batch, event, validate_args=validate_args)

    @lazy_property
    def _weighted(self):
        """W^T D^-1"""
        return self.cov_factor.mT / self.cov_diag.unsqueeze(-2)

    @lazy_property
    def _capacitance(self):
        """The Cholesky factor of 1 + W^T D^-1 W"""
        return torch.linalg.cholesky(self._weighted @ self.cov_factor + torch.eye(self.cov_factor.shape[-1], dtype=self.loc.dtype))

    mean = mode = property(lambda self: self.loc)
    variance = property(lambda self: self.cov_factor.square().sum(-1) + self.cov_diag)

    @lazy_property
    def covariance_matrix(self):
        return self.cov_factor @ self.cov_factor.mT + self.cov_diag.diag_embed()

    @lazy_property
    def scale_tril(self):
        return torch.linalg.cholesky(self.covariance_matrix)

    _unbroadcasted_scale_tril = property(lambda self: self.scale_tril, doc="As MultivariateNormal's, for kl_divergence.")

    @lazy_property
    def precision_matrix(self):
        a = torch.linalg.solve_triangular(self._capacitance, self._weighted, upper=False)
        return self.cov_diag.reciprocal().diag_embed() - a.mT @ a

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        common = standard_normal(shape[:-1] + self.cov_factor.shape[-1:], self.loc)
        return self.loc + (self.cov_factor @ common.unsqueeze(-1)).squeeze(-1) + self.cov_diag.sqrt() * standard_normal(shape, self.loc)

    def _half_log_det(self):
        return self._capacitance.diagonal(dim1=-2, dim2=-1).log().sum(-1) + 0.5 * self.cov_diag.log().sum(-1)

    def log_prob(self, value):
        d = self._checked(value) - self.loc
        distance = (d.square() / self.cov_diag).sum(-1) - mahalanobis(self._capacitance, (self._weighted @ d.unsqueeze(-1)).squeeze(-1))
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + distance) - self._half_log_det()

    entropy = lambda self: 0.5 * self._event_shape[0] * (1 + math.log(2 * math.pi)) + self._half_log_det()


class Wishart(Distribution):
    """Sums of df outer products of normal vectors; of covariance_matrix, precision_matrix and scale_tril one is given"""
    arg_constraints = {"covariance_matrix": constraints.positive_definite, "precision_matrix": constraints.positive_definite,
                       "scale_tril": constraints.lower_cholesky, "df": constraints.greater_than(0)}
    support = constraints.positive_definite
    has_rsample = True

    def __init__(self, df, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        name, matrix = one_matrix(covariance_matrix, precision_matrix, scale_tril)
        if matrix.dim() < 2:
            raise ValueError("scale_tril must be at least two-dimensional, with optional leading batch dimensions")
        df = torch.as_tensor(df, dtype=matrix.dtype)
        batch, event = torch.broadcast_shapes(df.shape, matrix.shape[:-2]), matrix.shape[-2:]
        self.df = df.expand(batch)
        if (self.df <= event[-1] - 1).any():
            raise ValueError(f"Value of df={self.df} expected to be greater than ndim - 1 = {event[-1] - 1}.")
        self.__dict__[name] = matrix.expand(batch + event)
        super().__init__(batch, event, validate_args=validate_args)
        self._unbroadcasted_scale_tril = cholesky_factor(name, matrix).expand(batch + event)

    def expand(self, batch_shape, _instance=None):
        new = super().expand(batch_shape, _instance)
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril.expand(torch.Size(batch_shape) + self._event_shape)
        return new

    @lazy_property
    def scale_tril(self):
        return self._unbroadcasted_scale_tril

    @lazy_property
    def covariance_matrix(self):
        return self._unbroadcasted_scale_tril @ self._unbroadcasted_scale_tril.mT

    @lazy_property
    def precision_matrix(self):
        return torch.cholesky_inverse(self._unbroadcasted_scale_tril)

    _of_matrix = lambda self, numbers: numbers.unsqueeze(-1).unsqueeze(-1)
    mean = property(lambda self: self._of_matrix(self.df) * self.covariance_matrix)

    @property
    def mode(self):
        factor = self.df - self._event_shape[-1] - 1
        return self._of_matrix(torch.where(factor > 0, factor, math.nan)) * self.covariance_matrix

    @property
    def variance(self):
        v = self.covariance_matrix
        d = v.diagonal(dim1=-2, dim2=-1)
        return self._of_matrix(self.df) * (v.square() + d.unsqueeze(-1) * d.unsqueeze(-2))

    def rsample(self, sample_shape=torch.Size(), max_try_correction=None):
        """By M. S. Bartlett's decomposition. PyTorch takes its first samples for singular where they are not, and draws those again, then, at most
        max_try_correction (10) times, what is singular: so do we for its stream. Ours are not singular by rounding."""
        sample = self._bartlett(torch.Size(sample_shape))
        again = self._well_formed(sample) if draws_as_torch() else torch.tensor(False)
        for _ in range(10 if max_try_correction is None else max_try_correction):
            if not again.any():
                break
            sample[again] = new = self._bartlett(again[again].shape)
            again[again.clone()] = ~self._well_formed(new, torch.all)
        return sample

    def _well_formed(self, sample, of_batch=torch.any):
        good = self.support.check(sample)
        return of_batch(good, dim=tuple(range(-len(self._batch_shape), 0))) if self._batch_shape else good

    def _bartlett(self, sample_shape):
        n, shape = self._event_shape[-1], sample_shape + self._batch_shape
        degrees = self.df.unsqueeze(-1) - torch.arange(n, dtype=self.df.dtype)
        roots = Chi2(degrees, validate_args=False).rsample(sample_shape).sqrt().clamp(min=torch.finfo(degrees.dtype).eps)
        a, (row, column) = roots.diag_embed(), torch.tril_indices(n, n, offset=-1)
        a[..., row, column] = standard_normal(shape + (n * (n - 1) // 2,), self._unbroadcasted_scale_tril)
        product = self._unbroadcasted_scale_tril @ a
        return product @ product.mT

    _half_log_det = lambda self: self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value):
        nu, n = self.df, self._event_shape[-1]
        trace = torch.cholesky_solve(self._checked(value), self._unbroadcasted_scale_tril).diagonal(dim1=-2, dim2=-1).sum(-1)
        return (-nu * (n * math.log(2) / 2 + self._half_log_det()) - torch.mvlgamma(nu / 2, n) + (nu - n - 1) / 2 * torch.linalg.slogdet(value).logabsdet
                - trace / 2)

    def entropy(self):
        nu, n = self.df, self._event_shape[-1]
        digammas = torch.digamma(nu.unsqueeze(-1) / 2 - torch.arange(n, dtype=nu.dtype) / 2).sum(-1)
        return (n + 1) * (n * math.log(2) / 2 + self._half_log_det()) + torch.mvlgamma(nu / 2, n) - (nu - n - 1) / 2 * digammas + nu * n / 2


class LKJCholesky(Distribution):
    """Cholesky factors of correlation matrices C of size dim, of density det(C)^(concentration - 1); D. Lewandowski, D. Kurowicka and H. Joe, 2009"""
    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky
    _copied = ("dim",)

    def __init__(self, dim, concentration=1.0, validate_args=None):
        if dim < 2:
            raise ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        self.concentration, = broadcast_all(concentration)
        super().__init__(self.concentration.size(), (dim, dim), validate_args=validate_args)

    @torch.no_grad()
    def sample(self, sample_shape=torch.Size()):
        """The onion method: rows from the first on, each a direction and a Beta radius."""
        above = torch.cat([torch.zeros(1), torch.arange(self.dim - 1)]).to(self.concentration.dtype)
        radius = Beta(above + 0.5, self.concentration.unsqueeze(-1) + 0.5 * (self.dim - 2) - 0.5 * above).sample(sample_shape).unsqueeze(-1)
        direction = torch.randn(self._extended_shape(sample_shape), dtype=self.concentration.dtype).tril(-1)
        direction = direction / direction.norm(dim=-1, keepdim=True)
        direction[..., 0, :] = 0
        w = radius.sqrt() * direction
        left = (1 - w.square().sum(-1)).clamp(min=torch.finfo(w.dtype).tiny).sqrt()
        return w + left.diag_embed()

    def log_prob(self, value):
        n, c = self.dim - 1, self.concentration
        order = 2 * (c - 1).unsqueeze(-1) + self.dim - torch.arange(2, self.dim + 1, dtype=c.dtype)
        unscaled = (order * self._checked(value).diagonal(dim1=-1, dim2=-2)[..., 1:].log()).sum(-1)
        a = c + 0.5 * n
        return unscaled - (0.5 * n * math.log(math.pi) + torch.mvlgamma(a - 0.5, n) - torch.lgamma(a) * n)
