"""The functions of torch.masked over where=."""
import math
from operator import index

from .. import _C
from .._construct import Tensor
from .._types import bool as boolean, float32, iinfo, int64

_t, _nn, _linalg = _C.functions(1), _C.functions(4), _C.functions(8)
_SUMS_IN_INT64 = {"uint8", "bool", "int8", "int16", "int32"}

__all__ = ["amax", "amin", "argmax", "argmin", "cumprod", "cumsum", "log_softmax", "logaddexp", "logsumexp", "mean", "median", "norm",
           "normalize", "prod", "softmax", "softmin", "std", "sum", "var"]


def _mask(input, mask):
    """The mask as bool in input's shape (a view where it is broadcast); None stays None."""
    if mask is None:
        return None
    if not isinstance(mask, Tensor):
        raise TypeError(f"mask must be a Tensor, not {type(mask).__name__}")
    if mask.dim() > input.dim():
        raise IndexError("_input_mask expected broadcastable mask (got mask dimensionality higher than of the input)")
    mask = mask.bool()
    return mask if mask.shape == input.shape else mask.broadcast_to(input.shape)


def _dims(dim, ndim):
    """dim as a tuple of dimensions from 0; None: all."""
    if dim is None:
        return tuple(range(ndim))
    dims = []
    for d in map(index, dim if isinstance(dim, (tuple, list)) else (dim,)):
        if not -max(ndim, 1) <= d < max(ndim, 1):
            raise IndexError(f"Dimension out of range (expected to be in range of [{-max(ndim, 1)}, {max(ndim, 1) - 1}], but got {d})")
        d %= max(ndim, 1)
        if d in dims:
            raise RuntimeError(f"dim={d} appears multiple times in the list of dims")
        dims.append(d)
    return tuple(sorted(dims))


def _filled(input, mask, value):
    """input with `value` where the mask leaves out; recorded, so that the reader of the result computes it in passing."""
    return input if mask is None else _t["where"](_mask(input, mask), input, _t["scalar_tensor"](value, dtype=input.dtype))


def _extreme(dtype, largest):
    """The largest or smallest value of a dtype."""
    if dtype.is_floating_point:
        return float("inf") if largest else float("-inf")
    if dtype._name == "bool":
        return largest
    return iinfo(dtype).max if largest else iinfo(dtype).min


def _summed(name):
    def f(input, dim=None, *, keepdim=False, dtype=None, mask=None):
        if dtype is None:
            dtype = int64 if input.dtype._name in _SUMS_IN_INT64 else input.dtype
        where = _mask(input, mask)
        dims = _dims(dim, input.dim())
        if name == "prod" and not dims and where is None:
            return input.to(dtype)
        if name == "sum" or len(dims) == input.dim():
            return _t[name](input, dims or None, bool(keepdim), dtype=dtype, where=where)
        for d in sorted(dims, reverse=True):  # prod: dimension by dimension
            input, where = _t[name](input, d, bool(keepdim), dtype=dtype, where=where), None
        return input
    return f


def _mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    source = "Optional" if dtype is not None else "Input"
    dtype = dtype if dtype is not None else input.dtype
    if not dtype.is_floating_point:
        raise ValueError(f"mean(): Could not infer output dtype. {source} dtype must be either a floating point or complex dtype. Got: {dtype}")
    return _t["mean"](input, _dims(dim, input.dim()) or None, bool(keepdim), dtype=dtype, where=_mask(input, mask))


def _extremum(name):
    def f(input, dim=None, *, keepdim=False, dtype=None, mask=None):
        # filled, not where=: over nothing torch gives the fill value, for integers, too
        x = _filled(input, mask, _extreme(input.dtype, name == "amin"))
        return _t[name](x, _dims(dim, input.dim()), bool(keepdim)).to(input.dtype if dtype is None else dtype)
    return f


def _arg(name):
    def f(input, dim=None, *, keepdim=False, dtype=None, mask=None):
        x = _filled(input, mask, _extreme(input.dtype, name == "argmin"))
        return _t[name](x, dim, bool(keepdim)).to(input.dtype if dtype is None else dtype)
    return f


def _scan(name):
    def f(input, dim, *, dtype=None, mask=None):
        d, = _dims(dim, input.dim()) or (0,)
        return _t[name](input, d, dtype=input.dtype if dtype is None else dtype, where=_mask(input, mask))
    return f


