"""Multivariate normals, and distributions made of others."""
import math

import winnow as torch
from . import constraints
from ._real import Normal
from .distribution import Distribution
from .transforms import ComposeTransform, ExpTransform, StickBreakingTransform, Transform
from ._discrete import Categorical
from .utils import lazy_property, standard_normal, sum_rightmost

__all__ = ["MultivariateNormal", "Independent", "TransformedDistribution", "LogNormal", "LogisticNormal", "MixtureSameFamily"]


class MultivariateNormal(Distribution):
    """Normal vectors; of covariance_matrix, precision_matrix (its inverse) and scale_tril (its Cholesky factor) one is given"""
    arg_constraints = {"loc": constraints.real_vector, "covariance_matrix": constraints.positive_definite,
                       "precision_matrix": constraints.positive_definite, "scale_tril": constraints.lower_cholesky}
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        name, matrix = one_matrix(covariance_matrix, precision_matrix, scale_tril)
        if matrix.dim() < 2:
            raise ValueError(f"{name} must be at least two-dimensional, with optional leading batch dimensions")
        batch = torch.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        self.__dict__[name] = matrix.expand(batch + matrix.shape[-2:])
        self.loc = loc.expand(batch + loc.shape[-1:])
        super().__init__(batch, self.loc.shape[-1:], validate_args=validate_args)
        self._unbroadcasted_scale_tril = cholesky_factor(name, matrix)

    @lazy_property
    def scale_tril(self):
        return self._unbroadcasted_scale_tril.expand(self._batch_shape + self._event_shape + self._event_shape)

    @lazy_property
    def covariance_matrix(self):
        return (self._unbroadcasted_scale_tril @ self._unbroadcasted_scale_tril.mT).expand(self._batch_shape + self._event_shape + self._event_shape)

    @lazy_property
    def precision_matrix(self):
        return torch.cholesky_inverse(self._unbroadcasted_scale_tril).expand(self._batch_shape + self._event_shape + self._event_shape)

    _copied = ("_unbroadcasted_scale_tril",)
    mean = mode = property(lambda self: self.loc)
    variance = property(lambda self: self._unbroadcasted_scale_tril.pow(2).sum(-1).expand(self._batch_shape + self._event_shape))

    def rsample(self, sample_shape=torch.Size()):
        eps = standard_normal(self._extended_shape(sample_shape), self.loc)
        return self.loc + (self._unbroadcasted_scale_tril @ eps.unsqueeze(-1)).squeeze(-1)

    _half_log_det = lambda self: self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value):
        distance = mahalanobis(self._unbroadcasted_scale_tril, self._checked(value) - self.loc)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + distance) - self._half_log_det()

    def entropy(self):
        entropy = 0.5 * self._event_shape[0] * (1 + math.log(2 * math.pi)) + self._half_log_det()
        return entropy.expand(self._batch_shape)


def mahalanobis(factor, difference):
    """|L^-1 d|^2, for batches of both."""
    batch = torch.broadcast_shapes(factor.shape[:-2], difference.shape[:-1])
    factor, d = factor.expand(batch + factor.shape[-2:]), difference.expand(batch + difference.shape[-1:])
    return torch.linalg.solve_triangular(factor, d.unsqueeze(-1), upper=False).squeeze(-1).pow(2).sum(-1)


def one_matrix(covariance_matrix, precision_matrix, scale_tril):
    """(name, matrix) of the one that is given."""
    given = [(n, m) for n, m in (("covariance_matrix", covariance_matrix), ("precision_matrix", precision_matrix), ("scale_tril", scale_tril))
             if m is not None]
    if len(given) != 1:
        raise ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
    return given[0]


def cholesky_factor(name, matrix):
    """The lower factor of the covariance that a matrix of this name gives."""
    if name == "scale_tril":
        return matrix
    return torch.linalg.cholesky(matrix) if name == "covariance_matrix" else _precision_to_scale_tril(matrix)


def _precision_to_scale_tril(precision):
    """The lower factor of the inverse: the factor of the matrix in reversed order, reversed and inverted."""
    upper = torch.linalg.cholesky(precision.flip(-2, -1)).flip(-2, -1).mT
    identity = torch.eye(precision.shape[-1], dtype=precision.dtype).expand(precision.shape)
    return torch.linalg.solve_triangular(upper, identity, upper=False)


