"""Datasets: by index (Dataset) or as a stream (IterableDataset), and those that are made of others."""
import bisect
import itertools
import math
import warnings

from ... import _C

__all__ = ["Dataset", "IterableDataset", "TensorDataset", "StackDataset", "ConcatDataset", "ChainDataset", "Subset", "random_split"]


class _Typed:
    def __class_getitem__(cls, item):  # Dataset[Sample] in annotations and base classes
        return cls


class Dataset(_Typed):
    """dataset[i] is a sample; __len__ says how many there are. __getitems__(indices), if it is there, gives a batch of samples."""

    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    __add__ = lambda self, other: ConcatDataset([self, other])


class IterableDataset(Dataset):
    """Samples come from iter(dataset)."""

    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    __add__ = lambda self, other: ChainDataset([self, other])


class TensorDataset(Dataset):
    """Sample i is the tuple of the tensors' rows i. A DataLoader takes batches of it by one index_select for each tensor."""

    def __init__(self, *tensors):
        if any(tensors[0].size(0) != t.size(0) for t in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    __getitem__ = lambda self, index: tuple(t[index] for t in self.tensors)
    __len__ = lambda self: self.tensors[0].size(0)


class StackDataset(Dataset):
    """Sample i is the tuple (or the dict, of keywords) of the datasets' samples i."""

    def __init__(self, *args, **kwargs):
        if bool(args) == bool(kwargs):
            raise ValueError("Supported either ``tuple``- (via ``args``) or ``dict``- (via ``kwargs``) like input/output, but both types are given."
                             if args else "At least one dataset should be passed")
        self.datasets = args if args else kwargs
        parts = list(args or kwargs.values())
        self._length = len(parts[0])
        if any(len(d) != self._length for d in parts):
            raise ValueError("Size mismatch between datasets")

    def __getitem__(self, index):
        if isinstance(self.datasets, dict):
            return {name: d[index] for name, d in self.datasets.items()}
        return tuple(d[index] for d in self.datasets)

    def __getitems__(self, indices):
        if isinstance(self.datasets, dict):
            parts = {name: _items(d, indices) for name, d in self.datasets.items()}
            return [{name: part[i] for name, part in parts.items()} for i in range(len(indices))]
        return list(zip(*(_items(d, indices) for d in self.datasets)))

    __len__ = lambda self: self._length


def _items(dataset, indices):
    """A list of samples."""
    several = getattr(dataset, "__getitems__", None)
    if not callable(several):
        return [dataset[i] for i in indices]
    items = several(indices)
    if len(items) != len(indices):
        raise ValueError(f"Nested dataset's output size mismatch. Expected {len(indices)}, got {len(items)}")
    return items


class ConcatDataset(Dataset):
    """The samples of the first dataset, then those of the second, and so on."""

    @staticmethod
    def cumsum(sequence):
        """The sums of the lengths."""
        return list(itertools.accumulate(len(d) for d in sequence))

    def __init__(self, datasets):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(d, IterableDataset) for d in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = self.cumsum(self.datasets)

    __len__ = lambda self: self.cumulative_sizes[-1]

    def __getitem__(self, index):
        if index < 0:
            if -index > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            index += len(self)
        k = bisect.bisect_right(self.cumulative_sizes, index)
        return self.datasets[k][index - (self.cumulative_sizes[k - 1] if k else 0)]

    @property
    def cummulative_sizes(self):
        warnings.warn("cummulative_sizes attribute is renamed to cumulative_sizes", DeprecationWarning, stacklevel=2)
        return self.cumulative_sizes


class ChainDataset(IterableDataset):
    """Streams one after the other."""

    def __init__(self, datasets):
        self.datasets = datasets

    def _parts(self):
        for d in self.datasets:
            if not isinstance(d, IterableDataset):
                raise AssertionError("ChainDataset only supports IterableDataset")
            yield d

    def __iter__(self):
        for d in self._parts():
            yield from d

    __len__ = lambda self: sum(len(d) for d in self._parts())


class Subset(Dataset):
    """The samples at some indices."""

    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index):
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __getitems__(self, indices):
        several, mine = getattr(self.dataset, "__getitems__", None), [self.indices[i] for i in indices]
        return several(mine) if callable(several) else [self.dataset[i] for i in mine]

    __len__ = lambda self: len(self.indices)


def random_split(dataset, lengths, generator=None):
    """Subsets of these lengths, or of these parts of the whole, without a sample in common."""
    lengths = list(lengths)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        total, parts = len(dataset), []
        for i, part in enumerate(lengths):
            if part < 0 or part > 1:
                raise ValueError(f"Fraction at index {i} is not between 0 and 1")
            parts.append(math.floor(total * part))
        for i in range(total - sum(parts)):
            parts[i % len(parts)] += 1
        lengths = parts
        for i, n in enumerate(lengths):
            if n == 0:
                warnings.warn(f"Length of split at index {i} is 0. This might result in an empty dataset.", stacklevel=2)
    if sum(lengths) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = _C.functions(1)["randperm"](sum(lengths), generator=generator).tolist()
    ends = itertools.accumulate(lengths)
    return [Subset(dataset, order[end - n:end]) for end, n in zip(ends, lengths)]
