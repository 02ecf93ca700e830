"""What torch itself leaves open, so that a module may answer otherwise and be right.

Memory that was never written; the signs of singular vectors; which of several equal elements is named by an index;
the order of what was asked for unsorted. Everything else is to be as in torch, or stand in deviations.py.
"""
import numpy as np

from carry import FrozenTensor, Seen, SeenTuple
from compare import compare

# Their results are memory as it was found. resize_ keeps the elements that were there, see lost_elements().
UNINITIALISED = {"empty", "empty_like", "empty_strided", "empty_permuted", "new_empty", "new_empty_strided",
                 "resize_", "resize_as_"}

# Kinds of out= (see outs.py) for which torch 2.13 writes outside the tensor's memory, which ends the process.
BROKEN_OUT = {"tril": ("strided",), "triu": ("strided",)}

# Vectors known up to a sign: the database's output_process_fn_grad makes of the result what is determined.
GAUGE = {"svd", "linalg.svd", "linalg.eigh", "linalg.eig", "svd_lowrank", "pca_lowrank"}

# Operations whose result holds indices of elements: positional parameters after the input, and where the values and
# the indices stand in the result.
INDICES = {
    "sort": (("dim", "descending", "stable"), 0, 1),
    "argsort": (("dim", "descending", "stable"), None, None),
    "topk": (("k", "dim", "largest", "sorted"), 0, 1),
    "kthvalue": (("k", "dim", "keepdim"), 0, 1),
    "mode": (("dim", "keepdim"), 0, 1),
    "median": (("dim", "keepdim"), 0, 1),
    "nanmedian": (("dim", "keepdim"), 0, 1),
}


def values_are_free(op, drew):
    """Are the values of the result unspecified? `drew`: torch's generator moved during the call."""
    return drew or op.has_nondeterministic_output or op.name in UNINITIALISED


def _parameters(op, args, kwargs):
    """{name: value} of the call of an operation in INDICES; None where the call is of another form."""
    names = INDICES[op.name][0]
    given = dict(zip(names, args), **kwargs)
    return {name: value for name, value in given.items() if name in names}


def _as_numbers(seen):
    values = seen.values()
    return values.astype(np.float64) if seen.dtype in ("float16", "bfloat16") else values


def _same(one, other):
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


def _indices_name_equals(op, source, parameters, expected, actual):
    """Do the indices that differ name equal elements, and in a permutation no element twice?"""
    dim = parameters.get("dim", -1)
    if source.ndim == 0 or not isinstance(dim, int):
        return False
    one, other = expected.array.astype(np.int64), actual.array.astype(np.int64)
    if one.ndim == source.ndim - 1:                     # a reduction without keepdim
        one, other = np.expand_dims(one, dim), np.expand_dims(other, dim)
    if one.ndim != source.ndim or other.size == 0 or other.min() < 0 or other.max() >= source.shape[dim]:
        return False
    first, second = (np.take_along_axis(source, index, dim) for index in (one, other))
    if op.name == "topk" and parameters.get("sorted") is False:
        first, second = np.sort(first, dim), np.sort(second, dim)
    if op.name in ("sort", "argsort", "topk"):
        in_order = np.sort(other, dim)
        if (np.diff(in_order, axis=dim) == 0).any():
            return False
    return _same(first, second)


def excused(op, frozen, expected, actual, tolerances):
    """A result that differs: is the difference one that torch leaves open? Only for indices of equal elements; `frozen`
    is (input, args, kwargs)."""
    if op.name not in INDICES or tolerances is None:
        return False
    source, args, kwargs = frozen
    if not isinstance(source, FrozenTensor):
        return False
    parameters = _parameters(op, args, kwargs)
    if parameters.get("stable"):
        return False
    _, values_at, indices_at = INDICES[op.name]
    if compare(expected, actual, None):                 # structure, shapes and dtypes first
        return False
    if indices_at is not None:
        if not isinstance(expected, SeenTuple):
            return False
        values = expected.items[values_at], actual.items[values_at]
        indices = expected.items[indices_at], actual.items[indices_at]
        if op.name == "topk" and parameters.get("sorted") is False:
            dim = parameters.get("dim", -1)
            same_values = _same(np.sort(_as_numbers(values[0]), dim), np.sort(_as_numbers(values[1]), dim)) \
                if values[0].array.ndim else False
        else:
            same_values = compare(values[0], values[1], tolerances) is None
        if not same_values:
            return False
    else:
        indices = expected, actual
    held = Seen(source.dtype, source.array(), False)
    return _indices_name_equals(op, _as_numbers(held), parameters, *indices)


def lost_elements(op, frozen, expected, actual):
    """resize_ leaves open what new elements hold, not what becomes of the old ones: None or what is wrong."""
    source = frozen[0]
    if op.name not in ("resize_", "resize_as_") or not isinstance(source, FrozenTensor):
        return None
    before = source.array().reshape(-1)
    count = min(before.size, expected.array.size)
    one, other = expected.array.reshape(-1)[:count], actual.array.reshape(-1)[:count]
    if one.tobytes() != other.tobytes():
        return f"the {count} elements that stay are not what they were"
    return None
