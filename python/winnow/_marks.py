"""record_function's marks, and the list of profiles that take them. Apart from winnow.profiler, so that what marks itself (optimisers, loaders) looks at a
list and imports nothing while no profile records."""
from time import perf_counter_ns  # the clock of the engine, too

from . import _C
from ._recording import inside

recordings = []  # those that are open: each has .began and .marks


def begin(name):
    """A mark that end() ends, while a profile records: costs no call else in `mark = recordings and begin(name)`."""
    return record_function(name).__enter__()


class record_function:
    """Context (or decorator) whose time the profiles that record note under a name."""

    def __init__(self, name, args=None):
        self.name, self.args, self._began = name, args, None

    def __enter__(self):
        self._began = perf_counter_ns() if recordings else None
        return self

    def __exit__(self, *exc):
        if self._began is None:
            return
        ended, thread = perf_counter_ns(), _C._events_thread()
        for recording in recordings:
            if recording.began <= self._began:
                recording.marks.append((self.name, thread, self._began, ended, self.args))

    def __call__(self, function):
        return inside(lambda: record_function(self.name, self.args), function)
