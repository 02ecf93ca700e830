"""associative_scan, which torch keeps under _higher_order_ops: running results of an associative function along a dimension."""
from . import cat, tensor
from .utils._pytree import tree_flatten, tree_unflatten

__all__ = ["associative_scan"]


def _scanned(combine, parts, dim):
    """Running results of the list of tensors: those of pairs, and what stands between."""
    n = parts[0].shape[dim]
    if n < 2:
        return parts

    def cut(ts, start, stop, step=1):
        return [t[(slice(None),) * dim + (slice(start, stop, step),)] for t in ts]

    odd = _scanned(combine, combine(cut(parts, 0, n - 1, 2), cut(parts, 1, n, 2)), dim)
    even = combine(cut(odd, 0, (n - 1) // 2), cut(parts, 2, n, 2)) if n > 2 else cut(parts, 0, 0)
    even = [cat([first, rest], dim) for first, rest in zip(cut(parts, 0, 1), even)]
    places = [i // 2 if i % 2 == 0 else even[0].shape[dim] + i // 2 for i in range(n)]
    index = tensor(places)
    return [cat([a, b], dim).index_select(dim, index) for a, b in zip(even, odd)]


def associative_scan(combine_fn, xs, dim, reverse=False, combine_mode="pointwise"):
    """xs: a tensor or a structure of tensors of one length along dim; combine_fn(left, right) takes and returns such structures."""
    leaves, spec = tree_flatten(xs)
    if not leaves:
        raise ValueError("Expected at least one xs leaf")
    dim = dim % leaves[0].dim()
    if reverse:
        leaves = [t.flip(dim) for t in leaves]

    def combine(left, right):
        return tree_flatten(combine_fn(tree_unflatten(left, spec), tree_unflatten(right, spec)))[0]

    found = _scanned(combine, leaves, dim)
    return tree_unflatten([t.flip(dim) for t in found] if reverse else found, spec)