class Independent(Distribution):
    """A distribution of which the last dimensions of the batch together are one event"""
    arg_constraints = {}

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        n = reinterpreted_batch_ndims
        if n > len(base_distribution.batch_shape):
            raise ValueError(f"Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual {n} vs "
                             f"{len(base_distribution.batch_shape)}")
        shape = base_distribution.batch_shape + base_distribution.event_shape
        cut = len(base_distribution.batch_shape) - n
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, n
        super().__init__(shape[:cut], shape[cut:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        new = self._empty(_instance)
        batch_shape = torch.Size(batch_shape)
        new.base_dist = self.base_dist.expand(batch_shape + self._event_shape[:self.reinterpreted_batch_ndims])
        new.reinterpreted_batch_ndims = self.reinterpreted_batch_ndims
        return new._with_shapes(self, batch_shape, self._event_shape)

    has_rsample = property(lambda self: self.base_dist.has_rsample)
    mean = property(lambda self: self.base_dist.mean)
    mode = property(lambda self: self.base_dist.mode)
    variance = property(lambda self: self.base_dist.variance)

    @property
    def has_enumerate_support(self):
        return self.reinterpreted_batch_ndims == 0 and self.base_dist.has_enumerate_support

    @constraints.dependent_property
    def support(self):
        base, n = self.base_dist.support, self.reinterpreted_batch_ndims
        return constraints.independent(base, n) if n else base

    sample = lambda self, sample_shape=torch.Size(): self.base_dist.sample(sample_shape)
    rsample = lambda self, sample_shape=torch.Size(): self.base_dist.rsample(sample_shape)
    log_prob = lambda self, value: sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)
    entropy = lambda self: sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand=True):
        if self.reinterpreted_batch_ndims > 0:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand=expand)

    __repr__ = lambda self: f"{self.__class__.__name__}({self.base_dist}, {self.reinterpreted_batch_ndims})"


