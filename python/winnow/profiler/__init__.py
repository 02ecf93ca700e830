"""torch.profiler: what a program's operations took, from where the engine runs them (docs/python.md, "The profiler")."""
import enum
import json
import os
import socket
import time
import warnings

from .._hook import lacking as _lacking
from ._events import EventList, made
from ._log import Recording, record_function

__all__ = ["profile", "record_function", "schedule", "ProfilerAction", "ProfilerActivity", "supported_activities", "tensorboard_trace_handler"]


class ProfilerActivity(enum.Enum):
    """What a profiler can look at; winnow has the CPU."""
    CPU = 0
    XPU = 1
    MTIA = 2
    CUDA = 3
    HPU = 4


class ProfilerAction(enum.Enum):
    """What a profiler does in a step (schedule)."""
    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def supported_activities():
    """The activities that can be looked at: the CPU."""
    return {ProfilerActivity.CPU}


def schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    """What to do in each step: skip_first of nothing, then cycles of wait, warmup and active steps."""
    def action(step):
        if step < 0:
            raise AssertionError(f"Step must be non-negative. Got {step}.")
        if step < skip_first:
            return ProfilerAction.NONE
        step -= skip_first
        if skip_first_wait:
            step += wait
        cycle = wait + warmup + active
        if repeat > 0 and step // cycle >= repeat:
            return ProfilerAction.NONE
        at = step % cycle
        if at < wait:
            return ProfilerAction.NONE
        if at < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if at < cycle - 1 else ProfilerAction.RECORD_AND_SAVE

    return action


class profile:
    """Context that notes what happens inside: operations (with shapes, lines and bytes where asked for), the programs that winnow's deferral makes
    of them, and what record_function marks. With a schedule, step() says that the next step begins, and on_trace_ready gets the profile whenever
    a cycle's active steps are over.

    Times are those of work that was done: an operation whose result waits for a reader takes its time where the program runs that computes it, in a row
    `winnow::program`; the operation's share there counts for its own row, too."""

    def __init__(self, *, activities=None, schedule=None, on_trace_ready=None, record_shapes=False, profile_memory=False, with_stack=False,
                 with_flops=False, with_modules=False, experimental_config=None, execution_trace_observer=None, acc_events=False, use_cuda=None,
                 custom_trace_id_callback=None, post_processing_timeout_s=None):
        self.activities = set(activities) if activities else supported_activities()
        self.schedule, self.on_trace_ready, self.step_num = schedule or (lambda step: ProfilerAction.RECORD), on_trace_ready, 0
        self.record_steps, self.record_shapes, self.profile_memory, self.with_stack = schedule is not None, record_shapes, profile_memory, with_stack
        self.acc_events, self._metadata, self._recording, self._events, self._step = acc_events, {}, None, None, None
        self.current_action = self.schedule(0)

    # ------------------------------------------------------------------ beginning, steps, end

    def start(self):
        """Events are noted from here on, if the schedule says so."""
        self._turn(ProfilerAction.NONE, self.current_action)
        self._mark_step()

    def stop(self):
        """The end, and on_trace_ready's call if something was recorded."""
        self._end_step()
        self._turn(self.current_action, None)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *exc):
        self.stop()

    def step(self):
        """The next step begins."""
        self._end_step()
        last = self.current_action
        self.step_num += 1
        self.current_action = self.schedule(self.step_num)
        self._turn(last, self.current_action)
        self._mark_step()

    def _mark_step(self):
        if self.record_steps:
            self._step = record_function(f"ProfilerStep#{self.step_num}").__enter__()

    def _end_step(self):
        if self._step is not None:
            self._step.__exit__()
            self._step = None

    def _turn(self, last, now):
        """From one action to the next, None: the end."""
        recorded = last in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)
        records = now in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)
        cycle_ends = recorded and (now is None or last is ProfilerAction.RECORD_AND_SAVE)
        if last is ProfilerAction.RECORD and now in (ProfilerAction.NONE, ProfilerAction.WARMUP):
            warnings.warn(f"Incorrect schedule: RECORD followed by {now.name}", stacklevel=4)
            cycle_ends = True
        if self._recording is not None and (cycle_ends or not records):
            earlier = self._events or () if self.acc_events else ()
            self._events = EventList([*earlier, *made(self._recording, self.record_shapes)], self.profile_memory, self.with_stack, self.record_shapes)
            self._recording = None
        if cycle_ends and self.on_trace_ready and (now is None or last is ProfilerAction.RECORD_AND_SAVE):
            self.on_trace_ready(self)
        if records and self._recording is None:
            self._recording = Recording(self.profile_memory, self.with_stack)

    # ------------------------------------------------------------------ what was noted

    def events(self):
        """All events of the last cycle, in order of their beginning."""
        if self._events is None:
            raise AssertionError("Profiler must be initialized before accessing events: it has not recorded and stopped yet")
        return self._events

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False):
        """Sums by operation; .table() shows them."""
        return self.events().key_averages(group_by_input_shape, group_by_stack_n, group_by_overload_name)

    def export_chrome_trace(self, path):
        """Writes a trace that Perfetto and chrome://tracing open; compressed where the name ends in .gz."""
        from ._chrome import write

        write(path, self.events(), self._metadata)

    def export_stacks(self, path, metric="self_cpu_time_total"):
        """Writes "line time" for each event, with_stack=True. Of stacks the innermost line of the program is known."""
        self.events().export_stacks(path, metric)

    def toggle_collection_dynamic(self, enable, activities):
        """Nothing is switched while a profile records."""

    def add_metadata(self, key, value):
        """A text that goes into the trace."""
        self._metadata[key] = str(value)

    preset_metadata_json = add_metadata

    def add_metadata_json(self, key, value):
        """JSON that goes into the trace."""
        self._metadata[key] = json.loads(value)


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False):
    """A function for on_trace_ready that writes each cycle's trace into a folder, under the names that TensorBoard's plugin looks for."""
    def handler(prof):
        os.makedirs(dir_name, exist_ok=True)
        worker = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        prof.export_chrome_trace(os.path.join(dir_name, f"{worker}.{time.time_ns()}.pt.trace.json{'.gz' if use_gzip else ''}"))

    return handler


def kineto_available():
    """Is there Kineto, PyTorch's tracer? No."""
    return False


__getattr__ = _lacking(__name__, globals(), "the engine's events are all that winnow's profiler knows")
