"""kl_divergence: the expectation under p of log p - log q, by a formula for each pair of distributions."""
import math
from functools import total_ordering

import winnow as torch
from . import constraints  # noqa: F401
from ._compound import Independent, LogNormal, MultivariateNormal, TransformedDistribution
from ._discrete import Bernoulli, Binomial, Categorical, Geometric, OneHotCategorical, Poisson
from ._matrices import LowRankMultivariateNormal
from ._positive import Beta, Dirichlet, Exponential, Gamma, Pareto
from ._relaxed import ContinuousBernoulli
from ._real import Cauchy, Gumbel, HalfNormal, Laplace, Normal, Uniform
from .distribution import Distribution
from .utils import euler_constant, sum_rightmost

__all__ = ["register_kl", "kl_divergence"]

_KL_REGISTRY = {}
_found = {}
_INF = math.inf


def register_kl(type_p, type_q):
    """Decorates the function that computes kl_divergence of distributions of these types."""
    for kind, name in ((type_p, "type_p"), (type_q, "type_q")):
        if not isinstance(kind, type):  # any class: Pyro's own distributions are none of ours
            raise TypeError(f"Expected {name} to be a Distribution subclass but got {kind}")

    def decorator(fun):
        _KL_REGISTRY[type_p, type_q] = fun
        _found.clear()
        return fun

    return decorator


@total_ordering
class _Match:
    """Pairs of classes: the nearer to the derived classes, the smaller."""

    def __init__(self, *types):
        self.types = types

    __eq__ = lambda self, other: self.types == other.types

    def __le__(self, other):
        for x, y in zip(self.types, other.types):
            if not issubclass(x, y):
                return False
            if x is not y:
                break
        return True


def _lookup(p, q):
    """The function for the nearest pair of base classes, or None."""
    if (p, q) not in _found:
        fits = [(a, b) for a, b in _KL_REGISTRY if issubclass(p, a) and issubclass(q, b)]
        best = min([_Match(*f) for f in fits]).types if fits else None
        _found[p, q] = _KL_REGISTRY[best] if best else None
    return _found[p, q]


def kl_divergence(p, q):
    """The divergence of q from p, one value for each element of the batch."""
    fun = _lookup(type(p), type(q))
    if fun is None:
        raise NotImplementedError(f"No KL(p || q) is implemented for p type {p.__class__.__name__} and q type {q.__class__.__name__}")
    return fun(p, q)


# ------------------------------------------------------------------ pairs of one kind

@register_kl(Normal, Normal)
def _normals(p, q):
    ratio = (p.scale / q.scale).pow(2)
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())


@register_kl(Laplace, Laplace)
def _laplaces(p, q):
    away = (p.loc - q.loc).abs()
    return -(p.scale / q.scale).log() + away / q.scale + p.scale / q.scale * torch.exp(-away / p.scale) - 1


@register_kl(Gumbel, Gumbel)
def _gumbels(p, q):
    ratio, away = p.scale / q.scale, (p.loc - q.loc) / q.scale
    return -ratio.log() - away.neg() + ratio * euler_constant + torch.exp(-away + torch.lgamma(1 + ratio)) - (1 + euler_constant)


@register_kl(Uniform, Uniform)
def _uniforms(p, q):
    result = ((q.high - q.low) / (p.high - p.low)).log()
    return torch.where((q.low > p.low) | (q.high < p.high), _INF, result)


@register_kl(Exponential, Exponential)
def _exponentials(p, q):
    ratio = q.rate / p.rate
    return ratio - ratio.log() - 1


@register_kl(Gamma, Gamma)
def _gammas(p, q):
    a, b = p.concentration, q.concentration
    return b * (p.rate / q.rate).log() + torch.lgamma(b) - torch.lgamma(a) + (a - b) * torch.digamma(a) + (q.rate - p.rate) * (a / p.rate)


@register_kl(Dirichlet, Dirichlet)
def _dirichlets(p, q):
    a, b = p.concentration, q.concentration
    total = a.sum(-1)
    norm = total.lgamma() - b.sum(-1).lgamma() - (a.lgamma() - b.lgamma()).sum(-1)
    return norm + ((a - b) * (a.digamma() - total.digamma().unsqueeze(-1))).sum(-1)


@register_kl(Pareto, Pareto)
def _paretos(p, q):
    ratio = q.alpha / p.alpha
    result = q.alpha * (p.scale / q.scale).log() - ratio.log() + ratio - 1
    return torch.where(p.scale < q.scale, _INF, result)


@register_kl(Bernoulli, Bernoulli)
def _bernoullis(p, q):
    a, b = p.probs, q.probs
    ones = torch.where(b == 0, _INF, a * ((a / b).log()))
    zeros = torch.where(b == 1, _INF, (1 - a) * ((1 - a) / (1 - b)).log())
    return torch.where(a == 0, 0.0, ones) + torch.where(a == 1, 0.0, zeros)


@register_kl(Binomial, Binomial)
def _binomials(p, q):
    if (p.total_count < q.total_count).any():
        raise NotImplementedError("KL between Binomials where q.total_count > p.total_count is not implemented")
    result = p.total_count * (p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p())
    return torch.where(p.total_count > q.total_count, _INF, result)


