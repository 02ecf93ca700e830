"""What is noted while a profile records: the engine's events (src/call/events.c) and record_function's marks (_marks.py), on one clock."""
import os
from time import perf_counter_ns  # the clock of the engine, too

from .. import _C, _report  # noqa: F401  _report tells the extension which frames are the package's own
from .._marks import record_function, recordings as _recordings  # noqa: F401

_CALL, _PROGRAM, _PART, _TURN, _NODE = range(5)


class Recording:
    """From its making to stop(): everything that the process's threads did."""

    def __init__(self, memory=False, lines=False):
        self.lines, self.marks = lines, []
        _C._events_begin(memory, lines)
        self.first, self.began = _C._events_first(), perf_counter_ns()
        _recordings.append(self)

    def stop(self):
        """(the engine's events, marks): tuples, in order of their beginning within each."""
        self.ended = perf_counter_ns()
        _recordings.remove(self)
        events = [e for e in _C._events_from(self.first) if e[5]]  # what has not ended belongs to whoever sees its end
        _C._events_end(self.lines)
        return events, self.marks

    def drop(self):
        """Ends it without looking."""
        _recordings.remove(self)
        _C._events_end(self.lines)


def _in_child():
    """The recordings are the parent's."""
    while _recordings:
        _recordings[0].drop()


os.register_at_fork(after_in_child=_in_child)
