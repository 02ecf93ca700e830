"""Sets and statistics whose torch spelling is no signature: results whose number depends on arguments, lists of numbers."""
from .. import _C
from .general import adapter
from .._construct import Tensor
from .._kinds import need, need_dims

rows = _C.functions(1)
_ours = _C.functions(256)  # rows that torch has not

# ------------------------------------------------------------------ unique

_unique2, _unique_dim, _consecutive = rows["_unique2"], rows["unique_dim"], rows["unique_consecutive"]


def _wanted(r, return_inverse, return_counts):
    output, inverse, counts = r
    if return_inverse:
        return (output, inverse, counts) if return_counts else (output, inverse)
    return (output, counts) if return_counts else output


@adapter("fm")
def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """How many results there are depends on what was asked for."""
    need("unique", Tensor, input=input)
    if dim is None:
        r = _unique2(input, sorted, return_inverse, return_counts)
    else:
        r = _unique_dim(input, dim, sorted, return_inverse, return_counts)
    return _wanted(r, return_inverse, return_counts)


@adapter("fm")
def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """How many results there are depends on what was asked for."""
    return _wanted(_consecutive(input, return_inverse, return_counts, dim), return_inverse, return_counts)


def unique_dim(input, dim, sorted=True, return_inverse=False, return_counts=False):
    """torch._VF.unique_dim: unique along dim, with all three results."""
    return tuple(_unique_dim(input, dim, sorted, return_inverse, return_counts))


# ------------------------------------------------------------------ several tensors, lists of numbers

@adapter("f")
def trapz(y, x=None, *, dx=None, dim=-1):
    """The integral of y along dim by the trapezoid rule: at points x, or dx apart. Another name for trapezoid."""
    if x is not None and dx is not None:
        raise TypeError("trapz() received an invalid combination of arguments: x and dx")
    if x is not None:
        return rows["trapezoid"](y, x, dim=dim)
    return rows["trapezoid"](y, dx=1 if dx is None else float(dx), dim=dim)


_gradient_along, _gradient_at = _ours["_gradient_along"], _ours["_gradient_at"]


@adapter("f")
def gradient(input, *, spacing=None, dim=None, edge_order=1):
    """One derivative for each dimension; spacing is a number, or a list with a number or the points of each dimension."""
    need("gradient", Tensor, input=input)
    if isinstance(spacing, Tensor):
        raise TypeError("gradient() received an invalid combination of arguments: spacing is a tensor, not a list of tensors")
    dims = list(range(input.dim())) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    if not isinstance(spacing, (list, tuple)):
        each = [1 if spacing is None else spacing] * len(dims)
    else:
        each = list(spacing)
        if len(each) != len(dims):
            raise RuntimeError(f"torch.gradient expected spacing to be unspecified, a scalar, or a list of length {len(dims)}, but got a list of length {len(each)}")
    need_dims(dims, input.dim())
    return tuple((_gradient_at if isinstance(s, Tensor) else _gradient_along)(input, d, s, edge_order) for d, s in zip(dims, each))


# ------------------------------------------------------------------ histograms

_histogram, _histogram_count, _histogram_cells = rows["histogram"], _ours["_histogram_count"], _ours["_histogram_cells"]


def _named(name, r, like=None):
    """r with the names of torch's result, printed as torch prints those."""
    import collections

    from .._tensor import named_tuple_text

    kind = collections.namedtuple(name, "hist bin_edges")
    kind.__module__, kind.__repr__ = "torch.return_types", named_tuple_text
    return kind(*r)


