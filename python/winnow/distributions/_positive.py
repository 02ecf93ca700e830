"""Distributions over positive numbers and over parts of 1."""
import math

import winnow as torch
from . import constraints
from .distribution import Distribution
from .exp_family import ExponentialFamily
from .utils import broadcast_all, euler_constant

__all__ = ["Exponential", "Gamma", "Chi2", "InverseGamma", "Beta", "Dirichlet", "Weibull", "Pareto", "FisherSnedecor", "GeneralizedPareto", "Kumaraswamy"]


class Exponential(ExponentialFamily):
    """rate exp(-rate x)"""
    arg_constraints = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True

    def __init__(self, rate, validate_args=None):
        self.rate, = broadcast_all(rate)
        super().__init__(self.rate.size(), validate_args=validate_args)

    mean = stddev = property(lambda self: self.rate.reciprocal())
    mode = property(lambda self: torch.zeros_like(self.rate))
    variance = property(lambda self: self.rate.pow(-2))

    def rsample(self, sample_shape=torch.Size()):
        return torch.empty(self._extended_shape(sample_shape), dtype=self.rate.dtype).exponential_() / self.rate

    log_prob = lambda self, value: self.rate.log() - self.rate * self._checked(value)
    cdf = lambda self, value: 1 - torch.exp(-self.rate * self._checked(value))
    icdf = lambda self, value: -torch.log1p(-value) / self.rate
    entropy = lambda self: 1 - self.rate.log()


class Gamma(ExponentialFamily):
    """rate^a x^(a - 1) exp(-rate x) / Gamma(a), a = concentration"""
    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True

    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(self.concentration.size(), validate_args=validate_args)

    mean = property(lambda self: self.concentration / self.rate)
    mode = property(lambda self: ((self.concentration - 1) / self.rate).clamp(min=0))
    variance = property(lambda self: self.concentration / self.rate.pow(2))

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        value = torch._standard_gamma(self.concentration.expand(shape)) / self.rate.expand(shape)
        return value.clamp(min=torch.finfo(value.dtype).tiny)

    def log_prob(self, value):
        value = torch.as_tensor(self._checked(value), dtype=self.rate.dtype)
        a = self.concentration
        return torch.xlogy(a, self.rate) + torch.xlogy(a - 1, value) - self.rate * value - torch.lgamma(a)

    cdf = lambda self, value: torch.special.gammainc(self.concentration, self.rate * self._checked(value))

    def entropy(self):
        a = self.concentration
        return a - self.rate.log() + torch.lgamma(a) + (1 - a) * torch.digamma(a)


class Chi2(Gamma):
    """Gamma(df / 2, 1 / 2)"""
    arg_constraints = {"df": constraints.positive}

    def __init__(self, df, validate_args=None):
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    df = property(lambda self: self.concentration * 2)
    _expanded = ("concentration", "rate")


class InverseGamma(Distribution):
    """1 / x of a Gamma(concentration, rate) x"""
    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(self.rate.size(), validate_args=validate_args)

    mean = property(lambda self: torch.where(self.concentration > 1, self.rate / (self.concentration - 1), math.inf))
    mode = property(lambda self: self.rate / (self.concentration + 1))

    @property
    def variance(self):
        a = self.concentration
        return torch.where(a > 2, self.rate.square() / ((a - 1).square() * (a - 2)), math.inf)

    def rsample(self, sample_shape=torch.Size()):
        return Gamma(self.concentration, self.rate, validate_args=False).rsample(sample_shape).reciprocal()

    def log_prob(self, value):
        a = self.concentration
        return torch.xlogy(a, self.rate) - (a + 1) * self._checked(value).log() - self.rate / value - torch.lgamma(a)

    cdf = lambda self, value: torch.special.gammaincc(self.concentration, self.rate / self._checked(value))

    def entropy(self):
        a = self.concentration
        return a + self.rate.log() + a.lgamma() - (1 + a) * a.digamma()


