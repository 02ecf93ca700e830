"""DataLoader: batches of a dataset, in this process or by worker processes."""
import itertools
import math
import os
import warnings

from ..._marks import begin, recordings
from ._utils import collate as _collate, fetch as _fetch
from ._workers import WorkerIterator
from .dataset import IterableDataset
from .sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler, draw_seed, index_batches

__all__ = ["DataLoader", "default_collate", "get_worker_info"]

default_collate = _collate.default_collate
default_convert = _collate.default_convert
from ._utils.worker import get_worker_info


class _DatasetKind:
    Map, Iterable = 0, 1


class _InfiniteConstantSampler(Sampler):
    """None for ever: streams are asked for their next sample without an index."""

    __iter__ = lambda self: itertools.repeat(None)


class _MakeFetcher:
    """dataset -> fetcher. It can be pickled, for processes that are spawned."""

    def __init__(self, kind, auto_collation, collate_fn, drop_last):
        self.kind, self.rest = kind, (auto_collation, collate_fn, drop_last)

    def __call__(self, dataset):
        return (_fetch.MapFetcher if self.kind == _DatasetKind.Map else _fetch.IterableFetcher)(dataset, *self.rest)


class DataLoader:
    """Iterable over batches (lists of samples put together by collate_fn) of a dataset.

    Order: shuffle, or a sampler, or a batch_sampler; batch_size=None: samples as they are. num_workers > 0: processes make the
    batches, prefetch_factor each in advance; the order and the batches are the same for any number of them."""
    _frozen = False

    def __class_getitem__(cls, item):
        return cls

    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None,
                 pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None, generator=None, *,
                 prefetch_factor=None, persistent_workers=False, pin_memory_device="", in_order=True):
        if num_workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError("prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to enable multiprocessing, "
                             "otherwise set prefetch_factor to None.")
        if num_workers > 0 and prefetch_factor is None:
            prefetch_factor = 2
        elif prefetch_factor is not None and prefetch_factor < 0:
            raise ValueError("prefetch_factor option should be non-negative")
        if persistent_workers and num_workers == 0:
            raise ValueError("persistent_workers option needs num_workers > 0")
        self.dataset, self.num_workers = dataset, num_workers
        self.prefetch_factor = prefetch_factor if prefetch_factor is None else max(prefetch_factor, 1)
        self.pin_memory, self.pin_memory_device, self.timeout = pin_memory, pin_memory_device, timeout
        self.worker_init_fn, self.multiprocessing_context, self.in_order = worker_init_fn, multiprocessing_context, in_order
        self._dataset_kind = _DatasetKind.Iterable if isinstance(dataset, IterableDataset) else _DatasetKind.Map
        if self._dataset_kind == _DatasetKind.Iterable:
            self._check_iterable(shuffle, sampler, batch_sampler)
        else:
            shuffle = bool(shuffle)
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError("batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last")
            batch_size, drop_last = None, False
        elif batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        if sampler is None:
            if self._dataset_kind == _DatasetKind.Iterable:
                sampler = _InfiniteConstantSampler()
            else:
                sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size, self.drop_last, self.sampler, self.batch_sampler, self.generator = batch_size, drop_last, sampler, batch_sampler, generator
        self.collate_fn = collate_fn if collate_fn is not None else default_collate if self._auto_collation else default_convert
        self.persistent_workers = persistent_workers
        self._iterator = self._seed = None
        self._promised = None  # the length of a stream, when somebody has asked for it
        self._frozen = True
        self.check_worker_number_rationality()

    @staticmethod
    def _check_iterable(shuffle, sampler, batch_sampler):
        if shuffle not in (False, None):
            raise ValueError(f"DataLoader with IterableDataset: expected unspecified shuffle option, but got shuffle={shuffle}")
        if sampler is not None:
            raise ValueError(f"DataLoader with IterableDataset: expected unspecified sampler option, but got sampler={sampler}")
        if batch_sampler is not None:
            raise ValueError(f"DataLoader with IterableDataset: expected unspecified batch_sampler option, but got batch_sampler={batch_sampler}")

    def __setattr__(self, name, value):
        if self._frozen and name in ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers"):
            raise ValueError(f"{name} attribute should not be set after {type(self).__name__} is initialized")
        if name == "multiprocessing_context" and value is not None:
            if not self.num_workers > 0:
                raise ValueError("multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got "
                                 f"num_workers={self.num_workers}")
            import multiprocessing

            if isinstance(value, str):
                methods = multiprocessing.get_all_start_methods()
                if value not in methods:
                    raise ValueError(f"multiprocessing_context option should specify a valid start method in {methods!r}, but got "
                                     f"multiprocessing_context={value!r}")
                value = multiprocessing.get_context(value)
            elif not isinstance(value, multiprocessing.context.BaseContext):
                raise TypeError("multiprocessing_context option should be a valid context object or a string specifying the start method, but got "
                                f"multiprocessing_context={value}")
        object.__setattr__(self, name, value)

    def check_worker_number_rationality(self):
        """Warns of more workers than this process may use processors."""
        processors = len(os.sched_getaffinity(0)) if self.num_workers else 0
        if self.num_workers > processors:
            warnings.warn(f"This DataLoader will create {self.num_workers} worker processes in total. Our suggested max number of worker in current "
                          f"system is {processors}, which is smaller than what this DataLoader is going to create. Please be aware that excessive "
                          "worker creation might get DataLoader running slow or even freeze, lower the worker number to avoid potential "
                          "slowness/freeze if necessary.", stacklevel=3)

    @property
    def _auto_collation(self):
        return self.batch_sampler is not None

    @property
    def _index_sampler(self):
        return self.batch_sampler if self._auto_collation else self.sampler

    def __len__(self):
        if self._dataset_kind == _DatasetKind.Map:
            return len(self._index_sampler)
        n = len(self.dataset)
        if self.batch_size is not None:
            n = n // self.batch_size if self.drop_last else math.ceil(n / self.batch_size)
        self._promised = n
        return n

    # -------------------------------------------------------------- iteration

    def _make_fetcher(self):
        return _MakeFetcher(self._dataset_kind, self._auto_collation, self.collate_fn, self.drop_last)

    def _index_batches(self, native=False):
        """Iterator over the indices of each batch: lists, or whatever the samplers give. native: ranges and tensors, where it is known
        what the samplers do; None otherwise."""
        batches = index_batches(self.batch_sampler)
        if native:
            return batches
        if batches is None:
            return iter(self._index_sampler)
        return (list(range(*b)) if type(b) is tuple else b.tolist() for b in batches)

    def __iter__(self):
        if self.pin_memory:
            warnings.warn("'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be used.", stacklevel=2)
        if self.num_workers:
            fetcher = self._make_fetcher()(self.dataset) if self._dataset_kind == _DatasetKind.Map else None
            # Rows of tensors: one gather takes less than passing the batch from process to process. A function that wants to see the
            # workers gets them.
            if fetcher is None or fetcher.rows is None or self.worker_init_fn is not None:
                return self._worker_iterator()
            return _Iterator(self, fetcher)
        return _Iterator(self, self._make_fetcher()(self.dataset))

    def _worker_iterator(self):
        if self.persistent_workers and self._iterator is not None and not self._iterator._closed:
            self._iterator.restart(self._without_iterator())
            return self._iterator
        if not self.persistent_workers:
            return WorkerIterator(self)
        self._iterator = WorkerIterator(self._without_iterator())
        return self._iterator

    def _without_iterator(self):
        """A copy for the iterator that this loader keeps: one that knew the loader would live, with its workers, until the next collection."""
        loader = object.__new__(type(self))
        loader.__dict__.update(self.__dict__, _iterator=None)
        return loader

    def _draw_seed(self):
        """The workers' seed. Drawn even where nothing uses it: random streams do not depend on the number of workers. Persistent workers
        have one for all epochs."""
        if not self.persistent_workers or self._seed is None:
            self._seed = draw_seed(self.generator)
        return self._seed

    def _check_length(self, yielded, promised):
        """Warns when a stream gives more than somebody was told before the iteration began."""
        if promised is not None and yielded > promised:
            hint = ("For multiprocessing data-loading, this could be caused by not properly configuring the IterableDataset replica at each worker. "
                    "Please see https://pytorch.org/docs/stable/data.html#torch.utils.data.IterableDataset for examples.")
            warnings.warn(f"Length of IterableDataset {self.dataset} was reported to be {promised}(when accessing len(dataloader)), but "
                          f"{yielded} samples have been fetched. {hint if self.num_workers else ''}", stacklevel=3)