class TransformedDistribution(Distribution):
    """What transforms make of the samples of base_distribution"""
    arg_constraints = {}

    def __init__(self, base_distribution, transforms, validate_args=None):
        if isinstance(transforms, Transform):
            transforms = [transforms]
        elif not isinstance(transforms, list) or not all([isinstance(t, Transform) for t in transforms]):
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        self.transforms = transforms
        whole = ComposeTransform(transforms)
        base_shape = base_distribution.batch_shape + base_distribution.event_shape
        needed = whole.domain.event_dim
        if len(base_shape) < needed:
            raise ValueError(f"base_distribution needs to have shape with size at least {needed}, but got {base_shape}.")
        shape = whole.forward_shape(base_shape)
        expanded = whole.inverse_shape(shape)
        if base_shape != expanded:
            base_distribution = base_distribution.expand(expanded[:len(expanded) - len(base_distribution.event_shape)])
        more = needed - len(base_distribution.event_shape)
        self.base_dist = Independent(base_distribution, more) if more > 0 else base_distribution
        events = whole.codomain.event_dim + max(len(base_distribution.event_shape) - needed, 0)
        cut = len(shape) - events
        super().__init__(torch.Size(shape[:cut]), torch.Size(shape[cut:]), validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        new = self._empty(_instance)
        batch_shape = torch.Size(batch_shape)
        base_shape = ComposeTransform(self.transforms).inverse_shape(batch_shape + self._event_shape)
        new.transforms, new.base_dist = self.transforms, self.base_dist.expand(base_shape[:len(base_shape) - len(self.base_dist.event_shape)])
        return new._with_shapes(self, batch_shape, self._event_shape)

    has_rsample = property(lambda self: self.base_dist.has_rsample)

    @constraints.dependent_property(is_discrete=False)
    def support(self):
        if not self.transforms:
            return self.base_dist.support
        support = self.transforms[-1].codomain
        more = len(self._event_shape) - support.event_dim
        return constraints.independent(support, more) if more > 0 else support

    _transformed = lambda self, x: ComposeTransform(self.transforms)(x)

    @torch.no_grad()
    def sample(self, sample_shape=torch.Size()):
        return self._transformed(self.base_dist.sample(sample_shape))

    rsample = lambda self, sample_shape=torch.Size(): self._transformed(self.base_dist.rsample(sample_shape))

    def log_prob(self, value):
        y, events, total = self._checked(value), len(self._event_shape), 0.0
        for t in reversed(self.transforms):
            x = t.inv(y)
            events += t.domain.event_dim - t.codomain.event_dim
            total = total - sum_rightmost(t.log_abs_det_jacobian(x, y), events - t.domain.event_dim)
            y = x
        return total + sum_rightmost(self.base_dist.log_prob(y), events - len(self.base_dist.event_shape))

    def _turned(self, p):
        """1 - p where the transforms are decreasing."""
        sign = ComposeTransform(self.transforms).sign
        return p if isinstance(sign, int) and sign == 1 else sign * (p - 0.5) + 0.5

    cdf = lambda self, value: self._turned(self.base_dist.cdf(ComposeTransform(self.transforms).inv(self._checked(value))))
    icdf = lambda self, value: self._transformed(self.base_dist.icdf(self._turned(value)))


class LogNormal(TransformedDistribution):
    """exp(x) of a Normal(loc, scale) x"""
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        super().__init__(Normal(loc, scale, validate_args=validate_args), ExpTransform(), validate_args=validate_args)

    loc = property(lambda self: self.base_dist.loc)
    scale = property(lambda self: self.base_dist.scale)
    mean = property(lambda self: (self.loc + self.scale.pow(2) / 2).exp())
    mode = property(lambda self: (self.loc - self.scale.square()).exp())
    variance = property(lambda self: self.scale.pow(2).expm1() * (2 * self.loc + self.scale.pow(2)).exp())
    entropy = lambda self: self.base_dist.entropy() + self.loc


class LogisticNormal(TransformedDistribution):
    """StickBreakingTransform of Normal vectors: parts of 1"""
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.simplex
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        normal = Normal(loc, scale, validate_args=validate_args)
        if not normal.batch_shape:
            normal = normal.expand([1])
        super().__init__(normal, StickBreakingTransform(), validate_args=validate_args)

    loc = property(lambda self: self.base_dist.base_dist.loc)
    scale = property(lambda self: self.base_dist.base_dist.scale)


class MixtureSameFamily(Distribution):
    """One of several distributions of one kind (the last dimension of the component's batch), chosen by a Categorical"""
    arg_constraints = {}
    has_rsample = False

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        m, c = mixture_distribution, component_distribution
        if not isinstance(m, Categorical):
            raise ValueError(" The Mixture distribution needs to be an  instance of torch.distributions.Categorical")
        if not isinstance(c, Distribution):
            raise ValueError("The Component distribution need to be an instance of torch.distributions.Distribution")
        for a, b in zip(reversed(m.batch_shape), reversed(c.batch_shape[:-1])):
            if a != 1 and b != 1 and a != b:
                raise ValueError(f"`mixture_distribution.batch_shape` ({m.batch_shape}) is not compatible with `component_distribution.batch_shape`"
                                 f"({c.batch_shape[:-1]})")
        if m._num_events != c.batch_shape[-1]:
            raise ValueError(f"`mixture_distribution component` ({m._num_events}) does not equal `component_distribution.batch_shape[-1]` "
                             f"({c.batch_shape[-1]})")
        self._mixture_distribution, self._component_distribution, self._num_component = m, c, m._num_events
        super().__init__(c.batch_shape[:-1], c.event_shape, validate_args=validate_args)

    mixture_distribution = property(lambda self: self._mixture_distribution)
    component_distribution = property(lambda self: self._component_distribution)

    def expand(self, batch_shape, _instance=None):
        new = self._empty(_instance)
        batch_shape = torch.Size(batch_shape)
        new._component_distribution = self._component_distribution.expand(batch_shape + (self._num_component,))
        new._mixture_distribution = self._mixture_distribution.expand(batch_shape)
        new._num_component = self._num_component
        return new._with_shapes(self, batch_shape, self._event_shape)

    @constraints.dependent_property
    def support(self):
        return constraints.MixtureSameFamilyConstraint(self._component_distribution.support)

    def _weights(self):
        """The probabilities of the components, with a dimension for each of the event's."""
        p = self._mixture_distribution.probs
        return p.reshape(p.shape + (1,) * len(self._event_shape))

    _mean_of = lambda self, values: (self._weights() * values).sum(-1 - len(self._event_shape))
    mean = property(lambda self: self._mean_of(self._component_distribution.mean))

    @property
    def variance(self):
        c = self._component_distribution
        away = (c.mean - self.mean.unsqueeze(-1 - len(self._event_shape))).pow(2)
        return self._mean_of(c.variance) + self._mean_of(away)

    def log_prob(self, value):
        value = self._checked(value).unsqueeze(-1 - len(self._event_shape))
        weights = torch.log_softmax(self._mixture_distribution.logits, -1)
        return torch.logsumexp(self._component_distribution.log_prob(value) + weights, -1)

    def cdf(self, value):
        value = self._checked(value).unsqueeze(-1 - len(self._event_shape))
        return (self._component_distribution.cdf(value) * self._mixture_distribution.probs).sum(-1)

    @torch.no_grad()
    def sample(self, sample_shape=torch.Size()):
        sample_shape = torch.Size(sample_shape)
        which = self._mixture_distribution.sample(sample_shape)
        values = self._component_distribution.sample(sample_shape)
        dim = len(sample_shape) + len(self._batch_shape)
        which = which.reshape(which.shape + (1,) * (len(self._event_shape) + 1))
        which = which.expand(sample_shape + self._batch_shape + (1,) + self._event_shape)
        return values.gather(dim, which).squeeze(dim)

    __repr__ = lambda self: f"MixtureSameFamily(\n  {self._mixture_distribution},\n  {self._component_distribution})"