class Dirichlet(ExponentialFamily):
    """Proportional to the product of x_i^(a_i - 1), over x that sum to 1"""
    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}
    support = constraints.simplex
    has_rsample = True

    def __init__(self, concentration, validate_args=None):
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args=validate_args)

    def rsample(self, sample_shape=torch.Size()):
        return torch._sample_dirichlet(self.concentration.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        a = self.concentration
        return torch.xlogy(a - 1, self._checked(value)).sum(-1) + torch.lgamma(a.sum(-1)) - torch.lgamma(a).sum(-1)

    mean = property(lambda self: self.concentration / self.concentration.sum(-1, True))

    @property
    def mode(self):
        less = (self.concentration - 1).clamp(min=0)
        mode = less / less.sum(-1, True)
        corner = torch.nn.functional.one_hot(mode.nan_to_num().argmax(-1), self.event_shape[0]).to(mode)
        return torch.where((self.concentration < 1).all(-1, keepdim=True), corner, mode)

    @property
    def variance(self):
        a, total = self.concentration, self.concentration.sum(-1, True)
        return a * (total - a) / (total.pow(2) * (total + 1))

    def entropy(self):
        a, k = self.concentration, self.concentration.size(-1)
        total = a.sum(-1)
        return torch.lgamma(a).sum(-1) - torch.lgamma(total) - (k - total) * torch.digamma(total) - ((a - 1) * torch.digamma(a)).sum(-1)


class Beta(ExponentialFamily):
    """Proportional to x^(concentration1 - 1) (1 - x)^(concentration0 - 1)"""
    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, concentration1, concentration0, validate_args=None):
        self._dirichlet = Dirichlet(torch.stack(broadcast_all(concentration1, concentration0), -1), validate_args=validate_args)
        super().__init__(self._dirichlet._batch_shape, validate_args=validate_args)

    concentration1 = property(lambda self: self._dirichlet.concentration[..., 0])
    concentration0 = property(lambda self: self._dirichlet.concentration[..., 1])
    _expanded = ("_dirichlet",)
    mean = property(lambda self: self.concentration1 / (self.concentration1 + self.concentration0))
    mode = property(lambda self: self._dirichlet.mode[..., 0])

    @property
    def variance(self):
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.pow(2) * (total + 1))

    rsample = lambda self, sample_shape=(): self._dirichlet.rsample(sample_shape)[..., 0]
    log_prob = lambda self, value: self._dirichlet.log_prob(torch.stack([self._checked(value), 1 - value], -1))
    entropy = lambda self: self._dirichlet.entropy()


class Weibull(Distribution):
    """c / s (x / s)^(c - 1) exp(-(x / s)^c), s = scale, c = concentration"""
    arg_constraints = {"scale": constraints.positive, "concentration": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, scale, concentration, validate_args=None):
        self.scale, self.concentration = broadcast_all(scale, concentration)
        super().__init__(self.scale.size(), validate_args=validate_args)

    _moment = lambda self, n: torch.exp(torch.lgamma(1 + n / self.concentration))
    mean = property(lambda self: self.scale * self._moment(1))
    variance = property(lambda self: self.scale.pow(2) * (self._moment(2) - self._moment(1) ** 2))

    @property
    def mode(self):
        c = self.concentration
        return torch.where(c > 1, self.scale * ((c - 1).clamp(min=0) / c) ** c.reciprocal(), 0.0)

    def rsample(self, sample_shape=torch.Size()):
        e = torch.empty(self._extended_shape(sample_shape), dtype=self.scale.dtype).exponential_()
        return self.scale * e ** self.concentration.reciprocal()

    def log_prob(self, value):
        c, z = self.concentration, self._checked(value) / self.scale
        return c.log() - self.scale.log() + (c - 1) * z.log() - z ** c

    cdf = lambda self, value: -torch.expm1(-(self._checked(value) / self.scale) ** self.concentration)
    icdf = lambda self, value: self.scale * (-torch.log1p(-value)) ** self.concentration.reciprocal()

    def entropy(self):
        r = self.concentration.reciprocal()
        return 0.57721566490153286060 * (1 - r) + torch.log(self.scale * r) + 1


class Pareto(Distribution):
    """alpha scale^alpha / x^(alpha + 1), from scale upwards"""
    arg_constraints = {"alpha": constraints.positive, "scale": constraints.positive}
    has_rsample = True

    def __init__(self, scale, alpha, validate_args=None):
        self.scale, self.alpha = broadcast_all(scale, alpha)
        super().__init__(self.scale.size(), validate_args=validate_args)

    support = constraints.dependent_property(lambda self: constraints.greater_than_eq(self.scale), is_discrete=False, event_dim=0)

    mean = property(lambda self: torch.where(self.alpha > 1, self.alpha * self.scale / (self.alpha - 1), math.inf))
    mode = property(lambda self: self.scale)

    @property
    def variance(self):
        a = self.alpha
        return torch.where(a > 2, self.scale.pow(2) * a / ((a - 1).pow(2) * (a - 2)), math.inf)

    def rsample(self, sample_shape=torch.Size()):
        return self.scale * (torch.empty(self._extended_shape(sample_shape), dtype=self.scale.dtype).exponential_() / self.alpha).exp()

    def log_prob(self, value):
        return self.alpha.log() + self.alpha * self.scale.log() - (self.alpha + 1) * self._checked(value).log()

    cdf = lambda self, value: 1 - (self.scale / self._checked(value)) ** self.alpha
    icdf = lambda self, value: self.scale * (1 - value) ** (-1 / self.alpha)
    entropy = lambda self: (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())


