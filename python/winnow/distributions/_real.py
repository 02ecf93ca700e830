"""Distributions over the reals (or half of them) that are a location and a scale, and uniform ones."""
import math

import winnow as torch
from . import constraints
from .distribution import Distribution
from .exp_family import ExponentialFamily
from .utils import broadcast_all, euler_constant, standard_normal

__all__ = ["Normal", "Laplace", "Cauchy", "HalfNormal", "HalfCauchy", "Gumbel", "StudentT", "Uniform", "VonMises"]

_LOG_SQRT_2PI = 0.5 * math.log(2 * math.pi)


class _LocScale(Distribution):
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.size(), validate_args=validate_args)

    mean = mode = property(lambda self: self.loc)
    _standard = lambda self, value: (self._checked(value) - self.loc) / self.scale


class Normal(_LocScale, ExponentialFamily):
    """exp(-(x - loc)^2 / (2 scale^2)) / (scale sqrt(2 pi))"""
    variance = property(lambda self: self.scale ** 2)
    stddev = property(lambda self: self.scale)

    def sample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape=torch.Size()):
        return self.loc + standard_normal(self._extended_shape(sample_shape), self.loc) * self.scale

    log_prob = lambda self, value: -0.5 * self._standard(value) ** 2 - self.scale.log() - _LOG_SQRT_2PI
    cdf = lambda self, value: 0.5 * (1 + torch.erf(self._standard(value) / math.sqrt(2)))
    icdf = lambda self, value: self.loc + self.scale * torch.erfinv(2 * value - 1) * math.sqrt(2)
    entropy = lambda self: 0.5 + _LOG_SQRT_2PI + self.scale.log()


class Laplace(_LocScale):
    """exp(-|x - loc| / scale) / (2 scale)"""
    variance = property(lambda self: 2 * self.scale ** 2)
    stddev = property(lambda self: math.sqrt(2) * self.scale)

    def rsample(self, sample_shape=torch.Size()):
        eps = torch.finfo(self.loc.dtype).eps
        u = torch.empty(self._extended_shape(sample_shape), dtype=self.loc.dtype).uniform_(eps - 1, 1)
        return self.loc - self.scale * u.sign() * torch.log1p(-u.abs().clamp(max=1 - eps / 2))

    log_prob = lambda self, value: -(2 * self.scale).log() - self._standard(value).abs()

    def cdf(self, value):
        z = self._standard(value)
        return 0.5 - 0.5 * z.sign() * torch.expm1(-z.abs())

    def icdf(self, value):
        term = value - 0.5
        return self.loc - self.scale * term.sign() * torch.log1p(-2 * term.abs())

    entropy = lambda self: 1 + (2 * self.scale).log()


class Cauchy(_LocScale):
    """1 / (pi scale (1 + ((x - loc) / scale)^2))"""
    mean = property(lambda self: torch.full_like(self.loc, math.nan))
    variance = property(lambda self: torch.full_like(self.loc, math.inf))

    def rsample(self, sample_shape=torch.Size()):
        return self.loc + torch.empty(self._extended_shape(sample_shape), dtype=self.loc.dtype).cauchy_() * self.scale

    log_prob = lambda self, value: -math.log(math.pi) - self.scale.log() - (self._standard(value) ** 2).log1p()
    cdf = lambda self, value: torch.atan(self._standard(value)) / math.pi + 0.5
    icdf = lambda self, value: torch.tan(math.pi * (value - 0.5)) * self.scale + self.loc
    entropy = lambda self: math.log(4 * math.pi) + self.scale.log()


class Gumbel(_LocScale):
    """exp(-(z + exp(-z))) / scale, z = (x - loc) / scale"""
    mean = property(lambda self: self.loc + self.scale * euler_constant)
    stddev = property(lambda self: (math.pi / math.sqrt(6)) * self.scale)
    variance = property(lambda self: self.stddev ** 2)

    def rsample(self, sample_shape=torch.Size()):
        info = torch.finfo(self.loc.dtype)
        u = torch.rand(self._extended_shape(sample_shape), dtype=self.loc.dtype) * (1 - info.eps - info.tiny) + info.tiny
        return self.loc - self.scale * (-u.log()).log()

    def log_prob(self, value):
        z = -self._standard(value)
        return z - z.exp() - self.scale.log()

    cdf = lambda self, value: (-(-self._standard(value)).exp()).exp()
    icdf = lambda self, value: self.loc - self.scale * (-value.log()).log()
    entropy = lambda self: self.scale.log() + (1 + euler_constant)


class _Half(Distribution):
    """The absolute value of a distribution around 0."""
    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True

    def __init__(self, scale, validate_args=None):
        self._base = self._whole(0, scale, validate_args=False)
        super().__init__(self._base.batch_shape, validate_args=validate_args)

    scale = property(lambda self: self._base.scale)
    mode = property(lambda self: torch.zeros_like(self.scale))
    _expanded = ("_base",)
    rsample = lambda self, sample_shape=torch.Size(): self._base.rsample(sample_shape).abs()

    def log_prob(self, value):
        log_prob = self._base.log_prob(self._checked(value)) + math.log(2)
        return torch.where(value >= 0, log_prob, -math.inf)

    cdf = lambda self, value: 2 * self._base.cdf(self._checked(value)) - 1
    icdf = lambda self, prob: self._base.icdf((prob + 1) / 2)
    entropy = lambda self: self._base.entropy() - math.log(2)