def _logsumexp(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    where = _mask(input, mask)
    if not input.dtype.is_floating_point:  # over nothing torch gives the smallest integer
        input, where = _filled(input, mask, _extreme(input.dtype, False)), None
    y = _t["logsumexp"](input, _dims(dim, input.dim()), keepdim, where=where)
    return y.to(input.dtype if dtype is None else dtype)


def _logaddexp(input, other, *, dtype=None, input_mask=None, other_mask=None):
    low = float("-inf")
    y = _t["logaddexp"](_filled(input, input_mask, low), _filled(other, other_mask, low))
    return y.to(input.dtype if dtype is None else dtype)


def _median(input, dim=-1, *, keepdim=False, dtype=None, mask=None):
    d, = _dims(dim, input.dim()) or (0,)
    floating = input.dtype.is_floating_point
    y = _t["nanmedian"](_filled(input if floating else input.to(float32), mask, float("nan")), d, keepdim).values
    if floating:
        return y
    if y.isnan().any():
        raise ValueError("masked median expects no fully masked out rows if dtype is not floating point")
    return y.to(input.dtype if dtype is None else dtype)


def _norm(input, ord=2.0, dim=None, *, keepdim=False, dtype=None, mask=None):
    where = _mask(input, mask)
    if ord == float("-inf"):  # over nothing torch gives inf, vector_norm 0
        input, where = _filled(input, mask, float("inf")), None
    return _linalg["vector_norm"](input, ord, _dims(dim, input.dim()), bool(keepdim), dtype=dtype, where=where)


def _spread(name):
    def f(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
        if unbiased is not None and correction is not None:
            raise AssertionError("Only one of unbiased and correction may be given")
        if correction is None:
            correction = 1 if unbiased is None or unbiased else 0
        if dtype is None:
            dtype = input.dtype if input.dtype.is_floating_point else float32
        x = input if input.dtype == dtype or not dtype.is_floating_point else input.to(dtype)
        if not x.dtype.is_floating_point:
            x = x.to(float32)
        dims, where = _dims(dim, input.dim()), _mask(input, mask)
        if where is None and math.prod([x.shape[d] for d in dims if x.dim()]) <= correction:  # torch.masked does not warn that nothing is left
            where = x.new_ones((), dtype=boolean)
        return _t[name](x, dims or None, keepdim=bool(keepdim), correction=correction, where=where).to(dtype)
    return f


def _softmax_like(name, function, fill, nothing):
    def f(input, dim, *, dtype=None, mask=None):
        d, = _dims(dim, input.dim()) or (0,)
        y = function(_filled(input, mask, fill(input.dtype)), d, dtype=input.dtype if dtype is None else dtype)
        return y if mask is None else y.masked_fill(~_mask(input, mask).any(d, keepdim=True), nothing)
    return f


def _normalize(input, ord, dim, *, eps=1e-12, dtype=None, mask=None):
    size = _norm(input, ord, dim, keepdim=True, dtype=input.dtype if dtype is None else dtype, mask=mask)
    return _t["div"](_filled(input, mask, 0), _t["maximum"](size, size.new_full([], eps)))


def _softmin(x, dim, dtype=None):
    return _t["softmax"](-x, dim, dtype)


_all = {"sum": _summed("sum"), "prod": _summed("prod"), "mean": _mean, "amax": _extremum("amax"), "amin": _extremum("amin"),
        "argmax": _arg("argmax"), "argmin": _arg("argmin"), "cumsum": _scan("cumsum"), "cumprod": _scan("cumprod"),
        "logsumexp": _logsumexp, "logaddexp": _logaddexp, "median": _median, "norm": _norm, "var": _spread("var"), "std": _spread("std"),
        "softmax": _softmax_like("softmax", _t["softmax"], lambda d: _extreme(d, False), 0),
        "log_softmax": _softmax_like("log_softmax", _t["log_softmax"], lambda d: _extreme(d, False), -math.inf),
        "softmin": _softmax_like("softmin", _softmin, lambda d: _extreme(d, True), 0), "normalize": _normalize}
_REDUCED = "{} of the elements whose mask is True (mask=None: of all), over dim (None: over all dimensions)."
_ALONG = "{} along dim, as if the elements whose mask is False were not there."
_DOCS = {"sum": _REDUCED, "prod": _REDUCED, "mean": _REDUCED, "amax": _REDUCED, "amin": _REDUCED, "logsumexp": _REDUCED, "norm": _REDUCED,
         "var": _REDUCED, "std": _REDUCED, "argmax": _REDUCED, "argmin": _REDUCED, "median": "The lower {} of the elements whose mask is True, along dim.",
         "logaddexp": "{} of the elements; one whose mask (input_mask, other_mask) is False counts as -inf.", "cumsum": _ALONG, "cumprod": _ALONG,
         "softmax": _ALONG, "log_softmax": _ALONG, "softmin": _ALONG,
         "normalize": "input divided by the norm of order ord, along dim, of the elements whose mask is True; 0 where it is False."}
for _name, _f in _all.items():
    _f.__name__ = _f.__qualname__ = _name
    _f.__doc__ = _DOCS[_name].format(_name)
    _f.__module__ = "torch.masked"
globals().update(_all)