def _limits(name, range, n):
    if range is None:
        return [(None, None)] * n
    r = [float(v) for v in range]
    if len(r) != 2 * n:
        raise RuntimeError(f"torch.histogramdd: for a {n}-dimensional histogram range should have {2 * n} elements, but got {len(r)}")
    for k in builtin_range(n):
        if not (abs(r[2 * k]) < float("inf") and abs(r[2 * k + 1]) < float("inf")):
            raise RuntimeError(f"torch.histogramdd: dimension {k}'s range [{r[2 * k]}, {r[2 * k + 1]}] is not finite")
        if r[2 * k] > r[2 * k + 1]:
            raise RuntimeError(f"torch.histogramdd: min should not exceed max, but got min {r[2 * k]} max {r[2 * k + 1]} for dimension {k}")
    return list(zip(r[::2], r[1::2]))


builtin_range = range


@adapter("fm")
def histogram(input, bins=100, *, range=None, weight=None, density=False, out=None):
    """range is a list of two numbers."""
    if isinstance(bins, Tensor):
        if range is not None:
            raise TypeError("histogram() received an invalid combination of arguments: range goes with a number of bins")
        r = _histogram(input, bins, weight=weight, density=density)
    else:
        low, high = _limits("histogram", range, 1)[0]
        r = _histogram(input, bins, weight=weight, density=density) if not isinstance(bins, int) else _histogram_count(input, bins, low, high, weight, density)
    r = _named("histogram", r)
    if out is None:
        return r
    if not isinstance(out, (tuple, list)) or len(out) != 2 or not all(isinstance(o, Tensor) for o in out):
        raise TypeError("histogram(): argument 'out' must be tuple of Tensors of length 2")
    for name, o in zip(("hist", "bin_edges"), out):
        if o.dtype != input.dtype:
            raise RuntimeError(f"torch.histogram: input tensor and {name} tensor should have the same dtype, but got input {input.dtype} and {name} {o.dtype}")
    from .._construct import store_out

    return _named("histogram", (store_out("histogram", r[0], out[0]), store_out("histogram", r[1], out[1])))


def _edges(input, bins, limits):
    low, high = limits
    if low is None:
        low, high = (0.0, 1.0) if input.numel() == 0 else (v.item() for v in rows["aminmax"](input))
        if not (abs(low) < float("inf") and abs(high) < float("inf")):
            raise RuntimeError(f"torch.histogramdd: range [{low}, {high}] is not finite")
    if low == high:
        low, high = low - 0.5, high + 0.5
    return rows["linspace"](low, high, bins + 1, dtype=input.dtype)


@adapter("f")
def histogramdd(input, bins, range=None, weight=None, density=False):
    """bins: how many, how many for each dimension, or the edges of each dimension."""
    need("histogramdd", Tensor, input=input)
    if input.dim() < 2:
        raise RuntimeError(f"torch.histogramdd: input tensor should have at least 2 dimensions, but got {input.dim()}")
    n, flat = input.shape[-1], input.detach()
    by_edges = isinstance(bins, (list, tuple)) and bool(bins) and isinstance(bins[0], Tensor)
    counts = list(bins) if isinstance(bins, (list, tuple)) else [bins] * n
    if len(counts) != n:
        raise RuntimeError(f"torch.histogramdd: expected {n} {'sequences of bin edges' if by_edges else 'numbers of bins'} for a {n}-dimensional histogram but got {len(counts)}")
    if not by_edges and any(k <= 0 for k in counts):
        raise RuntimeError(f"torch.histogramdd: bins must be > 0, but got {min(counts)}")
    if not input.is_floating_point():
        raise NotImplementedError(f'"histogramdd" not implemented for {input.dtype}')
    if n == 0:
        return _named("histogramdd", (input.new_zeros(()) / (0.0 if density else 1.0), ()))
    if by_edges:
        edges = counts
    else:
        edges = [_edges(flat.select(-1, k), b, limits) for k, (b, limits) in enumerate(zip(counts, _limits("histogramdd", range, n)))]
    hist = _histogram_cells(flat, edges, weight, not by_edges)
    if density:
        hist = hist / hist.sum()
        for k, e in enumerate(edges):
            hist = hist / rows["diff"](e).reshape([-1] + [1] * (n - 1 - k))
    return _named("histogramdd", (hist, tuple(edges)))