class HalfNormal(_Half):
    """|x| of a normal x around 0."""
    _whole = Normal
    mean = property(lambda self: self.scale * math.sqrt(2 / math.pi))
    variance = property(lambda self: self.scale ** 2 * (1 - 2 / math.pi))


class HalfCauchy(_Half):
    """|x| of a Cauchy x around 0."""
    _whole = Cauchy
    mean = property(lambda self: torch.full_like(self.scale, math.inf))
    variance = property(lambda self: torch.full_like(self.scale, math.inf))


class StudentT(Distribution):
    """Proportional to (1 + z^2 / df)^(-(df + 1) / 2), z = (x - loc) / scale"""
    arg_constraints = {"df": constraints.positive, "loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        super().__init__(self.df.size(), validate_args=validate_args)

    mean = property(lambda self: torch.where(self.df > 1, self.loc, math.nan))
    mode = property(lambda self: self.loc)

    @property
    def variance(self):
        finite = self.scale ** 2 * self.df / (self.df - 2)
        return torch.where(self.df > 2, finite, torch.where(self.df > 1, math.inf, torch.full_like(self.df, math.nan)))

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        x = standard_normal(shape, self.df)
        chi2 = 2 * torch._standard_gamma((self.df / 2).expand(shape))
        return self.loc + self.scale * x * torch.rsqrt(chi2 / self.df)

    def log_prob(self, value):
        z = (self._checked(value) - self.loc) / self.scale
        norm = self.scale.log() + 0.5 * self.df.log() + 0.5 * math.log(math.pi) + torch.lgamma(0.5 * self.df) - torch.lgamma(0.5 * (self.df + 1))
        return -0.5 * (self.df + 1) * torch.log1p(z ** 2 / self.df) - norm

    def entropy(self):
        half, more = 0.5 * self.df, 0.5 * (self.df + 1)
        log_beta = torch.lgamma(half) + math.lgamma(0.5) - torch.lgamma(more)
        return self.scale.log() + more * (torch.digamma(more) - torch.digamma(half)) + 0.5 * self.df.log() + log_beta


class Uniform(Distribution):
    """1 / (high - low) from low to high"""
    has_rsample = True

    arg_constraints = property(lambda self: {"low": constraints.less_than(self.high), "high": constraints.greater_than(self.low)})

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = broadcast_all(low, high)
        super().__init__(self.low.size(), validate_args=validate_args)

    support = constraints.dependent_property(lambda self: constraints.interval(self.low, self.high), is_discrete=False, event_dim=0)

    mean = property(lambda self: (self.high + self.low) / 2)
    mode = property(lambda self: torch.full_like(self.low, math.nan))
    variance = property(lambda self: (self.high - self.low) ** 2 / 12)
    stddev = property(lambda self: (self.high - self.low) / math.sqrt(12))

    def rsample(self, sample_shape=torch.Size()):
        u = torch.rand(self._extended_shape(sample_shape), dtype=self.low.dtype)
        return self.low + u * (self.high - self.low)

    def log_prob(self, value):
        inside = (self.low <= self._checked(value)) & (self.high > value)
        return inside.to(self.low.dtype).log() - (self.high - self.low).log()

    cdf = lambda self, value: ((self._checked(value) - self.low) / (self.high - self.low)).clamp(0, 1)
    icdf = lambda self, value: value * (self.high - self.low) + self.low
    entropy = lambda self: (self.high - self.low).log()


class VonMises(Distribution):
    """Angles: exp(concentration cos(x - loc)) / (2 pi I_0(concentration))"""
    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}
    support = constraints.real
    has_rsample = False

    def __init__(self, loc, concentration, validate_args=None):
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.size(), validate_args=validate_args)

    mean = mode = property(lambda self: self.loc, doc="The direction of the mean vector.")
    variance = property(lambda self: 1 - torch.special.i1e(self.concentration) / torch.special.i0e(self.concentration),
                        doc="The circular variance: 1 - the length of the mean vector.")

    def log_prob(self, value):
        k = self.concentration  # log(I_0(k)) = k + log(i0e(k))
        return k * (torch.cos(self._checked(value) - self.loc) - 1) - math.log(2 * math.pi) - torch.special.i0e(k).log()

    @torch.no_grad()
    def sample(self, sample_shape=torch.Size()):
        """By rejection from a wrapped Cauchy distribution (D. J. Best and N. I. Fisher, Applied Statistics 28, 1979), in float64."""
        shape = self._extended_shape(sample_shape)
        k = self.concentration.double().clamp(min=1e-8).expand(shape)
        tau = 1 + (1 + 4 * k.square()).sqrt()
        rho = (tau - (2 * tau).sqrt()) / (2 * k)
        r = torch.where(k < 1e-5, 1 / k + k, (1 + rho.square()) / (2 * rho))
        angle, wanting = torch.zeros(shape, dtype=torch.float64), torch.ones(shape, dtype=torch.bool)
        while wanting.any():
            u1, u2, u3 = torch.rand((3,) + tuple(shape), dtype=torch.float64)
            z = torch.cos(math.pi * u1)
            f = (1 + r * z) / (r + z)
            c = k * (r - f)
            good = (c * (2 - c) - u2 > 0) | ((c / u2).log() + 1 - c >= 0)  # also of those who have one: as good, and PyTorch's
            angle = torch.where(good, (u3 - 0.5).sign() * f.clamp(-1, 1).acos(), angle)
            wanting = wanting & ~good
        return (torch.remainder(angle + math.pi + self.loc, 2 * math.pi) - math.pi).to(self.loc.dtype)