@register_kl(Categorical, Categorical)
def _categoricals(p, q):
    t = p.probs * (p.logits - q.logits)
    t = torch.where((q.probs == 0).expand_as(t), _INF, t)
    return torch.where((p.probs == 0).expand_as(t), 0.0, t).sum(-1)


@register_kl(LowRankMultivariateNormal, MultivariateNormal)
@register_kl(MultivariateNormal, LowRankMultivariateNormal)
@register_kl(LowRankMultivariateNormal, LowRankMultivariateNormal)
@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate_normals(p, q):
    if p.event_shape != q.event_shape:
        raise ValueError("KL-divergence between two Multivariate Normals with different event shapes cannot be computed")
    from ._compound import mahalanobis

    n = p.event_shape[0]
    p_factor, q_factor = p._unbroadcasted_scale_tril, q._unbroadcasted_scale_tril
    batch = torch.broadcast_shapes(p_factor.shape[:-2], q_factor.shape[:-2])
    ratio = torch.linalg.solve_triangular(q_factor.expand(batch + (n, n)), p_factor.expand(batch + (n, n)), upper=False)
    result = 0.5 * (ratio.pow(2).sum((-2, -1)) + mahalanobis(q_factor, q.loc - p.loc) - n)
    return q._half_log_det() - p._half_log_det() + result


@register_kl(Independent, Independent)
def _independents(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p, q):
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


# ------------------------------------------------------------------ pairs of two kinds


@register_kl(Exponential, Gamma)
def _exponential_gamma(p, q):
    ratio = q.rate / p.rate
    return -q.concentration * ratio.log() + ratio + q.concentration.lgamma() + q.concentration * euler_constant - (1 + euler_constant)


@register_kl(Exponential, Normal)
@register_kl(Gamma, Normal)
@register_kl(Laplace, Normal)
@register_kl(Gumbel, Normal)
@register_kl(Beta, Normal)
@register_kl(Uniform, Normal)
def _to_normal(p, q):
    """-entropy(p) minus the mean of log q, which takes the first two moments of p."""
    spread = p.variance + (p.mean - q.loc).pow(2)
    return -p.entropy() + 0.5 * spread / q.scale.pow(2) + q.scale.log() + 0.5 * math.log(2 * math.pi)


@register_kl(Normal, Laplace)
def _normal_laplace(p, q):
    away = p.loc - q.loc
    z = away / (p.scale * math.sqrt(2))
    mean = p.scale * math.sqrt(2 / math.pi) * torch.exp(-z.pow(2)) + away * torch.erf(z)  # of |x - q.loc|
    return -p.entropy() + (2 * q.scale).log() + mean / q.scale


@register_kl(Normal, Gumbel)
def _normal_gumbel(p, q):
    away = (p.loc - q.loc) / q.scale
    return -p.entropy() + q.scale.log() + away + torch.exp(-away + 0.5 * (p.scale / q.scale).pow(2))


@register_kl(Beta, Uniform)
def _beta_uniform(p, q):
    result = -p.entropy() + (q.high - q.low).log()
    return torch.where((q.low > 0) | (q.high < 1), _INF, result)


@register_kl(Uniform, Exponential)
def _uniform_exponential(p, q):
    result = q.rate * (p.high + p.low) / 2 - ((p.high - p.low) * q.rate).log()
    return torch.where(p.low < 0, _INF, result)


for _pair, _formula in {
    (LogNormal, LogNormal): lambda p, q: _normals(p.base_dist, q.base_dist),
    (HalfNormal, HalfNormal): lambda p, q: _normals(p._base, q._base),
    (Cauchy, Cauchy): lambda p, q: (
        ((p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)).log() - (4 * p.scale * q.scale).log()),
    (Beta, Beta): lambda p, q: _dirichlets(p._dirichlet, q._dirichlet),
    (OneHotCategorical, OneHotCategorical): lambda p, q: _categoricals(p._categorical, q._categorical),
    (Geometric, Geometric): lambda p, q: -p.entropy() - torch.log1p(-q.probs) / p.probs * (1 - p.probs) - q.probs.log(),
    (Poisson, Poisson): lambda p, q: p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate),
    (ContinuousBernoulli, ContinuousBernoulli): lambda p, q: (
        p.mean * (p.logits - q.logits) + p._log_scale() + torch.log1p(-p.probs) - q._log_scale() - torch.log1p(-q.probs)),
    (Bernoulli, Poisson): lambda p, q: -p.entropy() - (p.probs * q.rate.log() - q.rate),
    (Gamma, Exponential): lambda p, q: -p.entropy() - q.rate.log() + q.rate * p.concentration / p.rate,
}.items():
    register_kl(*_pair)(_formula)


def _never_inside(p, q):
    """p has values where q has none."""
    return torch.full_like(torch.broadcast_tensors(p.mean, q.mean)[0], _INF)


for _p, _qs in ((Normal, (Beta, Exponential, Gamma, Uniform, Pareto)), (Laplace, (Beta, Exponential, Gamma, Uniform, Pareto)),
                (Gumbel, (Beta, Exponential, Gamma, Uniform, Pareto)), (Exponential, (Beta, Uniform, Pareto)), (Gamma, (Beta, Uniform, Pareto)),
                (Pareto, (Beta, Uniform)), (Beta, (Pareto,)), (Poisson, (Bernoulli, Binomial))):
    for _q in _qs:
        register_kl(_p, _q)(_never_inside)
del _p, _q, _qs, _pair, _formula
