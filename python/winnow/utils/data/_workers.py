"""The main process's side of a DataLoader with workers: who gets which task, in which order batches come out, what happens when a
worker fails, dies or hangs, and how all of them end."""
import itertools
import os
import time
import warnings
import weakref

from ._utils.worker import Failure, receive, worker_main

_channels = weakref.WeakSet()  # our ends of all sockets: a forked worker closes them
_PATIENCE = 5.0  # seconds that a worker gets to finish what it does before it is terminated


class Worker:
    """One process and the socket to it. pending: tasks that it has not answered."""

    def __init__(self, number, context, arguments, slots):
        self.number, self.slots, self.pending, self.running = number, [None] * slots, 0, True
        self.channel, theirs = context.Pipe(duplex=True)
        forked = context.get_start_method() == "fork"
        others = [*_channels, self.channel] if forked else []
        _channels.add(self.channel)
        count, make_fetcher, dataset, base_seed, worker_init_fn = arguments
        self.process = context.Process(target=worker_main, daemon=True, args=(number, count, theirs, others, make_fetcher, dataset, base_seed,
                                                                              worker_init_fn, slots))
        try:
            with warnings.catch_warnings():
                # Python 3.12 warns of fork in a process with threads; the engine's are made anew in the child.
                warnings.filterwarnings("ignore", ".*multi-threaded.*fork", DeprecationWarning)
                self.process.start()
        except BaseException:
            self.channel.close()
            self.process = None
            raise
        finally:
            theirs.close()

    def send(self, task):
        try:
            self.channel.send(task)
        except (BrokenPipeError, ConnectionResetError):
            self.died()

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


def stop(workers, pid, patience=_PATIENCE):
    """Ends the processes: asks, waits, terminates, kills. In a forked child nothing: they are not its own."""
    if os.getpid() != pid:
        return
    for w in workers:
        try:
            w.channel.send(None)
        except (OSError, ValueError):
            pass
        w.channel.close()  # who sends a batch now finds nobody
    deadline = time.monotonic() + patience
    for w in workers:
        w.process.join(max(0.0, deadline - time.monotonic()))
    for w in workers:
        if w.process.is_alive():
            w.process.terminate()
    for w in workers:
        if w.process.is_alive():
            w.process.join(1)
        if w.process.is_alive():
            w.process.kill()
            w.process.join()
        for slot in w.slots:
            if slot is not None:
                slot.close()
    workers.clear()


class WorkerIterator:
    """The batches of one DataLoader from its workers. Processes start at the first next(). Batch i is the task of worker i mod n;
    each worker has at most prefetch_factor tasks, so it may fill a slot again when it gets the task after those."""

    def __init__(self, loader, base_seed):
        self._loader, self._base_seed = loader, base_seed
        self._iterable = loader._dataset_kind != 0
        self._workers = []
        self._finalizer = None
        self._begin()

    def _begin(self):
        self._indices = iter(self._loader._index_batches())
        self._ready, self._lost = {}, set()  # index -> (kind, batch); indices that will never come
        self._sent = self._wanted = 0
        self._source_ended = False
        self._turn = itertools.count()
        self._yielded = 0

    def restart(self):
        """Another epoch of persistent workers: what is under way for the one before is thrown away."""
        while any(w.pending for w in self._workers):
            self._receive()
        for w in self._workers:
            w.running = True
            w.send("epoch")
        self._begin()

    def __iter__(self):
        return self

    def __len__(self):
        return len(self._loader._index_sampler)

    def _start(self):
        loader = self._loader
        context = loader.multiprocessing_context or _default_context()
        arguments = (loader.num_workers, loader._make_fetcher(), loader.dataset, self._base_seed, loader.worker_init_fn)
        self._finalizer = weakref.finalize(self, stop, self._workers, os.getpid())  # when the iterator goes, or Python ends
        for number in range(loader.num_workers):
            self._workers.append(Worker(number, context, arguments, loader.prefetch_factor))

    # -------------------------------------------------------------- tasks

    def _next_worker(self):
        """Who gets the next task: in turn, or whoever has least to do."""
        room = self._loader.prefetch_factor
        if not self._loader.in_order:
            free = [w for w in self._workers if w.running and w.pending < room]
            return min(free, key=lambda w: w.pending) if free else None
        for _ in self._workers:
            w = self._workers[next(self._turn) % len(self._workers)]
            if w.running:
                if w.pending < room:
                    return w
                self._turn = itertools.count(w.number)  # its turn stays
                return None
        return None

    def _fill(self):
        """Gives out tasks as long as there are any and workers have room."""
        while not self._source_ended:
            if self._sent - self._wanted >= self._loader.prefetch_factor * len(self._workers):
                return
            w = self._next_worker()
            if w is None:
                return
            try:
                indices = next(self._indices)
            except StopIteration:
                self._source_ended = True
                return
            if hasattr(indices, "tolist"):
                indices = indices.tolist()
            w.pending += 1
            w.send((self._sent, indices))
            self._sent += 1

    def _receive(self):
        """Takes one message of whoever has one."""
        from multiprocessing.connection import wait

        waiting = [w for w in self._workers if w.pending]
        timeout = self._loader.timeout
        ready = wait([w.channel for w in waiting] + [w.process.sentinel for w in waiting], timeout if timeout > 0 else None)
        if not ready:
            raise RuntimeError(f"DataLoader timed out after {timeout} seconds")
        for w in waiting:  # what a worker sent before it died counts
            if w.channel in ready:
                break
        else:
            w = next(w for w in waiting if w.process.sentinel in ready)
        try:
            index, kind, batch = receive(w.channel, w.slots)
        except (EOFError, ConnectionResetError, BrokenPipeError):
            w.died()
        w.pending -= 1
        if kind == "ended":
            w.running = False
            self._lost.add(index)
        else:
            self._ready[index] = (kind, batch)

    # -------------------------------------------------------------- batches

    def __next__(self):
        try:
            if not self._workers and self._finalizer is None:
                self._start()
            kind, batch = self._next()
        except StopIteration:
            if not self._loader.persistent_workers:
                self.close()
            raise
        except BaseException:  # a dead worker, a timeout, Ctrl-C: nobody waits for batches
            self.close(0.5)
            raise
        if kind == "failed":
            if not self._loader.persistent_workers:
                self.close()
            assert isinstance(batch, Failure)
            batch.reraise()
        self._yielded += 1
        self._loader._check_length(self._yielded)
        return batch

    def _next(self):
        if self._finalizer is not None and not self._workers:
            raise StopIteration  # closed
        while True:
            self._fill()
            while self._wanted in self._lost:
                self._lost.discard(self._wanted)
                self._wanted += 1
                self._fill()
            if self._loader.in_order:
                if self._wanted in self._ready:
                    result = self._ready.pop(self._wanted)
                    self._wanted += 1
                    self._fill()
                    return result
            elif self._ready:
                result = self._ready.pop(next(iter(self._ready)))
                self._wanted += 1
                self._fill()
                return result
            if not any(w.pending for w in self._workers):
                raise StopIteration
            self._receive()

    def close(self, patience=_PATIENCE):
        """Ends the workers."""
        if self._finalizer is not None and self._finalizer.detach():
            stop(self._workers, os.getpid(), patience)


def _default_context():
    import multiprocessing

    methods = multiprocessing.get_all_start_methods()
    return multiprocessing.get_context("fork" if "fork" in methods else None)