class FisherSnedecor(Distribution):
    """(X / df1) / (Y / df2) of a Chi2(df1) X and a Chi2(df2) Y"""
    arg_constraints = {"df1": constraints.positive, "df2": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, df1, df2, validate_args=None):
        self.df1, self.df2 = broadcast_all(df1, df2)
        super().__init__(self.df1.size(), validate_args=validate_args)

    mean = property(lambda self: torch.where(self.df2 > 2, self.df2 / (self.df2 - 2), math.nan))

    @property
    def mode(self):
        a, b = self.df1, self.df2
        return torch.where(a > 2, (a - 2) / a * b / (b + 2), math.nan)

    @property
    def variance(self):
        a, b = self.df1, self.df2
        return torch.where(b > 4, 2 * b.square() * (a + b - 2) / (a * (b - 2).square() * (b - 4)), math.nan)

    def rsample(self, sample_shape=torch.Size()):
        above, below = (Gamma(df / 2, df / 2, validate_args=False).rsample(sample_shape) for df in (self.df1, self.df2))
        return above / below.clamp(min=torch.finfo(below.dtype).tiny)

    def log_prob(self, value):
        a, b, ratio = self.df1 / 2, self.df2 / 2, self.df1 / self.df2
        scale = torch.lgamma(a + b) - torch.lgamma(a) - torch.lgamma(b)
        return scale + a * ratio.log() + (a - 1) * self._checked(value).log() - (a + b) * torch.log1p(ratio * value)


class GeneralizedPareto(Distribution):
    """The excess over loc of what is rare: 1/scale (1 + c z)^(-1/c - 1), z = (x - loc) / scale, c = concentration; exp(-z)/scale where c is 0"""
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive, "concentration": constraints.real}
    has_rsample = True

    def __init__(self, loc, scale, concentration, validate_args=None):
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        super().__init__(self.loc.size(), validate_args=validate_args)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        end = torch.where(self.concentration < 0, self.loc - self.scale / self.concentration, math.inf)
        return constraints.interval(self.loc, end)

    def _parts(self):
        """(is c 0, c or 1 in its place)"""
        flat = self.concentration.abs() <= torch.finfo(self.concentration.dtype).eps
        return flat, torch.where(flat, 1.0, self.concentration)

    mode = property(lambda self: self.loc)
    mean = property(lambda self: torch.where(self.concentration < 1, self.loc + self.scale / (1 - self.concentration), math.nan))

    @property
    def variance(self):
        c = self.concentration
        return torch.where(c < 0.5, self.scale.square() / ((1 - c).square() * (1 - 2 * c)), math.nan)

    def _log_survival(self, value):
        flat, c = self._parts()
        z = (value - self.loc) / self.scale
        return torch.where(flat, -z, -torch.log1p(torch.where(flat, 0.0, c * z)) / c)

    def log_prob(self, value):
        return (1 + self.concentration) * self._log_survival(self._checked(value)) - self.scale.log()

    def log_survival_function(self, value):
        """log(1 - cdf(value))"""
        return self._log_survival(self._checked(value))

    def log_cdf(self, value):
        """log(cdf(value))"""
        return torch.log1p(-self._log_survival(self._checked(value)).exp())

    cdf = lambda self, value: -torch.expm1(self._log_survival(self._checked(value)))

    def icdf(self, value):
        flat, c = self._parts()
        tail = -torch.log1p(-value)  # of an Exponential(1)
        return self.loc + self.scale * torch.where(flat, tail, torch.expm1(torch.where(flat, 0.0, c * tail)) / c)

    def rsample(self, sample_shape=torch.Size()):
        return self.icdf(torch.rand(self._extended_shape(sample_shape), dtype=self.loc.dtype))

    entropy = lambda self: self.scale.log() + self.concentration + 1


class Kumaraswamy(Distribution):
    """a b x^(a - 1) (1 - x^a)^(b - 1) on (0, 1), a = concentration1, b = concentration0"""
    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, concentration1, concentration0, validate_args=None):
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        super().__init__(self.concentration1.size(), validate_args=validate_args)

    def _moment(self, n):
        a, b = self.concentration1, self.concentration0
        return (torch.lgamma(1 + n / a) + torch.lgamma(1 + b) - torch.lgamma(1 + n / a + b)).exp()

    mean = property(lambda self: self._moment(1))
    variance = property(lambda self: self._moment(2) - self._moment(1).square())

    @property
    def mode(self):
        a, b = self.concentration1, self.concentration0
        one = (a >= 1) & (b >= 1) & ((a != 1) | (b != 1))
        return torch.where(one, ((a - 1) / (a * b - 1)) ** a.reciprocal(), math.nan)

    def rsample(self, sample_shape=torch.Size()):
        u = torch.rand(self._extended_shape(sample_shape), dtype=self.concentration1.dtype)
        return self.icdf(1 - u).clamp(min=torch.finfo(u.dtype).tiny, max=1 - torch.finfo(u.dtype).eps)

    def _log_beyond(self, value):
        """log(1 - value^a)"""
        return torch.log1p(-(value ** self.concentration1))

    def log_prob(self, value):
        a, b = self.concentration1, self.concentration0
        return a.log() + b.log() + torch.xlogy(a - 1, self._checked(value)) + (b - 1) * self._log_beyond(value)

    cdf = lambda self, value: -torch.expm1(self.concentration0 * self._log_beyond(self._checked(value)))

    def icdf(self, value):
        return (-torch.expm1(torch.log1p(-value) / self.concentration0)) ** self.concentration1.reciprocal()

    def entropy(self):
        a, b = self.concentration1, self.concentration0
        return (1 - b.reciprocal()) + (1 - a.reciprocal()) * (torch.digamma(b + 1) + euler_constant) - a.log() - b.log()
