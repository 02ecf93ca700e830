"""torch.cpu: the device that winnow computes on, in the shape of torch.cuda."""
import contextlib

from .._hook import missing
from .._stand_in import answers as _answers

__all__ = ["is_available", "is_initialized", "synchronize", "current_device", "current_stream", "stream", "set_device", "device_count", "Stream",
           "StreamContext", "Event"]


_answers(globals(), [
    ("is_available()", "True", "True."),
    ("is_initialized()", "True", "True: there is nothing to be initialized."),
    ("synchronize(device=None)", "None", "Does nothing: what is read is computed."),
    ("current_device()", '"cpu"', "'cpu'"),
    ("set_device(device)", "None", "Does nothing: there is one."),
    ("device_count()", "1", "1"),
])


class Stream:
    """A queue of work: on the CPU work is done in the order in which it is asked for."""

    def __init__(self, priority=-1):
        pass

    def wait_stream(self, stream):
        """Does nothing."""

    def record_event(self):
        """Does nothing."""

    def wait_event(self, event):
        """Does nothing."""


class Event:
    """A mark in a queue, which has always been reached."""

    def query(self):
        """True."""
        return True

    def record(self, stream=None):
        """Does nothing."""

    def synchronize(self):
        """Does nothing."""

    def wait(self, stream=None):
        """Does nothing."""


_stream = Stream()


def current_stream(device=None):
    """The one queue."""
    return _stream


class StreamContext(contextlib.nullcontext):
    """Context of a queue, which changes nothing."""


def stream(stream):
    """Context of a queue, which changes nothing."""
    return StreamContext(stream)


def __getattr__(name):
    if name == "amp":
        import importlib

        return importlib.import_module(".amp", __name__)
    raise missing(__name__, name, globals())
