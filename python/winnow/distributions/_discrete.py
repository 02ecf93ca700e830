"""Distributions over integers and one-hot vectors."""
import math

import winnow as torch
from ..nn import functional as F
from . import constraints
from .distribution import Distribution
from .exp_family import ExponentialFamily
from .utils import broadcast_all, lazy_property, logits_to_probs, one_of, probs_to_logits

__all__ = ["Bernoulli", "Geometric", "Binomial", "NegativeBinomial", "Poisson", "Categorical", "OneHotCategorical", "OneHotCategoricalStraightThrough",
           "Multinomial"]


class _Binary(Distribution):
    """Of one probability, given as probs or as logits = log(probs / (1 - probs))."""
    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}

    @lazy_property
    def probs(self):
        return logits_to_probs(self.logits, is_binary=True)

    @lazy_property
    def logits(self):
        return probs_to_logits(self.probs, is_binary=True)

    _copied = ("_given",)
    _param = property(lambda self: self.__dict__[self._given])
    param_shape = property(lambda self: self._param.size())

    def _take(self, probs, logits, *others):
        """Stores what was given, broadcast with the others, which are returned."""
        one_of(probs, logits)
        self._given = "probs" if probs is not None else "logits"
        first, *rest = broadcast_all(probs if probs is not None else logits, *others)
        self.__dict__[self._given] = first
        return rest


class Bernoulli(_Binary, ExponentialFamily):
    """1 with probability probs, else 0"""
    support = constraints.boolean
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._take(probs, logits)
        super().__init__(self._param.size(), validate_args=validate_args)

    mean = property(lambda self: self.probs)
    variance = property(lambda self: self.probs * (1 - self.probs))
    mode = property(lambda self: torch.where(self.probs == 0.5, math.nan, (self.probs >= 0.5).to(self.probs.dtype)))

    @torch.no_grad()
    def sample(self, sample_shape=torch.Size()):
        return torch.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        logits, value = broadcast_all(self.logits, self._checked(value))
        return -F.binary_cross_entropy_with_logits(logits, value, reduction="none")

    entropy = lambda self: F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def enumerate_support(self, expand=True):
        return self._spread(torch.arange(2, dtype=self._param.dtype), expand)


class Geometric(_Binary):
    """probs (1 - probs)^k: failures before the first success"""
    support = constraints.nonnegative_integer

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._take(probs, logits)
        super().__init__(self._param.size(), validate_args=validate_args)
        if self._validate_args and probs is not None:
            valid = self.probs > 0
            if not valid.all():
                raise ValueError(f"Expected parameter probs ({type(self.probs).__name__} of shape {tuple(self.probs.shape)}) of distribution {self!r} "
                                 f"to be positive but found invalid values:\n{self.probs[~valid]}")

    mean = property(lambda self: 1.0 / self.probs - 1.0)
    mode = property(lambda self: torch.zeros_like(self.probs))
    variance = property(lambda self: (1.0 / self.probs - 1.0) / self.probs)

    @torch.no_grad()
    def sample(self, sample_shape=torch.Size()):
        u = torch.empty(self._extended_shape(sample_shape), dtype=self.probs.dtype).uniform_(torch.finfo(self.probs.dtype).tiny, 1)
        return (u.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value):
        value, probs = broadcast_all(self._checked(value), self.probs)
        probs = torch.where((probs == 1) & (value == 0), 0.0, probs)
        return value * (-probs).log1p() + self.probs.log()

    entropy = lambda self: F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs


class Binomial(_Binary):
    """Successes in total_count trials"""
    arg_constraints = {"total_count": constraints.nonnegative_integer, "probs": constraints.unit_interval, "logits": constraints.real}
    has_enumerate_support = True

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        self.total_count, = self._take(probs, logits, total_count)
        self.total_count = self.total_count.type_as(self._param)
        super().__init__(self._param.size(), validate_args=validate_args)

    support = constraints.dependent_property(lambda self: constraints.integer_interval(0, self.total_count), is_discrete=True, event_dim=0)

    mean = property(lambda self: self.total_count * self.probs)
    mode = property(lambda self: ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count))
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    @torch.no_grad()
    def sample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        return torch.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value):
        n, x = self.total_count, self._checked(value)
        choices = torch.lgamma(n + 1) - torch.lgamma(x + 1) - torch.lgamma(n - x + 1)
        return choices + x * self.logits - n * F.softplus(self.logits)

    def _one_count(self, caller):
        """total_count, which has to be the same everywhere."""
        n = int(self.total_count.max())
        if not (self.total_count == n).all():
            raise NotImplementedError(f"Inhomogeneous total count not supported by `{caller}`.")
        return n

    def entropy(self):
        self._one_count("entropy")
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(torch.exp(log_prob) * log_prob).sum(0)

    def enumerate_support(self, expand=True):
        return self._spread(torch.arange(1 + self._one_count("enumerate_support"), dtype=self._param.dtype), expand)


class NegativeBinomial(_Binary):
    """Successes before total_count failures"""
    arg_constraints = {"total_count": constraints.greater_than_eq(0), "probs": constraints.half_open_interval(0.0, 1.0), "logits": constraints.real}
    support = constraints.nonnegative_integer

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        self.total_count, = self._take(probs, logits, total_count)
        self.total_count = self.total_count.type_as(self._param)
        super().__init__(self._param.size(), validate_args=validate_args)

    mean = property(lambda self: self.total_count * torch.exp(self.logits))
    mode = property(lambda self: ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0))
    variance = property(lambda self: self.mean / torch.sigmoid(-self.logits))

    @torch.no_grad()
    def sample(self, sample_shape=torch.Size()):
        rate = torch._standard_gamma(self.total_count.expand(self._extended_shape(sample_shape))) * self.logits.exp()
        return torch.poisson(rate)

    def log_prob(self, value):
        n, x = self.total_count, self._checked(value)
        unnormalized = n * F.logsigmoid(-self.logits) + x * F.logsigmoid(self.logits)
        norm = -torch.lgamma(n + x) + torch.lgamma(1.0 + x) + torch.lgamma(n)
        return unnormalized - torch.where(n + x == 0, 0.0, norm)


class Poisson(ExponentialFamily):
    """rate^k exp(-rate) / k!"""
    arg_constraints = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer

    def __init__(self, rate, validate_args=None):
        self.rate, = broadcast_all(rate)
        super().__init__(self.rate.size(), validate_args=validate_args)

    mean = variance = property(lambda self: self.rate)
    mode = property(lambda self: self.rate.floor())

    @torch.no_grad()
    def sample(self, sample_shape=torch.Size()):
        return torch.poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        rate, value = broadcast_all(self.rate, self._checked(value))
        return value.xlogy(rate) - rate - (value + 1).lgamma()


# ------------------------------------------------------------------ one of several

class Categorical(Distribution):
    """The number k with probability probs[..., k]"""
    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        one_of(probs, logits)
        given = probs if probs is not None else logits
        self._given = "probs" if probs is not None else "logits"
        if given.dim() < 1:
            raise ValueError(f"`{self._given}` parameter must be at least one-dimensional.")
        if probs is not None:
            self.probs = probs / probs.sum(-1, keepdim=True)
        else:
            self.logits = logits - logits.logsumexp(-1, keepdim=True)
        self._num_events = given.size(-1)
        super().__init__(given.shape[:-1], validate_args=validate_args)

    @lazy_property
    def probs(self):
        return logits_to_probs(self.logits)

    @lazy_property
    def logits(self):
        return probs_to_logits(self.probs)

    _copied = "_given", "_num_events"
    _param = property(lambda self: self.__dict__[self._given])
    param_shape = property(lambda self: self._param.size())
    support = constraints.dependent_property(lambda self: constraints.integer_interval(0, self._num_events - 1), is_discrete=True, event_dim=0)

    mean = variance = property(lambda self: torch.full(self._batch_shape, math.nan, dtype=self.probs.dtype))
    mode = property(lambda self: self.probs.argmax(-1))

    @torch.no_grad()
    def sample(self, sample_shape=torch.Size()):
        sample_shape = torch.Size(sample_shape)
        rows = self.probs.reshape(-1, self._num_events)
        if rows.shape[0] == 0 or sample_shape.numel() == 0:
            return torch.empty(self._extended_shape(sample_shape), dtype=torch.int64)
        return torch.multinomial(rows, sample_shape.numel(), True).T.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value):
        value, logits = torch.broadcast_tensors(self._checked(value).long().unsqueeze(-1), self.logits)
        return logits.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        logits = self.logits.clamp(min=torch.finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand=True):
        return self._spread(torch.arange(self._num_events), expand)


