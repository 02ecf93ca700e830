"""DistributedSampler: the part of the indices that one of several processes takes."""
import math

from ... import _C
from .sampler import Sampler

__all__ = ["DistributedSampler"]


class DistributedSampler(Sampler):
    """Every num_replicas-th index from rank on, of the order that all processes agree on (seed + epoch). Indices are repeated, or
    dropped with drop_last, so that all get equally many. winnow has no process groups: num_replicas and rank must be given."""

    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        if num_replicas is None or rank is None:
            raise RuntimeError("Requires distributed package to be available: winnow has none, give num_replicas and rank")
        if rank >= num_replicas or rank < 0:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset, self.num_replicas, self.rank, self.epoch, self.drop_last = dataset, num_replicas, rank, 0, drop_last
        n = len(dataset)
        if drop_last and n % num_replicas:
            self.num_samples = math.ceil((n - num_replicas) / num_replicas)
        else:
            self.num_samples = math.ceil(n / num_replicas)
        self.total_size = self.num_samples * num_replicas
        self.shuffle, self.seed = shuffle, seed

    def __iter__(self):
        n = len(self.dataset)
        if self.shuffle:
            generator = _C.Generator().manual_seed(self.seed + self.epoch)
            order = _C.functions(1)["randperm"](n, generator=generator).tolist()
        else:
            order = list(range(n))
        missing = self.total_size - n
        if self.drop_last:
            order = order[:self.total_size]
        elif missing > 0:
            order += (order * math.ceil(missing / n))[:missing]
        return iter(order[self.rank:self.total_size:self.num_replicas])

    __len__ = lambda self: self.num_samples

    def set_epoch(self, epoch):
        """Another order, the same in all processes."""
        self.epoch = epoch
