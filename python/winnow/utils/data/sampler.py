"""Samplers: in which order indices come, and how they are grouped to batches. With WINNOW_RNG=torch the orders are PyTorch's."""
import itertools

from ... import _C
from ..._types import float64, int64

__all__ = ["BatchSampler", "RandomSampler", "Sampler", "SequentialSampler", "SubsetRandomSampler", "WeightedRandomSampler"]

_rows = _C.functions(1)
_randperm = _rows["randperm"]


def draw_seed(generator=None):
    """A seed out of the default generator, or of this one."""
    return int(_rows["empty"]((), dtype=int64).random_(generator=generator).item())


class Sampler:
    """iter(sampler) gives indices (or lists of indices, as a batch_sampler)."""

    def __class_getitem__(cls, item):
        return cls

    def __init__(self, data_source=None):
        pass

    def __iter__(self):
        raise NotImplementedError


class SequentialSampler(Sampler):
    """0, 1, 2 ..."""

    def __init__(self, data_source):
        self.data_source = data_source

    __iter__ = lambda self: iter(range(len(self.data_source)))
    __len__ = lambda self: len(self.data_source)


class RandomSampler(Sampler):
    """A permutation of the indices (several, one after the other, for num_samples); with replacement num_samples draws."""

    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source, self.replacement, self._num_samples, self.generator = data_source, replacement, num_samples, generator
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement should be a boolean value, but got replacement={replacement}")
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={self.num_samples}")

    @property
    def num_samples(self):
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def _source(self):
        """The given generator, or a new one seeded by the default one."""
        if self.generator is not None:
            return self.generator
        seed = draw_seed()
        return _C.Generator().manual_seed(seed)

    def _pieces(self):
        """The indices as tensors."""
        n, count, generator = len(self.data_source), self.num_samples, self._source()
        if self.replacement:
            for _ in range(count // 32):
                yield _randint(n, 32, generator)
            yield _randint(n, count % 32, generator)
            return
        for _ in range(count // n):
            yield _randperm(n, generator=generator)
        yield _randperm(n, generator=generator)[:count % n]

    def __iter__(self):
        for piece in self._pieces():
            yield from piece.tolist()

    __len__ = lambda self: self.num_samples


def _randint(high, count, generator):
    return _rows["empty"](count, dtype=int64).random_(0, high, generator=generator)


class SubsetRandomSampler(Sampler):
    """The given indices in a random order."""

    def __init__(self, indices, generator=None):
        self.indices, self.generator = indices, generator

    def __iter__(self):
        for i in _randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[i]

    __len__ = lambda self: len(self.indices)


class WeightedRandomSampler(Sampler):
    """num_samples indices, i with a probability in proportion to weights[i]."""

    def __init__(self, weights, num_samples, replacement=True, generator=None):
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={num_samples}")
        if not isinstance(replacement, bool):
            raise ValueError(f"replacement should be a boolean value, but got replacement={replacement}")
        from ... import as_tensor

        weights = as_tensor(weights, dtype=float64)
        if weights.dim() != 1:
            raise ValueError(f"weights should be a 1d sequence but given weights have shape {tuple(weights.shape)}")
        self.weights, self.num_samples, self.replacement, self.generator = weights, num_samples, replacement, generator

    def __iter__(self):
        yield from _rows["multinomial"](self.weights, self.num_samples, self.replacement, generator=self.generator).tolist()

    __len__ = lambda self: self.num_samples


class BatchSampler(Sampler):
    """Lists of batch_size indices of another sampler; drop_last: without a last one that is shorter."""

    def __init__(self, sampler, batch_size, drop_last):
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self):
        indices = iter(self.sampler)
        while batch := list(itertools.islice(indices, self.batch_size)):
            if self.drop_last and len(batch) < self.batch_size:
                return
            yield batch

    def __len__(self):
        n = len(self.sampler)
        return n // self.batch_size if self.drop_last else (n + self.batch_size - 1) // self.batch_size


def index_batches(batches):
    """What iter(batches) gives, as tensors or (begin, end): for datasets that take whole batches. None if batches and its sampler are of
    classes that might do something else."""
    if type(batches) is not BatchSampler:
        return None
    sampler = batches.sampler
    if type(sampler) is SequentialSampler:
        return _ranges(len(sampler), batches.batch_size, batches.drop_last)
    if type(sampler) is RandomSampler and not sampler.replacement and sampler.num_samples == len(sampler.data_source):
        return _cut(sampler, batches.batch_size, batches.drop_last)
    return None


def _ranges(n, size, drop_last):
    for begin in range(0, n - n % size if drop_last else n, size):
        yield begin, min(begin + size, n)


def _cut(sampler, size, drop_last):
    for order in sampler._pieces():  # the second is empty, but drawn: a generator of the user's must move on as PyTorch's does
        for begin, end in _ranges(order.shape[0], size, drop_last):
            yield order[begin:end]
