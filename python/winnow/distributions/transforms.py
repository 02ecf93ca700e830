"""Invertible functions with the logarithm of their derivative, for TransformedDistribution."""
import math

import winnow as torch
from ..nn import functional as F
from . import constraints
from ._transform import (ComposeTransform, IndependentTransform, ReshapeTransform, Transform, _InverseTransform, _Same, enough,  # noqa: F401
                         identity_transform)
from .utils import broadcast_all, sum_rightmost, tril_matrix_to_vec, vec_to_tril_matrix

__all__ = ["AbsTransform", "AffineTransform", "CatTransform", "ComposeTransform", "CorrCholeskyTransform", "CumulativeDistributionTransform", "ExpTransform",
           "IndependentTransform", "LowerCholeskyTransform", "PositiveDefiniteTransform", "PowerTransform", "ReshapeTransform",
           "SigmoidTransform", "SoftplusTransform", "TanhTransform", "SoftmaxTransform", "StackTransform", "StickBreakingTransform", "Transform",
           "identity_transform"]


class ExpTransform(_Same, Transform):
    """y = exp(x)"""
    domain, codomain, bijective, sign = constraints.real, constraints.positive, True, +1
    _call = lambda self, x: x.exp()
    _inverse = lambda self, y: y.log()
    log_abs_det_jacobian = lambda self, x, y: x


class PowerTransform(Transform):
    """y = x ** exponent, of positive x"""
    domain, codomain, bijective = constraints.positive, constraints.positive, True

    def __init__(self, exponent, cache_size=0):
        super().__init__(cache_size)
        self.exponent, = broadcast_all(exponent)

    _arguments = ("exponent",)

    sign = property(lambda self: self.exponent.sign())
    __eq__ = lambda self, other: isinstance(other, PowerTransform) and self.exponent.eq(other.exponent).all().item()

    __hash__ = object.__hash__
    _call = lambda self, x: x.pow(self.exponent)
    _inverse = lambda self, y: y.pow(1 / self.exponent)
    log_abs_det_jacobian = lambda self, x, y: (self.exponent * y / x).abs().log()
    forward_shape = lambda self, shape: torch.broadcast_shapes(shape, self.exponent.shape)

    inverse_shape = forward_shape


def _clipped_sigmoid(x):
    info = torch.finfo(x.dtype)
    return torch.clamp(torch.sigmoid(x), min=info.tiny, max=1.0 - info.eps)


class SigmoidTransform(_Same, Transform):
    """y = 1 / (1 + exp(-x))"""
    domain, codomain, bijective, sign = constraints.real, constraints.unit_interval, True, +1
    _call = lambda self, x: _clipped_sigmoid(x)

    def _inverse(self, y):
        info = torch.finfo(y.dtype)
        y = y.clamp(min=info.tiny, max=1.0 - info.eps)
        return y.log() - (-y).log1p()

    log_abs_det_jacobian = lambda self, x, y: -F.softplus(-x) - F.softplus(x)


class SoftplusTransform(_Same, Transform):
    """y = log(1 + exp(x))"""
    domain, codomain, bijective, sign = constraints.real, constraints.positive, True, +1
    _call = lambda self, x: F.softplus(x)
    _inverse = lambda self, y: (-y).expm1().neg().log() + y
    log_abs_det_jacobian = lambda self, x, y: -F.softplus(-x)


class TanhTransform(_Same, Transform):
    """y = tanh(x)"""
    domain, codomain, bijective, sign = constraints.real, constraints.interval(-1.0, 1.0), True, +1
    _call = lambda self, x: x.tanh()
    _inverse = lambda self, y: torch.atanh(y)
    log_abs_det_jacobian = lambda self, x, y: 2.0 * (math.log(2.0) - x - F.softplus(-2.0 * x))


class AbsTransform(_Same, Transform):
    """y = |x|: not one to one, the inverse returns the positive one."""
    domain, codomain = constraints.real, constraints.positive
    _call = lambda self, x: x.abs()
    _inverse = lambda self, y: y


