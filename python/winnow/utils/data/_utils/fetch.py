"""From indices to a batch: one function for each kind of dataset, the same in the process and in its workers."""
from .collate import default_collate
from .rows import as_indices, rows_of


class MapFetcher:
    def __init__(self, dataset, auto_collation, collate_fn, drop_last):
        self.dataset, self.auto_collation, self.collate_fn = dataset, auto_collation, collate_fn
        self.rows = rows_of(dataset) if auto_collation and collate_fn is default_collate else None

    def fetch(self, indices):
        if not self.auto_collation:
            return self.collate_fn(self.dataset[indices])
        if self.rows is not None:
            known = as_indices(indices, self.rows.count)
            if known is not None:
                return self.rows.take(known)
        several = getattr(self.dataset, "__getitems__", None)
        return self.collate_fn(several(indices) if several else [self.dataset[i] for i in indices])


class IterableFetcher:
    rows = None

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
