"""Draws that the engine has no operation for: gamma, Poisson, binomial, Dirichlet. Rejection on whole tensors: each round draws for
what the rounds before have rejected. Computed in float64. With WINNOW_RNG=torch the draws are PyTorch's: _draws_torch.py."""
import os

import winnow as torch
from .autograd import Function
from .autograd.function import once_differentiable

__all__ = ["poisson", "binomial", "_standard_gamma", "_sample_dirichlet", "_dirichlet_grad", "_standard_gamma_grad"]


def _rejected(propose, parameters, result, generator):
    """Fills result (1-d): propose(*parameters, generator) -> (values, which of them are accepted)."""
    value, accepted = propose(*parameters, generator)
    result.copy_(value)
    left = (~accepted).nonzero().flatten()
    while left.numel():
        value, accepted = propose(*[p[left] for p in parameters], generator)
        result[left[accepted]] = value[accepted]
        left = left[~accepted]
    return result


def _split(where, small, large, parameters, generator):
    """Elements for which `where` holds from one sampler, the others from another."""
    result = torch.empty(where.shape, dtype=torch.float64)
    for chosen, sampler in ((where, small), (~where, large)):
        at = chosen.nonzero().flatten()
        if at.numel():
            result[at] = sampler(*[p[at] for p in parameters], generator)
    return result


def _uniform(like, generator):
    """Numbers in (0, 1]: their logarithm is finite."""
    return 1 - torch.rand(like.shape, dtype=torch.float64, generator=generator)


def draws_as_torch():
    """Do generators give PyTorch's stream?"""
    return os.environ.get("WINNOW_RNG") == "torch"


# ------------------------------------------------------------------ gamma

def _propose_gamma(d, c, generator):
    """Marsaglia and Tsang (2000): d (1 + c x)^3 of a normal x, accepted by comparing logarithms of densities."""
    x = torch.randn(d.shape, dtype=torch.float64, generator=generator)
    v = (1 + c * x) ** 3
    u = _uniform(d, generator)
    return d * v, (v > 0) & (u.log() < 0.5 * x * x + d - d * v + d * v.clamp(min=1e-300).log())


def _gamma(alpha, generator):
    if draws_as_torch() and alpha.dtype in (torch.float32, torch.float64):
        from ._draws_torch import gamma

        return gamma(alpha, generator)
    a = alpha.detach().double().reshape(-1)
    small = a < 1
    d = torch.where(small, a + 1, a) - 1 / 3
    result = _rejected(_propose_gamma, (d, (9 * d).rsqrt()), torch.empty_like(d), generator)
    result = torch.where(small, result * _uniform(a, generator) ** (1 / a), result)
    return torch.where(a > 0, result, torch.where(a == 0, 0.0, torch.nan)).reshape(alpha.shape)


def _gamma_derivative_series(a, z):
    """dz/da at a constant value of the distribution function F, by the series F = z^a / Gamma(a+1) * sum (-z)^k/k! a/(a+k): for z <= 2."""
    total, slope, term = torch.ones_like(z), torch.zeros_like(z), torch.ones_like(z)
    for k in range(1, 32):
        term = term * (-z / k)
        total = total + term * a / (a + k)
        slope = slope + term * k / (a + k) ** 2
    return -(z / a) * z.exp() * (total * (z.log() - torch.digamma(a + 1)) + slope)


def _gamma_derivative_difference(a, z):
    """The same by a central difference of the distribution function (or of its complement, where that is the smaller)."""
    h = 1e-4 * a.clamp(min=0.1)
    lower = (torch.special.gammainc(a + h, z) - torch.special.gammainc(a - h, z)) / (2 * h)
    upper = (torch.special.gammaincc(a - h, z) - torch.special.gammaincc(a + h, z)) / (2 * h)
    log_density = (a - 1) * z.log() - z - torch.lgamma(a)
    return -torch.where(z > a, upper, lower) / log_density.exp()


