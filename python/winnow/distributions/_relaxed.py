"""Continuous distributions in the place of discrete ones: with a temperature, or between 0 and 1."""
import math

import winnow as torch
from ..nn import functional as F
from . import constraints
from ._compound import TransformedDistribution
from ._discrete import Categorical, _Binary, _OfCategorical
from .transforms import ExpTransform, SigmoidTransform
from .utils import broadcast_all, clamp_probs

__all__ = ["ContinuousBernoulli", "RelaxedBernoulli", "RelaxedOneHotCategorical"]


class _WithTemperature:
    """The parameters of the distribution that is transformed."""
    has_rsample = True
    temperature = property(lambda self: self.base_dist.temperature)
    logits = property(lambda self: self.base_dist.logits)
    probs = property(lambda self: self.base_dist.probs)


class LogitRelaxedBernoulli(_Binary):
    """Logistic numbers around logits / temperature: RelaxedBernoulli before the sigmoid"""
    support = constraints.real
    has_rsample = True
    _copied = "_given", "temperature"

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        self._take(probs, logits)
        super().__init__(self._param.size(), validate_args=validate_args)

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        p, u = clamp_probs(self.probs.expand(shape)), clamp_probs(torch.rand(shape, dtype=self._param.dtype))
        return (u.log() - torch.log1p(-u) + p.log() - torch.log1p(-p)) / self.temperature

    def log_prob(self, value):
        logits, value = broadcast_all(self.logits, self._checked(value))
        away = logits - value * self.temperature
        return torch.as_tensor(self.temperature).log() + away - 2 * F.softplus(away)


class RelaxedBernoulli(_WithTemperature, TransformedDistribution):
    """sigmoid((logits + Logistic) / temperature); C. J. Maddison et al., The Concrete distribution, 2017"""
    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        super().__init__(LogitRelaxedBernoulli(temperature, probs, logits), SigmoidTransform(), validate_args=validate_args)


class ExpRelaxedCategorical(_OfCategorical):
    """log_softmax((logits + Gumbel) / temperature): RelaxedOneHotCategorical before exp"""
    support = constraints.real_vector  # a part of it: exp of them sums to 1
    has_rsample = True
    _copied = ("temperature",)

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self._categorical, self.temperature = Categorical(probs, logits), temperature
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args=validate_args)

    def rsample(self, sample_shape=torch.Size()):
        u = clamp_probs(torch.rand(self._extended_shape(sample_shape), dtype=self.logits.dtype))
        return F.log_softmax((self.logits - (-u.log()).log()) / self.temperature, -1)

    def log_prob(self, value):
        logits, value = torch.broadcast_tensors(self.logits, self._checked(value))
        n = self._event_shape[0]
        scale = math.lgamma(n) + (n - 1) * torch.as_tensor(self.temperature, dtype=logits.dtype).log()
        return F.log_softmax(logits - value * self.temperature, -1).sum(-1) + scale


class RelaxedOneHotCategorical(_WithTemperature, TransformedDistribution):
    """softmax((logits + Gumbel) / temperature); E. Jang et al., Categorical reparameterization with Gumbel-softmax, 2017"""
    arg_constraints = Categorical.arg_constraints
    support = constraints.simplex

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        super().__init__(ExpRelaxedCategorical(temperature, probs, logits), ExpTransform(), validate_args=validate_args)


class ContinuousBernoulli(_Binary):
    """C(p) p^x (1 - p)^(1 - x) on [0, 1], C(p) = 2 artanh(1 - 2 p) / (1 - 2 p); G. Loaiza-Ganem and J. P. Cunningham, 2019.

    lims: between them, where p is near 1/2, the formulas are replaced by Taylor's."""
    support = constraints.unit_interval
    has_rsample = True
    _copied = "_given", "_lims"

    def __init__(self, probs=None, logits=None, lims=(0.499, 0.501), validate_args=None):
        self._take(clamp_probs(probs) if isinstance(probs, torch.Tensor) else probs, logits)
        self._lims = lims
        super().__init__(self._param.size(), validate_args=validate_args)

    def _by_halves(self):
        """(is p far from 1/2, p where it is and lims[0] elsewhere, p - 1/2)"""
        p = clamp_probs(self.probs)
        far = (p <= self._lims[0]) | (p > self._lims[1])
        return far, torch.where(far, p, self._lims[0]), p - 0.5

    def _log_scale(self):
        """log(C(p))"""
        far, p, d = self._by_halves()
        x = d.square()
        exact = (torch.log1p(-p) - p.log()).abs().log() - (1 - 2 * p).abs().log()
        return torch.where(far, exact, math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x)

    @property
    def mean(self):
        far, p, d = self._by_halves()
        return torch.where(far, p / (2 * p - 1) + 1 / (torch.log1p(-p) - p.log()), 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * d.square()) * d)

    @property
    def variance(self):
        far, p, d = self._by_halves()
        x = d.square()
        exact = p * (p - 1) / (1 - 2 * p).square() + (torch.log1p(-p) - p.log()).square().reciprocal()
        return torch.where(far, exact, 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x)

    def rsample(self, sample_shape=torch.Size()):
        return self.icdf(torch.rand(self._extended_shape(sample_shape), dtype=self._param.dtype))

    def log_prob(self, value):
        logits, value = broadcast_all(self.logits, self._checked(value))
        return self._log_scale() - F.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def cdf(self, value):
        far, p, _ = self._by_halves()
        inside = torch.where(far, (p ** self._checked(value) * (1 - p) ** (1 - value) + p - 1) / (2 * p - 1), value)
        return torch.where(value <= 0, 0.0, torch.where(value >= 1, 1.0, inside))

    def icdf(self, value):
        far, p, _ = self._by_halves()
        return torch.where(far, (torch.log1p(-p + value * (2 * p - 1)) - torch.log1p(-p)) / (p.log() - torch.log1p(-p)), value)

    def entropy(self):
        p = clamp_probs(self.probs)
        zero, one = torch.log1p(-p), p.log()
        return self.mean * (zero - one) - self._log_scale() - zero