class _BaseDataLoaderIter:
    """What programs call the iterators of DataLoaders."""
    _workers = ()  # nobody's processes

    def _shutdown_workers(self):
        pass


class _Iterator(_BaseDataLoaderIter):
    """Batches made here, when they are asked for."""

    def __init__(self, loader, fetcher):
        self._loader, self._fetch, self._yielded, self._promised = loader, fetcher.fetch, 0, loader._promised
        self._indices = loader._index_batches(native=True) if fetcher.rows is not None else None
        if self._indices is not None:
            self._fetch = fetcher.rows.take
        else:
            self._indices = loader._index_batches()
        loader._draw_seed()

    __iter__ = lambda self: self
    __len__ = lambda self: len(self._loader._index_sampler)

    def __next__(self):
        mark = recordings and begin("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__")
        try:
            batch = self._fetch(next(self._indices))
            self._yielded += 1
            self._loader._check_length(self._yielded, self._promised)
            return batch
        finally:
            if mark:
                mark.__exit__()


class _Borrowed:
    """A loader of a library's own, which has a DataLoader's attributes and none of its methods."""

    def __init__(self, loader):
        self._loader, self._seed, self._promised = loader, None, None

    __getattr__ = lambda self, name: getattr(self._loader, name)

    def _index_batches(self, native=False):
        return None if native else iter(self._index_sampler)

    _make_fetcher, _draw_seed, _check_length = DataLoader._make_fetcher, DataLoader._draw_seed, DataLoader._check_length


class _SingleProcessDataLoaderIter(_Iterator):
    """The iterator of any loader, in this process."""

    def __init__(self, loader):
        loader = loader if isinstance(loader, DataLoader) else _Borrowed(loader)
        super().__init__(loader, loader._make_fetcher()(loader.dataset))


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """The iterator of any loader, by workers."""

    def __new__(cls, loader):
        return WorkerIterator(loader if isinstance(loader, DataLoader) else _Borrowed(loader))
