"""From indices to a batch: one function for each kind of dataset, the same in the process and in its workers."""
from .... import _C
from ...._types import int64
from ..dataset import Subset, TensorDataset
from .collate import default_collate

_index_select = _C.functions(1)["index_select"]


def rows_of(dataset, collate_fn):
    """The tensors of a TensorDataset whose batches are their rows, else None."""
    if (collate_fn is default_collate and isinstance(dataset, TensorDataset) and type(dataset).__getitem__ is TensorDataset.__getitem__ and
            getattr(dataset, "__getitems__", None) is None and all(t.dim() for t in dataset.tensors)):
        return dataset.tensors
    return None


def take_rows(tensors, indices):
    """The batch at indices: (begin, end), a tensor, or a list."""
    if type(indices) is tuple:
        begin, end = indices
        return [t[begin:end].clone() for t in tensors]
    if not hasattr(indices, "dtype"):
        indices = _C._tensor(list(indices), int64)
    return [_index_select(t, 0, indices) for t in tensors]


class MapFetcher:
    def __init__(self, dataset, auto_collation, collate_fn, drop_last):
        self.dataset, self.auto_collation, self.collate_fn = dataset, auto_collation, collate_fn
        self.rows, self.chosen = rows_of(dataset, collate_fn) if auto_collation else None, None
        if auto_collation and type(dataset) is Subset and collate_fn is default_collate:  # what random_split gives
            rows = rows_of(dataset.dataset, collate_fn)
            if rows is not None and isinstance(dataset.indices, (list, range)) and all(type(i) is int and i >= 0 for i in dataset.indices):
                self.rows, self.chosen = rows, dataset.indices

    def fetch(self, indices):
        if not self.auto_collation:
            return self.collate_fn(self.dataset[indices])
        if self.rows is not None:
            if hasattr(indices, "dtype") or type(indices) is tuple or _plain(indices):
                return take_rows(self.rows, indices if self.chosen is None else self._chosen(indices))
        several = getattr(self.dataset, "__getitems__", None)
        return self.collate_fn(several(indices) if several else [self.dataset[i] for i in indices])

    def _chosen(self, indices):
        indices = range(*indices) if type(indices) is tuple else indices.tolist() if hasattr(indices, "dtype") else indices
        return [self.chosen[i] for i in indices]


def _plain(indices):
    """A list that index_select takes: a negative index counts from the end only for tensor[i]."""
    return isinstance(indices, list) and bool(indices) and all(type(i) is int for i in indices) and min(indices) >= 0


class IterableFetcher:
    def __init__(self, dataset, auto_collation, collate_fn, drop_last):
        self.samples, self.auto_collation, self.collate_fn, self.drop_last = iter(dataset), auto_collation, collate_fn, drop_last
        self.ended = False

    def fetch(self, indices):
        if self.ended:
            raise StopIteration
        if not self.auto_collation:
            return self.collate_fn(next(self.samples))
        batch = []
        for _ in indices:
            try:
                batch.append(next(self.samples))
            except StopIteration:
                self.ended = True
                break
        if not batch or (self.drop_last and len(batch) < len(indices)):
            raise StopIteration
        return self.collate_fn(batch)
