"""torch.autograd.profiler_util: the classes of events."""
from ..profiler._events import EventList, FunctionEvent, FunctionEventAvg, Interval  # noqa: F401
