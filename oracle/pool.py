"""Worker processes: a task that crashes or never ends costs one worker and becomes a failure."""
import ctypes
import dataclasses
import multiprocessing
import multiprocessing.connection
import resource
import signal
import time

from report import Failure, Report

MEMORY = 12 << 30               # bytes a worker may hold: a runaway module must not take the machine with it
START = 300                     # seconds to import torch, the database and the module


def serve(connection, note, settings, ops, dtypes):
    """The worker's whole life: says what there is to do, then does what it is told."""
    from judge import Judge
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)          # PR_SET_PDEATHSIG: no worker outlives the parent
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    signal.signal(signal.SIGINT, signal.SIG_IGN)        # Ctrl-C is the parent's

    def write(text):
        note.value = text.encode()[:len(note) - 1]
    try:
        judge = Judge(settings, write)
        connection.send(("ready", *judge.tasks(ops, dtypes), len(judge.entries)))
    except Exception as error:
        connection.send(("failed", f"{type(error).__name__}: {error}"))
        return
    while (task := connection.recv()) is not None:
        index, name, dtype = task
        write("")
        try:
            report = judge.run(index, dtype)
        except Exception as error:                      # the oracle's own fault, or the database's
            import traceback
            report = Report(name, dtype)
            place = traceback.extract_tb(error.__traceback__)[-1]
            report.check("crash", 0, f"the check itself failed: {type(error).__name__}: {error} "
                                     f"({place.filename.rpartition('/')[2]}:{place.lineno}) at {note.value.decode()!r}")
        connection.send(("done", report))


class Refused(Exception):
    """The module under judgement cannot be loaded."""


@dataclasses.dataclass
class Worker:
    process: object
    connection: object
    note: object
    task: tuple = None
    deadline: float = 0

    def stop(self):
        self.process.kill()
        self.process.join()
        self.connection.close()


class Pool:
    def __init__(self, settings, ops, dtypes, jobs, timeout):
        self.arguments = settings, ops, dtypes
        self.jobs, self.timeout = jobs, timeout
        self.context = multiprocessing.get_context("spawn")
        self.workers = []
        self.tasks, self.missing, self.entries = [], [], 0

    def __enter__(self):
        self.workers = [self.start()]
        self.tasks, self.missing, self.entries = self.ready(self.workers[0])
        return self

    def __exit__(self, *_):
        for worker in self.workers:
            worker.stop()

    def start(self):
        ours, theirs = self.context.Pipe()
        note = self.context.Array("c", 200, lock=False)
        process = self.context.Process(target=serve, args=(theirs, note, *self.arguments), daemon=True)
        process.start()
        theirs.close()
        return Worker(process, ours, note)

    def ready(self, worker):
        """What a new worker has to say for itself."""
        try:
            if not worker.connection.poll(START):
                raise Refused(f"the module is not imported after {START} s")
            word, *rest = worker.connection.recv()
        except EOFError:
            worker.process.join()
            raise Refused(f"the import ends the process ({ending(worker.process)})") from None
        if word == "failed":
            raise Refused(rest[0])
        return rest

    def run(self):
        """Yields the report of every task, in the order in which they end."""
        waiting = list(reversed(self.tasks))
        while len(self.workers) < min(self.jobs, len(waiting)):
            self.workers.append(self.start())
        for worker in self.workers[1:]:
            self.ready(worker)
        for worker in self.workers:
            self.give(worker, waiting)
        while any(worker.task for worker in self.workers):
            yield from self.step(waiting)

    def give(self, worker, waiting):
        worker.task = waiting.pop() if waiting else None
        worker.deadline = time.monotonic() + self.timeout
        worker.connection.send(worker.task)

    def step(self, waiting):
        busy = [worker for worker in self.workers if worker.task]
        patience = max(0.0, min(worker.deadline for worker in busy) - time.monotonic())
        heard = multiprocessing.connection.wait([worker.connection for worker in busy], patience)
        for worker in busy:
            if worker.connection in heard:
                try:
                    yield worker.connection.recv()[1]
                except (EOFError, OSError):
                    worker.process.join()
                    yield self.lost(worker, ending(worker.process))
                    self.replace(worker, waiting)
                    continue
                self.give(worker, waiting)
            elif time.monotonic() >= worker.deadline:
                yield self.lost(worker, f"not done after {self.timeout:g} s")
                self.replace(worker, waiting)

    def lost(self, worker, how):
        """The report of a task whose worker is gone: what ran is the failure; the rest of the task is not judged."""
        _, name, dtype = worker.task
        kind, index, side = (worker.note.value.decode().split() + ["", "", ""])[:3]
        report = Report(name, dtype)
        report.failures.append(Failure(name, dtype, "crash", int(index or 0),
                                       f"{how} in {side or 'the oracle'}, check {kind or '(drawing samples)'}"))
        return report

    def replace(self, worker, waiting):
        worker.stop()
        worker.task = None
        if waiting:
            fresh = self.start()
            self.workers[self.workers.index(worker)] = fresh
            self.ready(fresh)
            self.give(fresh, waiting)
        else:
            self.workers.remove(worker)


def ending(process):
    code = process.exitcode
    return f"killed by {signal.Signals(-code).name}" if code is not None and code < 0 else f"exit status {code}"
