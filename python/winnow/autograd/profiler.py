"""torch.autograd.profiler: torch.profiler's parts by their older names."""
from .._hook import lacking as _lacking
from .. import profiler as _profiler
from ..profiler import record_function  # noqa: F401
from .profiler_util import EventList, FunctionEvent, FunctionEventAvg  # noqa: F401

__all__ = ["profile", "record_function", "emit_nvtx", "emit_itt"]


class profile:
    """Context that notes what happens inside; enabled=False: nothing. Afterwards it is asked for its events, their sums and a table."""

    def __init__(self, enabled=True, *, use_cuda=False, use_device=None, record_shapes=False, with_flops=False, profile_memory=False,
                 with_stack=False, with_modules=False, use_kineto=False, use_cpu=True, **options):
        self.enabled, self._recorded = enabled, _profiler.profile(record_shapes=record_shapes, profile_memory=profile_memory, with_stack=with_stack)

    def __enter__(self):
        if self.enabled:
            self._recorded.start()
            return self

    def __exit__(self, *exc):
        if self.enabled:
            self._recorded.stop()

    @property
    def function_events(self):
        """All events, None if nothing was noted."""
        return self._recorded._events

    def _ended(self):
        if self.function_events is None:
            raise RuntimeError("Profiler didn't finish running")
        return self.function_events

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False):
        """Sums by operation."""
        return self._ended().key_averages(group_by_input_shape, group_by_stack_n, group_by_overload_name)

    def table(self, *args, **kwargs):
        """The events as a text."""
        return self._ended().table(*args, **kwargs)

    def total_average(self):
        """The sum of all events."""
        return self._ended().total_average()

    def export_chrome_trace(self, path):
        """Writes a trace that Perfetto and chrome://tracing open."""
        self._ended()
        self._recorded.export_chrome_trace(path)

    def export_stacks(self, path, metric="self_cpu_time_total"):
        """Writes "line time" for each event, with_stack=True."""
        self._ended().export_stacks(path, metric)

    self_cpu_time_total = property(lambda self: self._ended().self_cpu_time_total)

    def __str__(self):
        return "<unfinished torch.autograd.profile>" if self.function_events is None else str(self.function_events)

    __repr__ = __str__


class _Marks:
    """Context that would mark events for a tool that winnow does not know."""
    _tool = ""

    def __init__(self, enabled=True, record_shapes=False):
        self.enabled = enabled

    def __enter__(self):
        if self.enabled:
            raise RuntimeError(f"{type(self).__name__}: winnow gives no marks to {self._tool}")
        return self

    __exit__ = lambda self, *exc: False


class emit_nvtx(_Marks):
    """Marks for NVIDIA's tools: a RuntimeError unless enabled=False."""
    _tool = "NVTX"


class emit_itt(_Marks):
    """Marks for Intel's tools: a RuntimeError unless enabled=False."""
    _tool = "ITT"


__getattr__ = _lacking(__name__, globals(), "the engine's events are all that winnow's profiler knows")
