"""What of torch.fft needs no complex numbers: frequencies, and their order."""
from . import _C
from ._kinds import need

_rows = _C.functions(1)


def _shifted(name, input, dim, by):
    need(name, _C.Tensor, input=input)
    dims = tuple(range(input.dim())) if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
    for d in dims:
        if not -input.dim() <= d < input.dim():
            raise IndexError(f"Dimension out of range (expected to be in range of [{-input.dim()}, {input.dim() - 1}], but got {d})")
    return _rows["roll"](input, tuple([by(input.size(d)) for d in dims]), dims)


def fftshift(input, dim=None):
    """Frequencies in fftfreq's order to ascending order: along dim (all dimensions) rolled by half its size."""
    return _shifted("fft_fftshift", input, dim, lambda n: n // 2)


def ifftshift(input, dim=None):
    """What undoes fftshift."""
    return _shifted("fft_ifftshift", input, dim, lambda n: (n + 1) // 2)


def _frequencies(name, places, n, d, out, options):
    if not isinstance(n, int):
        raise TypeError(f"{name}(): argument 'n' (position 1) must be int, not {type(n).__name__}")
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    dtype = options.get("dtype") or (_C.get_default_dtype() if out is None else out.dtype)
    if not dtype.is_floating_point:
        raise RuntimeError(f"{name[4:]} requires a floating point or complex dtype")
    options["dtype"], wanted = dtype, options.pop("requires_grad", False)
    result = places(options) * (1.0 / (n * d) if n * d else float("inf"))
    return result.requires_grad_(wanted) if out is None else out.resize_(tuple(result.shape)).copy_(result)


def fftfreq(n, d=1.0, *, out=None, **options):
    """The frequencies of an FFT of n samples d apart: [0, 1, ..., (n - 1) // 2, -(n // 2), ..., -1] / (d * n)."""
    return _frequencies("fft_fftfreq", lambda o: _rows["cat"]([_rows["arange"](0, (n + 1) // 2, **o), _rows["arange"](-(n // 2), 0, **o)]), n, d, out, options)


def rfftfreq(n, d=1.0, *, out=None, **options):
    """The frequencies of rfft: [0, 1, ..., n // 2] / (d * n)."""
    return _frequencies("fft_rfftfreq", lambda o: _rows["arange"](0, n // 2 + 1, **o), n, d, out, options)