def _standard_gamma_grad(self, output):
    """d output / d concentration of gamma samples: -(dF/da) / (dF/dz)."""
    a, z = torch.broadcast_tensors(self.detach().double(), output.detach().double())
    z = z.clamp(min=1e-300)
    derivative = torch.where(z <= 2, _gamma_derivative_series(a, z.clamp(max=2)), _gamma_derivative_difference(a, z.clamp(min=2)))
    return torch.where(derivative.isfinite(), derivative, (z / a).sqrt()).to(output.dtype)


class _StandardGamma(Function):
    @staticmethod
    def forward(ctx, alpha, generator):
        z = _gamma(alpha, generator).to(alpha.dtype)
        ctx.save_for_backward(alpha, z)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        return grad * _standard_gamma_grad(*ctx.saved_tensors), None


_StandardGamma.__name__ = "StandardGamma"


def _standard_gamma(self, generator=None):
    """Gamma samples of scale 1, one for each concentration; differentiable (implicitly reparametrised)."""
    return _StandardGamma.apply(self, generator)


# ------------------------------------------------------------------ Dirichlet

def _dirichlet_grad(x, alpha, total):
    """(dx/da) / (1 - x) at a constant value F of the distribution function of Beta(a, b), b = total - a. dF/da is an integral of the density times
    log t + digamma(a + b) - digamma(a), over t from 0 to x, or over the rest where that is the smaller part: by the double exponential rule
    for z in t = x exp(-z/a), or in 1 - t = (1 - x) exp(-z/b)."""
    t, a, n = (v.detach().double().unsqueeze(-1) for v in torch.broadcast_tensors(x, alpha, total))
    b, lower = n - a, t < a / n
    w = torch.arange(-45, 71, dtype=torch.float64) / 10
    z = (w - (-w).exp()).exp()
    weight = 0.1 * z * (1 + (-w).exp()) * (-z).exp()
    t = t.clamp(1e-300, 1 - 2.0**-53)
    near, p, q = torch.where(lower, t, 1 - t), torch.where(lower, a, b), torch.where(lower, b, a)
    rest = 1 - near * (-z / p).exp()  # 1 - t for the lower part, t for the upper one
    logarithm = torch.where(lower, t.log() - z / a, rest.log()) + torch.digamma(n) - torch.digamma(a)
    total = (weight * logarithm * ((q - 1) * (rest / (1 - near)).log()).exp()).sum(-1, keepdim=True) / p
    return torch.where(lower, -total * t / (1 - t), total).squeeze(-1).to(x.dtype)


class _Dirichlet(Function):
    @staticmethod
    def forward(ctx, alpha, generator):
        g = _gamma(alpha.detach().double(), generator).clamp(min=torch.finfo(torch.float64).tiny)
        x = (g / g.sum(-1, keepdim=True)).to(alpha.dtype).clamp(torch.finfo(alpha.dtype).tiny, 1 - torch.finfo(alpha.dtype).eps / 2)
        ctx.save_for_backward(x, alpha)
        return x

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        x, alpha = ctx.saved_tensors
        d = _dirichlet_grad(x, alpha, alpha.sum(-1, keepdim=True).expand_as(alpha))
        return d * (grad - (x * grad).sum(-1, keepdim=True)), None


def _sample_dirichlet(self, generator=None):
    """Dirichlet samples: gamma samples divided by their sum. The gradient is that of each part's marginal beta distribution, as PyTorch's
    distributions have it."""
    return _Dirichlet.apply(self, generator)


# ------------------------------------------------------------------ Poisson

def _poisson_small(rate, generator):
    """By the distribution function, from 0 upwards: for rates below 10."""
    u = 1 - _uniform(rate, generator)
    p = (-rate).exp()
    total, k = p, torch.zeros_like(rate)
    for i in range(1, 200):
        above = u >= total
        if not above.any():
            break
        k = k + above
        p = p * rate / i
        total = total + p
    return k


