"""The side of a worker process: it takes tasks from a pipe, makes batches, and tells through another pipe where in the shared memory
(`memory.py`) they are."""
import os
import pickle
import random
import select
import sys
import _signal  # without the enumerations of `signal`, whose use copies twenty pages in a new worker
from struct import Struct

from .... import _C
from ...._failure import ExceptionWrapper
from .memory import Writer, packed
from .process import keep_only

RESULT = Struct("=qqqqq")  # task, kind, where in the memory, parts, how many of them are tensors: written and read at once
LENGTH = Struct("=Q")  # before each task
BATCH, ENDED, FAILED = range(3)  # kinds of results
_ALONE = 5.0  # seconds after which a worker that hears nothing looks whether the main process is there

_info = None


class WorkerInfo:
    """id, num_workers, seed and dataset (the worker's copy) of the process that asks."""

    def __init__(self, **values):
        self.__dict__.update(values)
        self.__dict__["_names"] = tuple(values)

    def __setattr__(self, name, value):
        raise RuntimeError(f"Cannot assign attributes to {type(self).__name__} objects")

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)}' for name in self._names)})"


def get_worker_info():
    """The WorkerInfo in a worker process of a DataLoader, None elsewhere."""
    return _info


def _generate_state(base_seed, worker_id):
    """The four 32-bit numbers by which PyTorch seeds NumPy in a worker: those of NumPy's SeedSequence for these two."""
    from numpy.random import SeedSequence

    return [int(n) for n in SeedSequence((worker_id, *(base_seed >> s & 0xFFFFFFFF for s in (0, 32)))).generate_state(4)]


class Failure(ExceptionWrapper):
    """An exception on its way to the main process."""

    def __init__(self, where):
        super().__init__(where=where)
        try:
            pickle.loads(pickle.dumps(self.exc_type))
        except Exception:  # a class of __main__ in a spawned process, a local one
            self.exc_type = RuntimeError


def seed_worker(base_seed, number):
    seed = base_seed + number
    random.seed(seed)
    _C.default_generator.manual_seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        words = [number, base_seed & 0xFFFFFFFF, base_seed >> 32, 0]
        numpy.random.seed(numpy.random.SeedSequence(words).generate_state(4))
    return seed


class Job:
    """What a worker needs to know; for a spawned process it is pickled."""

    def __init__(self, number, count, make_fetcher, dataset, base_seed, worker_init_fn, places):
        self.number, self.count, self.make_fetcher, self.dataset = number, count, make_fetcher, dataset
        self.base_seed, self.worker_init_fn, self.places = base_seed, worker_init_fn, places


def worker_main(job, ends, first_tasks):
    """Does first_tasks, then those that come, until it is told to stop or the main process is gone."""
    global _info
    try:
        _signal.signal(_signal.SIGINT, _signal.SIG_IGN)  # Ctrl-C is the main process's business
    except ValueError:  # forked by another thread than the main one, whose signals come to that one
        pass
    keep_only(ends)
    _C.set_num_threads(1)
    seed = seed_worker(job.base_seed, job.number)
    _info = WorkerInfo(id=job.number, num_workers=job.count, seed=seed, dataset=job.dataset)
    try:
        _serve(job, ends, first_tasks)
    except (EOFError, BrokenPipeError):
        pass  # the main process is gone, or does not want more


def _serve(job, ends, first_tasks):
    where, memory = f"in DataLoader worker process {job.number}", Writer(ends.memory, job.places)
    fetcher, turn, failure = None, 0, None
    try:
        if job.worker_init_fn is not None:
            job.worker_init_fn(job.number)
    except Exception:
        failure = Failure(where)
    for task in _tasks(ends.tasks, first_tasks):
        if task == "epoch":
            fetcher = None
            continue
        index, indices = task
        kind = BATCH
        try:
            if failure is not None:
                kind, batch, failure = FAILED, failure, None
            else:
                if fetcher is None:
                    fetcher = job.make_fetcher(job.dataset)
                try:
                    batch = fetcher.fetch(indices)
                except StopIteration:
                    if not hasattr(fetcher, "samples"):
                        raise
                    kind, batch = ENDED, None
            parts, tensors = packed(batch)
            begin = memory.put(turn, parts)
        except Exception:
            kind = FAILED
            parts, tensors = packed(Failure(where))
            begin = memory.put(turn, parts)
        os.write(ends.results, RESULT.pack(index, kind, begin, len(parts), tensors))
        batch = parts = indices = task = None
        turn = (turn + 1) % job.places


def _tasks(fd, first):
    """Tasks until None comes; EOFError when there is nobody to send more."""
    yield from first
    first.clear()
    ready, parent = select.poll(), os.getppid()
    ready.register(fd, select.POLLIN)
    while True:
        while not ready.poll(_ALONE * 1000):
            if os.getppid() != parent:  # somebody else has the other end open: a process that was forked after this one
                raise EOFError
        task = pickle.loads(_read(fd, LENGTH.unpack(_read(fd, LENGTH.size))[0]))
        if task is None:
            return
        yield task


def _read(fd, size):
    parts = []
    while size:
        part = os.read(fd, size)
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)
