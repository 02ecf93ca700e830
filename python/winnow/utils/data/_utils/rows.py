"""Data sets whose batches are rows of tensors: taken by one gather for each tensor, without a call of Python for each sample.

Such are TensorDataset, data sets with a method `_winnow_rows` (the MNISTs of winnow's torchvision), and Subset and ConcatDataset of
these. A subclass that might do something else with an index is not.
"""
import bisect

from .... import _C
from ...._types import int64
from ..dataset import ConcatDataset, Subset, TensorDataset

_functions = _C.functions(1)
_index_select, _cat = _functions["index_select"], _functions["cat"]


def rows_of(dataset):
    """What takes its batches, or None."""
    kind = type(dataset)
    if getattr(dataset, "__getitems__", None) is not None and getattr(kind, "__getitems__", None) is not Subset.__getitems__:
        return None
    if kind.__getitem__ is TensorDataset.__getitem__:
        return _Tensors(dataset.tensors) if all(t.dim() for t in dataset.tensors) else None
    if kind.__getitem__ is Subset.__getitem__:
        return _subset(dataset)
    if kind.__getitem__ is ConcatDataset.__getitem__:
        return _joined(dataset)
    own = getattr(dataset, "_winnow_rows", None)
    found = own() if own is not None else None
    return _Tensors(*found) if found is not None else None


class _Tensors:
    """finish: from a list of rows of each to the batch."""

    def __init__(self, tensors, finish=None):
        self.tensors, self.finish, self.count = tensors, finish, tensors[0].shape[0]

    def take(self, indices):
        """The batch at indices: (begin, end), or a tensor."""
        if type(indices) is tuple:
            begin, end = indices
            rows = [t[begin:end] if self.finish else t[begin:end].clone() for t in self.tensors]
        else:
            rows = [_index_select(t, 0, indices) for t in self.tensors]
        return self.finish(rows) if self.finish else rows


def as_indices(indices, count):
    """A list as what take() takes; None if it has to be gone through sample by sample: an empty list, what is no number, a negative
    one (which counts from the end), one that is too large."""
    if isinstance(indices, (list, range)) and indices and all(type(i) is int for i in indices) and 0 <= min(indices) and max(indices) < count:
        return _C._tensor(list(indices), int64)
    return None


def _subset(dataset):
    inner = rows_of(dataset.dataset)
    chosen = None if inner is None else as_indices(dataset.indices, inner.count)
    return None if chosen is None else _Chosen(inner, chosen)


class _Chosen:
    """Some rows of others."""

    def __init__(self, inner, chosen):
        self.inner, self.chosen, self.count = inner, chosen, chosen.shape[0]

    def take(self, indices):
        if type(indices) is tuple:
            return self.inner.take(self.chosen[indices[0]:indices[1]])
        return self.inner.take(_index_select(self.chosen, 0, indices))


def _joined(dataset):
    parts = [rows_of(d) for d in dataset.datasets]
    if None in parts or dataset.cumulative_sizes != ConcatDataset.cumsum(dataset.datasets):
        return None
    forms = [[(t.dtype, tuple(t.shape)) for t in part.take((0, 0))] for part in parts]
    return _Joined(parts, dataset.cumulative_sizes) if all(form == forms[0] for form in forms) else None


class _Joined:
    """The rows of the first, then those of the second, and so on: of one form."""

    def __init__(self, parts, ends):
        self.parts, self.ends, self.count = parts, ends, ends[-1]

    def take(self, indices):
        indices = range(*indices) if type(indices) is tuple else indices.tolist()
        of = {}  # part -> (places in the batch, indices within the part)
        for place, i in enumerate(indices):
            k = bisect.bisect_right(self.ends, i)
            places, inside = of.setdefault(k, ([], []))
            places.append(place)
            inside.append(i - (self.ends[k - 1] if k else 0))
        taken = [self.parts[k].take(_C._tensor(inside, int64)) for k, (_, inside) in of.items()]
        if len(taken) == 1:
            return taken[0]
        order = [0] * len(indices)
        for at, place in enumerate(p for places, _ in of.values() for p in places):
            order[place] = at
        order = _C._tensor(order, int64)
        return [_index_select(_cat(list(tensors)), 0, order) for tensors in zip(*taken)]
