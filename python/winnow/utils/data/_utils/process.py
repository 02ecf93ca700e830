"""Worker processes: forked here, which takes a millisecond, or made by multiprocessing where a program asks for one of its contexts or
uses it anyway."""
import contextlib
import gc
import importlib
import io
import os
import sys
import time
import warnings

from .... import _C

ours = set()  # all pipes and memories of workers that this process has open


def keep_only(ends):
    """In a forked worker: closes what it inherited but for its own ends, lest workers outlive the main process's end."""
    for fd in ours.difference((ends.tasks, ends.results, ends.memory)):
        try:
            os.close(fd)
        except OSError:  # another thread was closing it at the moment of the fork
            pass
    ours.clear()


class Ends:
    """A worker's descriptors: tasks to read, results to write, shared memory. For a spawned process they are duplicated."""

    def __init__(self, tasks, results, memory):
        self.tasks, self.results, self.memory = tasks, results, memory

    def __reduce__(self):
        from multiprocessing.reduction import DupFd

        return _received, (DupFd(self.tasks), DupFd(self.results), DupFd(self.memory))


def _received(*handles):
    return Ends(*(h.detach() for h in handles))


class _Nothing(io.RawIOBase):
    """/dev/null as an input; opened when somebody asks for its descriptor."""
    name, mode, _fd = os.devnull, "rb", None

    def readable(self):
        return True

    def readinto(self, buffer):
        return 0

    def fileno(self):
        if self._fd is None:
            self._fd = os.open(os.devnull, os.O_RDONLY)
        return self._fd


_no_input = io.TextIOWrapper(io.BufferedReader(_Nothing()), encoding="utf-8")  # made here: in a new worker it would take 0.2 ms


class Forked:
    """What is used of multiprocessing.Process, without the 10 ms that loading it takes."""

    def __init__(self, target, args):
        self._target, self._args = target, args
        self.pid, self.exitcode = None, None

    def start(self, here=False):
        """here: it begins on this thread's processor."""
        _flush()  # what is not written yet would be written twice
        collecting = gc.isenabled()
        gc.disable()  # what runs in the child after a fork may set off a collection, which writes to, and so copies, all that is there
        try:
            with on_this_processor() if here else contextlib.nullcontext():
                self.pid = os.fork()
            if self.pid == 0:
                self._child(collecting)
        finally:
            if collecting:
                gc.enable()

    def _child(self, collecting):
        """Does not return."""
        status = 1
        try:
            gc.freeze()  # collections from here on do not look at what was there before
            if collecting:
                gc.enable()
            status = self._run()
        finally:
            os._exit(status)

    def _run(self):
        """In the child: the exit status."""
        status = 0
        try:
            sys.stdin = _no_input  # whoever reads from the terminal is the main process
            self._target(*self._args)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        except BaseException:
            import traceback

            traceback.print_exc()
            status = 1
        threading, util = sys.modules.get("threading"), sys.modules.get("multiprocessing.util")
        if threading is not None:
            threading._shutdown()
        if util is not None:  # the data set uses it
            util._exit_function()
        _flush()
        return status & 255

    def join(self, timeout=None):
        end, pause = None if timeout is None else time.monotonic() + timeout, 0.0002
        while self.is_alive() and (end is None or time.monotonic() < end):
            time.sleep(pause)
            pause = min(2 * pause, 0.05)

    def is_alive(self):
        if self.exitcode is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # somebody else has waited for it
                self.exitcode = 255
            else:
                if pid:
                    self.exitcode = os.waitstatus_to_exitcode(status)
        return self.exitcode is None

    def _signal(self, number):
        if self.is_alive():
            os.kill(self.pid, number)

    def terminate(self):
        self._signal(15)

    def kill(self):
        self._signal(9)


def _flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, ValueError):  # none, or closed
            pass


def prepared(context, job, ends, tasks):
    """The process, not started, that runs worker_main. context: multiprocessing's, or None for what is best here."""
    from .worker import worker_main

    if context is None:
        if hasattr(os, "fork") and "multiprocessing.process" not in sys.modules:
            return Forked(worker_main, (job, ends, tasks))
        import multiprocessing

        context = multiprocessing.get_context("fork" if "fork" in multiprocessing.get_all_start_methods() else None)
    return context.Process(target=worker_main, args=(job, ends, tasks), daemon=True)


def start(processes):
    """Starts them, one right after the other. Where they are as many as the processors, the last begins on this thread's, which is about to wait
    for the first batch: Linux sees it busy, puts two workers onto the other one of two, and lets the first be interrupted by the second for 4 ms."""
    import_first()
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    with warnings.catch_warnings() if _WARNED_OF else contextlib.nullcontext():
        if _WARNED_OF:
            warnings.filterwarnings("ignore", ".*multi-threaded.*fork", DeprecationWarning)
        for number, process in enumerate(processes, 1):
            try:
                if processors > 1 and number % processors == 0 and type(process) is Forked:
                    process.start(here=True)
                else:
                    process.start()
            except Exception as error:
                method = getattr(process, "_start_method", None)
                if method not in (None, "fork"):
                    error.add_note(f"(DataLoader: workers that are started by {method!r} get the dataset, collate_fn and worker_init_fn pickled)")
                raise


@contextlib.contextmanager
def on_this_processor():
    """Within, this thread stays on the processor that it runs on, and so does a process that it forks, until it leaves this context itself."""
    allowed, here = os.sched_getaffinity(0), _C._processor()
    with contextlib.suppress(OSError):  # forbidden here: it is only a matter of speed
        os.sched_setaffinity(0, {here} & allowed or allowed)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, allowed)


_WARNED_OF = sys.version_info >= (3, 12)  # fork in a process with threads; the engine's are made anew in the child


def import_first():
    """What every worker would import: once, before they are forked."""
    if "numpy" in sys.modules:
        importlib.import_module("numpy.random")