class AffineTransform(Transform):
    """y = loc + scale * x"""
    bijective = True

    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__(cache_size)
        self.loc, self.scale, self._event_dim = loc, scale, event_dim

    event_dim = property(lambda self: self._event_dim)

    @property
    def domain(self):
        return constraints.real if self.event_dim == 0 else constraints.independent(constraints.real, self.event_dim)

    codomain = domain

    _arguments = "loc", "scale", "event_dim"

    def __eq__(self, other):
        if not isinstance(other, AffineTransform):
            return False
        return all([bool((torch.as_tensor(a) == torch.as_tensor(b)).all()) for a, b in ((self.loc, other.loc), (self.scale, other.scale))])

    __hash__ = object.__hash__

    @property
    def sign(self):
        if isinstance(self.scale, torch.Tensor):
            return self.scale.sign()
        return (self.scale > 0) - (self.scale < 0)

    _call = lambda self, x: self.loc + self.scale * x
    _inverse = lambda self, y: (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        if isinstance(self.scale, torch.Tensor):
            result = self.scale.abs().log().expand(torch.broadcast_shapes(x.shape, self.scale.shape))
        else:
            result = torch.full_like(x, math.log(abs(self.scale)))
        return sum_rightmost(result, self.event_dim) if self.event_dim else result.expand(x.shape)

    def forward_shape(self, shape):
        return torch.broadcast_shapes(shape, getattr(self.loc, "shape", ()), getattr(self.scale, "shape", ()))

    inverse_shape = forward_shape


class SoftmaxTransform(_Same, Transform):
    """y = exp(x) scaled to a sum of 1: not one to one, the inverse is the logarithm."""
    domain, codomain = constraints.real_vector, constraints.simplex
    _call = lambda self, x: F.softmax(x, -1)
    _inverse = lambda self, y: y.log()

    forward_shape = inverse_shape = lambda self, shape: enough(shape, 1)


class StickBreakingTransform(_Same, Transform):
    """n numbers to n + 1 that sum to 1: each a sigmoid's part of what the ones before have left."""
    domain, codomain, bijective = constraints.real_vector, constraints.simplex, True

    @staticmethod
    def _offset(x):
        return torch.arange(x.shape[-1], 0, -1, dtype=x.dtype).log()

    def _call(self, x):
        z = SigmoidTransform()(x - self._offset(x))
        return F.pad(z, (0, 1), value=1.0) * F.pad((1 - z).cumprod(-1), (1, 0), value=1.0)

    def _inverse(self, y):
        part = y[..., :-1]
        left = (1 - part.cumsum(-1)).clamp(min=torch.finfo(y.dtype).tiny)
        return part.log() - left.log() + self._offset(part)

    def log_abs_det_jacobian(self, x, y):
        x = x - self._offset(x)
        return (-x + F.logsigmoid(x) + y[..., :-1].log()).sum(-1)

    forward_shape = lambda self, shape: torch.Size(enough(shape, 1)[:-1]) + (shape[-1] + 1,)
    inverse_shape = lambda self, shape: torch.Size(enough(shape, 1)[:-1]) + (shape[-1] - 1,)


class CorrCholeskyTransform(_Same, Transform):
    """Any n (n - 1) / 2 numbers to the Cholesky factor of a correlation matrix of size n: their tanh are partial correlations, row by row."""
    domain, codomain, bijective = constraints.real_vector, constraints.corr_cholesky, True

    def _call(self, x):
        eps = torch.finfo(x.dtype).eps
        r = vec_to_tril_matrix(x.tanh().clamp(-1 + eps, 1 - eps), diag=-1)
        left = (1 - r.square()).sqrt().cumprod(-1)  # what is left of a row's length 1 after each column
        return (r + torch.eye(r.shape[-1], dtype=r.dtype)) * F.pad(left[..., :-1], [1, 0], value=1.0)

    def _inverse(self, y):
        left = F.pad((1 - y.square().cumsum(-1))[..., :-1], [1, 0], value=1.0)
        return (tril_matrix_to_vec(y, diag=-1) / tril_matrix_to_vec(left, diag=-1).sqrt()).atanh()

    def log_abs_det_jacobian(self, x, y):
        left = tril_matrix_to_vec(1 - y.square().cumsum(-1), diag=-2)
        return 0.5 * left.log().sum(-1) - 2 * (x + F.softplus(-2 * x) - math.log(2.0)).sum(-1)

    def forward_shape(self, shape):
        enough(shape, 1)
        n = round((0.25 + 2 * shape[-1]) ** 0.5 + 0.5)
        if n * (n - 1) // 2 != shape[-1]:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return torch.Size(shape[:-1]) + (n, n)

    def inverse_shape(self, shape):
        enough(shape, 2)
        if shape[-2] != shape[-1]:
            raise ValueError("Input is not square")
        return torch.Size(shape[:-2]) + (shape[-1] * (shape[-1] - 1) // 2,)


class LowerCholeskyTransform(_Same, Transform):
    """Any matrices to lower triangles with a positive diagonal."""
    domain, codomain = constraints.independent(constraints.real, 2), constraints.lower_cholesky
    _call = lambda self, x: x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()
    _inverse = lambda self, y: y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(_Same, Transform):
    """Any matrices to positive definite ones."""
    domain, codomain = constraints.independent(constraints.real, 2), constraints.positive_definite

    def _call(self, x):
        x = LowerCholeskyTransform()(x)
        return x @ x.mT

    _inverse = lambda self, y: LowerCholeskyTransform().inv(torch.linalg.cholesky(y))


class _Parts(Transform):
    """Several transforms, each for a part of dimension dim."""

    def __init__(self, transforms, dim, cache_size):
        if not all([isinstance(t, Transform) for t in transforms]):
            raise AssertionError("All elements must be Transform instances")
        super().__init__(cache_size)
        self.transforms, self.dim = [t.with_cache(cache_size) if cache_size else t for t in transforms], dim

    bijective = property(lambda self: all([t.bijective for t in self.transforms]))
    _call = lambda self, x: self._joined([t(p) for t, p in zip(self.transforms, self._pieces(x))])
    _inverse = lambda self, y: self._joined([t.inv(p) for t, p in zip(self.transforms, self._pieces(y))])

    def log_abs_det_jacobian(self, x, y):
        return self._joined([t.log_abs_det_jacobian(p, q) for t, p, q in zip(self.transforms, self._pieces(x), self._pieces(y))])


class CatTransform(_Parts):
    """Transforms of consecutive parts."""

    def __init__(self, tseq, dim=0, lengths=None, cache_size=0):
        super().__init__(list(tseq), dim, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)

    length = property(lambda self: sum(self.lengths))
    domain = property(lambda self: constraints.cat([t.domain for t in self.transforms], self.dim, self.lengths))
    codomain = property(lambda self: constraints.cat([t.codomain for t in self.transforms], self.dim, self.lengths))

    def _pieces(self, x):
        if x.size(self.dim) != self.length:
            raise AssertionError(f"x.size({self.dim})={x.size(self.dim)} must equal length {self.length}")
        return x.split(self.lengths, self.dim)

    _joined = lambda self, pieces: torch.cat(pieces, self.dim)


class StackTransform(_Parts):
    """Transforms of the slices along a dimension."""

    def __init__(self, tseq, dim=0, cache_size=0):
        super().__init__(list(tseq), dim, cache_size)

    domain = property(lambda self: constraints.stack([t.domain for t in self.transforms], self.dim))
    codomain = property(lambda self: constraints.stack([t.codomain for t in self.transforms], self.dim))
    _pieces = lambda self, x: x.unbind(self.dim)
    _joined = lambda self, pieces: torch.stack(pieces, self.dim)


class CumulativeDistributionTransform(Transform):
    """The distribution function of a distribution."""
    bijective, codomain, sign = True, constraints.unit_interval, +1

    def __init__(self, distribution, cache_size=0):
        super().__init__(cache_size)
        self.distribution = distribution

    domain = property(lambda self: self.distribution.support)
    _call = lambda self, x: self.distribution.cdf(x)
    _inverse = lambda self, y: self.distribution.icdf(y)
    log_abs_det_jacobian = lambda self, x, y: self.distribution.log_prob(x)

    _arguments = ("distribution",)
