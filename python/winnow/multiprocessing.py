"""torch.multiprocessing: Python's multiprocessing, with spawn(). Tensors in shared memory (share_memory_) go to other processes as such, others
by value."""
import multiprocessing as _mp
import sys as _sys
from multiprocessing import *  # noqa: F403
from multiprocessing import connection as _connection

from . import _shared

__all__ = ["set_sharing_strategy", "get_sharing_strategy", "get_all_sharing_strategies", "spawn", "start_processes", "ProcessContext",
           "ProcessException", "ProcessExitedException", "ProcessRaisedException"] + list(_mp.__all__)

get_all_start_methods, reducer = _mp.get_all_start_methods, _mp.reducer
_strategy = "file_descriptor"
_shared.register()


def get_all_sharing_strategies():
    """The names that set_sharing_strategy takes."""
    return {"file_descriptor", "file_system"}


def get_sharing_strategy():
    """What set_sharing_strategy was given last."""
    return _strategy


def set_sharing_strategy(new_strategy):
    """Remembers the name: batches of DataLoader's workers come by descriptors in any case."""
    global _strategy
    if new_strategy not in get_all_sharing_strategies():
        raise AssertionError(f"invalid sharing strategy {new_strategy}, expected one of {get_all_sharing_strategies()}")
    _strategy = new_strategy


class ProcessException(Exception):
    """A process of spawn() has failed."""

    def __init__(self, msg, error_index, pid):
        super().__init__(msg)
        self.msg, self.error_index, self.error_pid = msg, error_index, pid


class ProcessRaisedException(ProcessException):
    """By an exception."""


class ProcessExitedException(ProcessException):
    """Without one: by a signal or an exit status."""

    def __init__(self, msg, error_index, error_pid, exit_code, signal_name=None):
        super().__init__(msg, error_index, error_pid)
        self.exit_code, self.signal_name = exit_code, signal_name


def _run(fn, i, args, errors):
    try:
        fn(i, *args)
    except KeyboardInterrupt:
        pass
    except Exception:
        from traceback import format_exc

        errors.put(format_exc())
        _sys.exit(1)


class ProcessContext:
    """The processes of spawn()."""

    def __init__(self, processes, error_queues):
        self.processes, self.error_queues = processes, error_queues
        self.sentinels = {p.sentinel: i for i, p in enumerate(processes)}

    def pids(self):
        return [p.pid for p in self.processes]

    def join(self, timeout=None, grace_period=None):
        """Waits for one to end (or until timeout); True when all have. If one has failed, ends the others and raises."""
        if not self.sentinels:
            return True
        failed = None
        for sentinel in _connection.wait(list(self.sentinels), timeout):
            i = self.sentinels.pop(sentinel)
            self.processes[i].join()
            if self.processes[i].exitcode != 0:
                failed = i
        if failed is None:
            return not self.sentinels
        for p in self.processes:
            if p.is_alive():
                p.terminate()
            p.join()
        self._raise(failed)

    def _raise(self, i):
        process = self.processes[i]
        if not self.error_queues[i].empty():
            text = f"\n\n-- Process {i} terminated with the following error:\n{self.error_queues[i].get()}"
            raise ProcessRaisedException(text, i, process.pid)
        if process.exitcode < 0:
            import signal

            name = signal.Signals(-process.exitcode).name
            raise ProcessExitedException(f"process {i} terminated with signal {name}", i, process.pid, process.exitcode, name)
        raise ProcessExitedException(f"process {i} terminated with exit code {process.exitcode}", i, process.pid, process.exitcode)


SpawnContext = ProcessContext


def start_processes(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn", numa_options=None):
    """fn(i, *args) in nprocs processes; waits for them, unless join=False."""
    context = _mp.get_context(start_method)
    processes, queues = [], []
    for i in range(nprocs):
        errors = context.SimpleQueue()
        process = context.Process(target=_run, args=(fn, i, args, errors), daemon=daemon)
        process.start()
        processes.append(process)
        queues.append(errors)
    started = ProcessContext(processes, queues)
    if not join:
        return started
    while not started.join():
        pass


def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """start_processes with new interpreters."""
    return start_processes(fn, args, nprocs, join, daemon, start_method="spawn")