def _propose_poisson(rate, generator):
    """Hoermann's transformed rejection with squeeze (PTRS, 1993)."""
    b = 0.931 + 2.53 * rate.sqrt()
    a = -0.059 + 0.02483 * b
    u, v = torch.rand(rate.shape, dtype=torch.float64, generator=generator) - 0.5, _uniform(rate, generator)
    us = 0.5 - u.abs()
    k = ((2 * a / us + b) * u + rate + 0.43).floor()
    quick = (us >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
    possible = (k >= 0) & ~((us < 0.013) & (v > us))
    density = k * rate.log() - rate - torch.lgamma(k.clamp(min=0) + 1)
    return k, quick | (possible & (v.log() + (1.1239 + 1.1328 / (b - 3.4)).log() - (a / (us * us) + b).log() <= density))


def _poisson_large(rate, generator):
    return _rejected(_propose_poisson, (rate,), torch.empty_like(rate), generator)


@torch.no_grad()
def poisson(input, generator=None):
    """Poisson counts, one for each rate, in the dtype of the rates."""
    rate = input.double().reshape(-1)
    if not (rate >= 0).all():
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    if draws_as_torch():
        from ._draws_torch import poisson

        return torch.tensor(poisson(rate.tolist(), generator), dtype=torch.float64).reshape(input.shape).to(input.dtype)
    return _split(rate < 10, _poisson_small, _poisson_large, (rate,), generator).reshape(input.shape).to(input.dtype)


# ------------------------------------------------------------------ binomial

def _binomial_small(n, p, generator):
    """By the distribution function: for n p < 10, p <= 1/2."""
    u = 1 - _uniform(n, generator)
    odds = p / (1 - p)
    weight = (n * torch.log1p(-p)).exp()
    total, k = weight, torch.zeros_like(n)
    for i in range(200):
        above = (u >= total) & (k < n)
        if not above.any():
            break
        k = k + above
        weight = weight * (n - i).clamp(min=0) / (i + 1) * odds
        total = total + weight
    return k


def _propose_binomial(n, p, generator):
    """Hoermann's BTRS (1993): for n p >= 10, p <= 1/2."""
    spread = (n * p * (1 - p)).sqrt()
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    u, v = torch.rand(n.shape, dtype=torch.float64, generator=generator) - 0.5, _uniform(n, generator)
    us = 0.5 - u.abs()
    k = ((2 * a / us + b) * u + n * p + 0.5).floor()
    m = ((n + 1) * p).floor()
    inside = (k >= 0) & (k <= n)
    c = torch.minimum(k.clamp(min=0), n)
    ratio = torch.lgamma(m + 1) + torch.lgamma(n - m + 1) - torch.lgamma(c + 1) - torch.lgamma(n - c + 1) + (c - m) * (p / (1 - p)).log()
    height = v.log() + ((2.83 + 5.1 / b) * spread).log() - (a / (us * us) + b).log()
    return k, inside & (((us >= 0.07) & (v <= 0.92 - 4.2 / b)) | (height <= ratio))


def _binomial_large(n, p, generator):
    return _rejected(_propose_binomial, (n, p), torch.empty_like(n), generator)


@torch.no_grad()
def binomial(count, prob, generator=None):
    """Counts of successes in `count` trials of probability `prob`, in the dtype of the counts."""
    n, p = torch.broadcast_tensors(count, prob)
    shape = n.shape
    n, p = n.double().reshape(-1), p.double().reshape(-1)
    if not ((n >= 0) & (p >= 0) & (p <= 1)).all():
        raise RuntimeError("binomial: counts must not be negative, probabilities must lie in [0, 1]")
    if draws_as_torch():
        from ._draws_torch import binomial

        values = binomial(n.tolist(), p.tolist(), generator, count.dtype is torch.float32)
        return torch.tensor(values, dtype=torch.float64).reshape(shape).to(count.dtype)
    flipped = p > 0.5
    q = torch.where(flipped, 1 - p, p)
    k = _split(n * q < 10, _binomial_small, _binomial_large, (n, q), generator)
    return torch.where(flipped, n - k, k).reshape(shape).to(count.dtype)
