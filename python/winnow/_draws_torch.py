"""Gamma, Poisson and binomial draws as PyTorch's CPU kernels make them, for WINNOW_RNG=torch: element by element from the generator's uniform and
normal numbers of float64, in their order, so that with the same seed the numbers are PyTorch's. _draws.py has what is used otherwise."""
from ctypes import c_float
from math import ceil, exp, floor, inf, lgamma, log, log1p, nan, sqrt

import winnow as torch

_THIRD, _SQUEEZE = 0.3333333432674408, 0.03310000151395798  # 1/3 and 0.0331 as single precision has them


def _numbers(draw, generator):
    return lambda: draw((), dtype=torch.float64, generator=generator).item()


def _gamma_one(shape, power, d, uniform, normal):
    """Marsaglia and Tsang's method for d = shape - 1/3, shape made larger by 1 where it is below."""
    scale = 1.0
    if shape < 1:
        if shape == 0:
            return 0.0
        scale = (1 - uniform()) ** power
    if not 0 < d < inf:
        return nan
    c = 1 / sqrt(9 * d)
    while True:
        x = normal()
        y = 1 + c * x
        if y <= 0:
            continue
        v, u, xx = y * y * y, 1 - uniform(), x * x
        if u < 1 - _SQUEEZE * xx * xx or log(u) < 0.5 * xx + d * (1 - v + log(v)):
            return scale * d * v


def gamma(alpha, generator):
    """Samples of Gamma(alpha, 1) in alpha's dtype (float32 or float64), in which the shapes are prepared."""
    a = alpha.detach().contiguous().reshape(-1)
    d = torch.where(a < 1, a + 1, a) - _THIRD
    uniform, normal = _numbers(torch.rand, generator), _numbers(torch.randn, generator)
    values = [_gamma_one(*one, uniform, normal) for one in zip(a.tolist(), a.reciprocal().tolist(), d.tolist())]
    return torch.tensor(values, dtype=torch.float64).to(alpha.dtype).reshape(alpha.shape).clamp(min=torch.finfo(alpha.dtype).tiny)


def _poisson_one(rate, uniform):
    if rate < 10:
        least, product, k = exp(-rate), 1.0, 0
        while rate:
            product *= uniform()
            if product <= least:
                break
            k += 1
        return k
    b = 0.931 + 2.53 * sqrt(rate)
    a = -0.059 + 0.02483 * b
    while True:  # Hoermann's PTRS
        u, v = uniform() - 0.5, uniform()
        us = 0.5 - abs(u)
        k = floor((2 * a / us + b) * u + rate + 0.43)
        if us >= 0.07 and v <= 0.9277 - 3.6224 / (b - 2):
            return k
        if k < 0 or (us < 0.013 and v > us):
            continue
        if log(v) + log(1.1239 + 1.1328 / (b - 3.4)) - log(a / (us * us) + b) <= -rate + k * log(rate) - lgamma(k + 1):
            return k


def poisson(rate, generator):
    """Counts for a list of rates."""
    uniform = _numbers(torch.rand, generator)
    return [_poisson_one(r, uniform) for r in rate]


def _few_successes(n, p, uniform, rounded):
    """The number of geometric waits that fit into n trials."""
    total, k, slope = 0, 0, rounded(log1p(-p))
    while True:
        u = uniform()
        total += ceil(log(u) / slope) if u else inf
        if total > n:
            return k
        k += 1


def _stirling_rest(k):
    """lgamma(k + 1) without Stirling's leading terms."""
    if k < 10:
        return lgamma(k + 1) - ((k + 0.5) * log(k + 1) - (k + 1) + 0.9189385332046727)
    square = (k + 1) ** 2
    return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)


def _many_successes(n, p, uniform, rounded):
    """Hoermann's BTRS. What PyTorch computes in the dtype of the counts is rounded to it."""
    failure, mean = rounded(1 - p), rounded(n * p)
    spread, odds, m = rounded(sqrt(rounded(mean * failure))), rounded(p / failure), floor(rounded(rounded(n + 1) * p))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    while True:
        u, v = uniform() - 0.5, uniform()
        us = 0.5 - abs(u)
        k = rounded(floor((2 * a / us + b) * u + (mean + 0.5)))
        if k < 0 or k > n:
            continue
        if us >= 0.07 and v <= 0.92 - 4.2 / b:
            return k
        rest = rounded(n - k)
        left = rounded(rest + 1)
        bound = ((m + 0.5) * log((m + 1) / (odds * (n - m + 1))) + rounded(n + 1) * log((n - m + 1) / left) + (k + 0.5) * log(odds * left / rounded(k + 1)) +
                 _stirling_rest(m) + _stirling_rest(n - m) - _stirling_rest(k) - _stirling_rest(rest))
        if log(v * ((2.83 + 5.1 / b) * spread) / (a / (us * us) + b)) <= bound:
            return k


def _binomial_one(n, p, uniform, rounded):
    if n <= 0 or p <= 0:
        return 0
    if p >= 1:
        return n
    q = p if p <= 0.5 else rounded(1 - p)
    k = (_many_successes if rounded(n * q) >= 10 else _few_successes)(n, q, uniform, rounded)
    return k if p <= 0.5 else n - k


def binomial(counts, probabilities, generator, single):
    """Counts of successes for lists of counts and probabilities; single: of float32."""
    uniform, rounded = _numbers(torch.rand, generator), (lambda v: c_float(v).value) if single else float
    return [_binomial_one(n, p, uniform, rounded) for n, p in zip(counts, probabilities)]
