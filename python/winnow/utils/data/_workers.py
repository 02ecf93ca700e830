"""The main process's side of a DataLoader with workers: who gets which task, in which order batches come out, what happens when a
worker fails, dies or hangs, and how all of them end."""
import atexit  # noqa: F401  what the first weakref.finalize would import: 0.1 ms of the first batch
import itertools
import math
import os
import pickle
import select
import time
import weakref

from ..._marks import begin, recordings
from ._utils import process
from ._utils.memory import read, unnamed_file
from ._utils.worker import BATCH, ENDED, FAILED, LENGTH, RESULT, Job

_PATIENCE = 5.0  # seconds that a worker gets to finish what it does before it is terminated
_LOOK = 2.0  # after so many seconds without a result: are they alive?


class Worker:
    """One process, the pipes to it and its memory. pending: tasks that it has not answered."""

    def __init__(self, job):
        self.number, self.pending, self.running, self.process = job.number, 0, True, None
        self.job, self.first_tasks = job, []  # until it is started
        theirs, self.tasks = os.pipe()
        self.results, answers = os.pipe()
        self.memory = unnamed_file()
        self.ends = process.Ends(theirs, answers, self.memory)
        os.set_blocking(self.tasks, False)
        process.ours.update((self.tasks, self.results, theirs, answers, self.memory))

    def prepare(self, context):
        """The process that it will be; begun, it does first_tasks at once."""
        self.process = process.prepared(context, self.job, self.ends, self.first_tasks)

    def started(self):
        close_all((self.ends.tasks, self.ends.results))
        self.job = self.ends = self.first_tasks = None

    def send(self, task, timeout=0):
        """A task, None for the end, or "epoch"."""
        if self.first_tasks is not None:
            self.first_tasks.append(task)
            return
        data = pickle.dumps(task)
        data = memoryview(LENGTH.pack(len(data)) + data)
        while data:
            try:
                data = data[os.write(self.tasks, data):]
            except BlockingIOError:  # a long list of indices, and the worker is busy
                room = select.poll()
                room.register(self.tasks, select.POLLOUT)
                if not room.poll(timeout * 1000 if timeout > 0 else None):
                    timed_out(timeout)
            except BrokenPipeError:
                self.died()

    def receive(self):
        """(index, kind, batch) of its next result."""
        message = os.read(self.results, RESULT.size)
        if len(message) < RESULT.size:
            self.died()
        index, kind, begin, count, tensors = RESULT.unpack(message)
        self.pending -= 1
        return index, kind, read(self.memory, begin, count, tensors)

    def died(self):
        self.process.join(1)
        code, pid = self.process.exitcode, self.process.pid
        if code is not None and code < 0:
            import signal

            try:
                name = signal.strsignal(-code) or signal.Signals(-code).name
            except ValueError:
                name = f"signal {-code}"
            raise RuntimeError(f"DataLoader worker (pid {pid}) is killed by signal: {name}.")
        raise RuntimeError(f"DataLoader worker (pid(s) {pid}) exited unexpectedly" + (f" with exit code {code}." if code is not None else "."))

    def close(self):
        """Our ends: a worker that waits for tasks or has a result finds nobody."""
        close_all((self.tasks, self.results, self.memory))
        if self.ends is not None:  # never started
            close_all((self.ends.tasks, self.ends.results))


def close_all(fds):
    for fd in fds:
        process.ours.discard(fd)
        os.close(fd)


def timed_out(seconds):
    raise RuntimeError(f"DataLoader timed out after {seconds} seconds")


def stop(workers, pid, patience=_PATIENCE):
    """Ends the processes: asks, waits, terminates, kills. In a forked child nothing: they are not its own."""
    if os.getpid() != pid:
        return
    for w in workers:
        w.close()
    processes = [w.process for w in workers if w.process is not None and w.process.pid is not None]  # a fork may have failed
    workers.clear()
    deadline = time.monotonic() + patience
    for p in processes:
        p.join(max(0.0, deadline - time.monotonic()))
    for p in processes:
        if p.is_alive():
            p.terminate()
    for p in processes:
        if p.is_alive():
            p.join(1)
        if p.is_alive():
            p.kill()
            p.join()


