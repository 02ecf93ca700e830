"""torch.signal.windows: window functions of M points, symmetric or (sym=False) one period of M + 1.

Formulas: F. J. Harris, On the use of windows for harmonic analysis with the discrete Fourier transform, Proc. IEEE 66 (1978)."""
import math

import winnow
from .._stand_in import answers as _answers

__all__ = ["bartlett", "blackman", "cosine", "exponential", "gaussian", "general_cosine", "general_hamming", "hamming", "hann", "kaiser", "nuttall"]


def _window(name, M, sym, dtype, layout, device, requires_grad, values):
    """values(k, n): of the points k = 0 ... of a symmetric window of n points."""
    dtype = winnow.get_default_dtype() if dtype is None else dtype
    if M < 0:
        raise ValueError(f"{name} requires non-negative window length, got M={M}")
    if layout is not winnow.strided:
        raise ValueError(f"{name} is implemented for strided tensors only, got: {layout}")
    if dtype not in (winnow.float32, winnow.float64):
        raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")
    if M < 2:
        return winnow.ones(M, dtype=dtype, device=device, requires_grad=requires_grad)
    with winnow.no_grad():
        window = values(winnow.arange(M, dtype=winnow.float64), M if sym else M + 1).to(dtype)
    return window.to(device).requires_grad_(requires_grad) if device is not None else window.requires_grad_(requires_grad)


def bartlett(M, *, sym=True, dtype=None, layout=winnow.strided, device=None, requires_grad=False):
    """1 - |2 k / (n - 1) - 1|"""
    return _window("bartlett", M, sym, dtype, layout, device, requires_grad, lambda k, n: 1 - (2 * k / (n - 1) - 1).abs())


def general_cosine(M, *, a, sym=True, dtype=None, layout=winnow.strided, device=None, requires_grad=False):
    """sum over i of (-1)^i a_i cos(2 pi i k / (n - 1))"""
    a = list(a)
    if not a:
        raise ValueError("Coefficients cannot be empty")

    def values(k, n):
        return sum((-1) ** i * a_i * (k * (2 * math.pi * i / (n - 1))).cos() for i, a_i in enumerate(a))
    return _window("general_cosine", M, sym, dtype, layout, device, requires_grad, values)


def general_hamming(M, *, alpha=0.54, sym=True, dtype=None, layout=winnow.strided, device=None, requires_grad=False):
    """alpha - (1 - alpha) cos(2 pi k / (n - 1))"""
    return general_cosine(M, a=[alpha, 1 - alpha], sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)


# Those that are one of the two above, with coefficients of their own.
_answers(globals(), [
    (f"{_name}(M, *, sym=True, dtype=None, layout=winnow.strided, device=None, requires_grad=False)",
     f"{_of}(M, {_with}, sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)", f"{_of} with {_said}")
    for _name, _of, _with, _said in (
        ("hamming", "general_hamming", "alpha=0.54", "alpha = 0.54"),
        ("hann", "general_hamming", "alpha=0.5", "alpha = 0.5"),
        ("blackman", "general_cosine", "a=[0.42, 0.5, 0.08]", "0.42, 0.5, 0.08"),
        ("nuttall", "general_cosine", "a=[0.3635819, 0.4891775, 0.1365995, 0.0106411]", "0.3635819, 0.4891775, 0.1365995, 0.0106411"))])


def cosine(M, *, sym=True, dtype=None, layout=winnow.strided, device=None, requires_grad=False):
    """sin(pi (k + 0.5) / n)"""
    return _window("cosine", M, sym, dtype, layout, device, requires_grad, lambda k, n: ((k + 0.5) * (math.pi / n)).sin())


def exponential(M, *, center=None, tau=1.0, sym=True, dtype=None, layout=winnow.strided, device=None, requires_grad=False):
    """exp(-|k - center| / tau); center: the middle, unless given for a window that is not symmetric"""
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    return _window("exponential", M, sym, dtype, layout, device, requires_grad,
                   lambda k, n: (-(k - ((n - 1) / 2 if center is None else center)).abs() / tau).exp())


def gaussian(M, *, std=1.0, sym=True, dtype=None, layout=winnow.strided, device=None, requires_grad=False):
    """exp(-(k - (n - 1) / 2)^2 / (2 std^2))"""
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    return _window("gaussian", M, sym, dtype, layout, device, requires_grad, lambda k, n: (-((k - (n - 1) / 2) / std).square() / 2).exp())


def kaiser(M, *, beta=12.0, sym=True, dtype=None, layout=winnow.strided, device=None, requires_grad=False):
    """I_0(beta sqrt(1 - (2 k / (n - 1) - 1)^2)) / I_0(beta)"""
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")

    def values(k, n):
        # I_0(x) = e^x i0e(x): the quotient does not overflow
        x = (1 - (2 * k / (n - 1) - 1).square()).clamp(min=0).sqrt() * beta
        top = winnow.tensor(beta, dtype=winnow.float64)
        return winnow.special.i0e(x) / winnow.special.i0e(top) * (x - top).exp()
    return _window("kaiser", M, sym, dtype, layout, device, requires_grad, values)
