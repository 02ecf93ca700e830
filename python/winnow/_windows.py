"""torch.hann_window and its like: windows of the older form, periodic unless said otherwise."""
import winnow

from .signal import windows

__all__ = ["bartlett_window", "blackman_window", "hamming_window", "hann_window", "kaiser_window"]


def _make(name, window_length, periodic, out_options, window, **parameters):
    if isinstance(window_length, bool) or not isinstance(window_length, int):
        raise TypeError(f"{name}(): argument 'window_length' (position 1) must be int, not {type(window_length).__name__}")
    if window_length < 0:
        raise RuntimeError(f"{name} requires non-negative window_length, got window_length={window_length}")
    dtype = out_options.pop("dtype", None) or winnow.get_default_dtype()
    if not dtype.is_floating_point:
        raise RuntimeError(f"{name} expects floating point dtypes, got: {dtype}")
    requires_grad = out_options.pop("requires_grad", False)
    unknown = out_options.keys() - {"layout", "device", "pin_memory"}
    if unknown:
        raise TypeError(f"{name}() got an unexpected keyword argument '{min(unknown)}'")
    made = window(window_length, sym=not periodic, dtype=winnow.float64, device=out_options.get("device"), **parameters)
    return made.to(dtype).requires_grad_(requires_grad)


def bartlett_window(window_length, periodic=True, **options):
    """1 - |2 k / (n - 1) - 1| for k = 0 ... window_length - 1; n = window_length + 1 if periodic, else window_length. options: dtype, device, requires_grad."""
    return _make("bartlett_window", window_length, periodic, options, windows.bartlett)


def blackman_window(window_length, periodic=True, **options):
    """0.42 - 0.5 cos(2 pi k / (n - 1)) + 0.08 cos(4 pi k / (n - 1)); see bartlett_window"""
    return _make("blackman_window", window_length, periodic, options, windows.blackman)


def hamming_window(window_length, periodic=True, alpha=0.54, beta=0.46, **options):
    """alpha - beta cos(2 pi k / (n - 1)); see bartlett_window"""
    return _make("hamming_window", window_length, periodic, options, windows.general_cosine, a=[alpha, beta])


def hann_window(window_length, periodic=True, **options):
    """sin(pi k / (n - 1))^2; see bartlett_window"""
    return _make("hann_window", window_length, periodic, options, windows.hann)


def kaiser_window(window_length, periodic=True, beta=12.0, **options):
    """I_0(beta sqrt(1 - (2 k / (n - 1) - 1)^2)) / I_0(beta); see bartlett_window"""
    return _make("kaiser_window", window_length, periodic, options, windows.kaiser, beta=beta)