class WorkerIterator:
    """The batches of one DataLoader from its workers. Batch i is the task of worker i mod n; each worker has at most prefetch_factor
    tasks, so it may fill a place in its memory again when it gets the task after those."""

    def __init__(self, loader):
        self._loader = loader
        self._staff, self._workers = [], []  # what is known of each worker; their processes, for programs that look after them
        self._closed = False
        self._finalizer = weakref.finalize(self, stop, self._staff, os.getpid())  # when the iterator goes, or Python ends
        self._begin()
        try:
            self._start(loader._draw_seed())
        except BaseException:
            self.close(0.5)
            raise

    def _begin(self):
        self._indices = self._loader._index_batches()
        self._ready, self._lost = {}, set()  # index -> (kind, batch); indices that will never come
        self._sent = self._wanted = 0
        self._source_ended = False
        self._turn = itertools.count()
        self._yielded, self._promised = 0, self._loader._promised

    def _start(self, base_seed):
        """All have their first tasks, and all is made ready, before the first of them is started: what this process writes after a fork it
        copies first, page by page."""
        loader, count = self._loader, self._loader.num_workers
        for number in range(count):
            self._staff.append(Worker(Job(number, count, loader._make_fetcher(), loader.dataset, base_seed, loader.worker_init_fn,
                                          loader.prefetch_factor)))
        self._fill()
        self._poll = select.poll()
        for w in self._staff:
            w.prepare(loader.multiprocessing_context)
            self._poll.register(w.results, select.POLLIN)
        self._of = {w.results: w for w in self._staff}
        process.start([w.process for w in self._staff])
        for w in self._staff:
            w.started()
            self._workers.append(w.process)

    def restart(self, loader):
        """Another epoch of persistent workers: what is under way for the one before is thrown away."""
        self._loader = loader
        while any(w.pending for w in self._staff):
            self._receive()
        for w in self._staff:
            w.running = True
            w.send("epoch")
        self._begin()
        self._fill()

    __iter__ = lambda self: self
    __len__ = lambda self: len(self._loader._index_sampler)

    # -------------------------------------------------------------- tasks

    def _next_worker(self):
        """Who gets the next task: in turn, or whoever has least to do."""
        room = self._loader.prefetch_factor
        if not self._loader.in_order:
            free = [w for w in self._staff if w.running and w.pending < room]
            return min(free, key=lambda w: w.pending) if free else None
        for _ in self._staff:
            w = self._staff[next(self._turn) % len(self._staff)]
            if w.running:
                if w.pending < room:
                    return w
                self._turn = itertools.count(w.number)  # its turn stays
                return None
        return None

    def _fill(self):
        """Gives out tasks as long as there are any and workers have room."""
        while not self._source_ended:
            if self._sent - self._wanted >= self._loader.prefetch_factor * len(self._staff):
                return
            w = self._next_worker()
            if w is None:
                return
            try:
                indices = next(self._indices)
            except StopIteration:
                self._source_ended = True
                return
            w.pending += 1
            w.send((self._sent, indices), self._loader.timeout)
            self._sent += 1

    def _receive(self):
        """Takes the results that are there, waits for one; no more than the one that is wanted, if that is among them."""
        for fd, _ in self._wait():
            w = self._of[fd]
            index, kind, batch = w.receive()
            if kind == ENDED:
                w.running = False
                self._lost.add(index)
            else:
                self._ready[index] = kind, batch
            if index == self._wanted:
                return

    def _wait(self):
        """What poll says about the workers that have something to say, or are gone."""
        timeout = self._loader.timeout
        end = time.monotonic() + timeout if timeout > 0 else math.inf
        while True:
            left = end - time.monotonic()
            ready = self._poll.poll(1000 * max(0.0, min(left, _LOOK)))
            if ready:
                return ready
            if left <= 0:
                timed_out(timeout)
            for w in self._staff:  # a process that the program forked may keep a dead worker's pipe open
                if w.pending and not w.process.is_alive():
                    w.died()

    # -------------------------------------------------------------- batches

    def __next__(self):
        mark = recordings and begin("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__")
        try:
            return self._batch()
        finally:
            if mark:
                mark.__exit__()

    def _batch(self):
        if self._closed:
            raise StopIteration
        try:
            kind, batch = self._next()
        except StopIteration:
            if not self._loader.persistent_workers:
                self.close()
            raise
        except BaseException:  # a dead worker, a timeout, Ctrl-C: nobody waits for batches
            self.close(0.5)
            raise
        if kind == FAILED:  # the next batch may be good
            batch.reraise()
        assert kind == BATCH
        self._yielded += 1
        self._loader._check_length(self._yielded, self._promised)
        return batch

    def _next(self):
        while True:
            self._fill()
            while self._wanted in self._lost:
                self._lost.discard(self._wanted)
                self._wanted += 1
                self._fill()
            if self._ready:
                index = self._wanted if self._loader.in_order else next(iter(self._ready))
                if index in self._ready:
                    self._wanted += 1
                    self._fill()
                    return self._ready.pop(index)
            if not any(w.pending for w in self._staff):
                raise StopIteration
            self._receive()

    def _shutdown_workers(self):
        self.close()

    def close(self, patience=_PATIENCE):
        """Ends the workers."""
        self._closed = True
        if self._finalizer.detach():
            stop(self._staff, os.getpid(), patience)