class _OfCategorical(Distribution):
    """What has a Categorical inside, and its parameters."""
    arg_constraints = Categorical.arg_constraints
    _expanded = ("_categorical",)
    probs = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)
    param_shape = property(lambda self: self._categorical.param_shape)
    _param = property(lambda self: self._categorical._param)


class OneHotCategorical(_OfCategorical):
    """Categorical whose samples are one-hot vectors"""
    support = constraints.one_hot
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args=validate_args)

    mean = property(lambda self: self._categorical.probs)
    variance = property(lambda self: self.probs * (1 - self.probs))
    _one_hot = lambda self, indices: F.one_hot(indices, self._event_shape[0]).to(self._param.dtype)
    mode = property(lambda self: self._one_hot(self._categorical.mode))
    sample = lambda self, sample_shape=torch.Size(): self._one_hot(self._categorical.sample(sample_shape))
    log_prob = lambda self, value: self._categorical.log_prob(self._checked(value).argmax(-1))
    entropy = lambda self: self._categorical.entropy()

    def enumerate_support(self, expand=True):
        return self._spread(torch.eye(self._event_shape[0], dtype=self._param.dtype), expand)


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """OneHotCategorical whose samples have the gradient of the probabilities"""
    has_rsample = True

    def rsample(self, sample_shape=torch.Size()):
        probs = self._categorical.probs
        return self.sample(sample_shape) + (probs - probs.detach())


class Multinomial(_OfCategorical):
    """How often each of several comes up in total_count draws"""

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._categorical = Categorical(probs, logits)
        self._binomial = Binomial(total_count, probs=self.probs)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args=validate_args)

    _copied = ("total_count",)
    mean = property(lambda self: self.probs * self.total_count)
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    support = constraints.dependent_property(lambda self: constraints.multinomial(self.total_count), is_discrete=True, event_dim=1)

    def expand(self, batch_shape, _instance=None):
        new = super().expand(batch_shape, _instance)
        new._binomial = Binomial(self.total_count, probs=new._categorical.probs, validate_args=False)
        return new

    @torch.no_grad()
    def sample(self, sample_shape=torch.Size()):
        draws = self._categorical.sample(torch.Size((self.total_count,)) + torch.Size(sample_shape)).movedim(0, -1)
        counts = torch.zeros(self._extended_shape(sample_shape), dtype=self._param.dtype)
        return counts.scatter_add(-1, draws, torch.ones(draws.shape, dtype=counts.dtype))

    def log_prob(self, value):
        logits, value = broadcast_all(self.logits, self._checked(value))
        logits = torch.where((value == 0) & (logits == -math.inf), 0.0, logits)
        return torch.lgamma(value.sum(-1) + 1) - torch.lgamma(value + 1).sum(-1) + (logits * value).sum(-1)

    def entropy(self):
        n = torch.tensor(self.total_count)
        weights = torch.exp(self._binomial.log_prob(self._binomial.enumerate_support(False)[1:]))
        counts = self._binomial.enumerate_support(False)[1:]
        return n * self._categorical.entropy() - torch.lgamma(n + 1) + (weights * torch.lgamma(counts + 1)).sum([0, -1])
