"""torch.profiler: the contexts and the schedule, which run what is inside; of events it knows only record_function's times."""
import enum
import functools
import time

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


class _Event:
    """What is known of one name: how often and how long (in microseconds)."""

    def __init__(self, key):
        self.key, self.count, self.cpu_time_total = key, 0, 0.0
        self.device_time_total = self.cuda_time_total = 0.0

    self_cpu_time_total = property(lambda self: self.cpu_time_total)
    cpu_time = property(lambda self: self.cpu_time_total / self.count if self.count else 0.0)


class _Events(list):
    """Events, printed by table()."""

    def table(self, sort_by=None, row_limit=100, max_src_column_width=75, max_name_column_width=55, max_shapes_column_width=80, header=None,
              top_level_events_only=False, time_unit=None):
        rows = sorted(self, key=lambda e: -e.cpu_time_total)[:row_limit]
        width = max([len(e.key) for e in rows] + [4])
        lines = [f"{'Name':<{width}}  {'CPU total':>12}  {'CPU time avg':>12}  {'# of Calls':>10}"]
        lines += [f"{e.key:<{width}}  {e.cpu_time_total:>10.3f}us  {e.cpu_time:>10.3f}us  {e.count:>10}" for e in rows]
        bar = "-" * len(lines[0])
        return "\n".join([header or "", bar, lines[0], bar, *lines[1:], bar, "winnow's profiler sees only what record_function marks"])

    def total_average(self):
        total = _Event("Total")
        for e in self:
            total.count += e.count
            total.cpu_time_total += e.cpu_time_total
        return total


_running = []


class record_function:
    """Context (or decorator) whose time the running profiles note under a name."""

    def __init__(self, name, args=None):
        self.name, self.args = name, args

    def __enter__(self):
        self._began = time.perf_counter()
        return self

    def __exit__(self, *exc):
        took = (time.perf_counter() - self._began) * 1e6
        for p in _running:
            event = p._events.setdefault(self.name, _Event(self.name))
            event.count += 1
            event.cpu_time_total += took

    def __call__(self, function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with record_function(self.name):
                return function(*args, **kwargs)

        return wrapper


class profile:
    """Context that runs what is inside; schedule and on_trace_ready are followed, step() counts."""

    def __init__(self, *, activities=None, schedule=None, on_trace_ready=None, record_shapes=False, profile_memory=False, with_stack=False,
                 with_flops=False, with_modules=False, experimental_config=None, execution_trace_observer=None, acc_events=False, use_cuda=None,
                 custom_trace_id_callback=None, post_processing_timeout_s=None):
        self.schedule = schedule or (lambda step: ProfilerAction.RECORD)
        self.on_trace_ready, self.step_num, self._events = on_trace_ready, 0, {}
        self.current_action = self.schedule(0)

    def start(self):
        _running.append(self)

    def stop(self):
        if self in _running:
            _running.remove(self)
        if self.current_action in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE) and self.on_trace_ready:
            self.on_trace_ready(self)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *exc):
        self.stop()

    def step(self):
        """The next step begins."""
        last = self.current_action
        self.step_num += 1
        self.current_action = self.schedule(self.step_num)
        if last is ProfilerAction.RECORD_AND_SAVE and self.on_trace_ready:
            self.on_trace_ready(self)
            self._events = {}

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False):
        return _Events(self._events.values())

    def events(self):
        return self.key_averages()

    def export_chrome_trace(self, path):
        """A trace file without operations."""
        import json

        with open(path, "w", encoding="utf-8") as file:
            json.dump({"traceEvents": []}, file)

    def export_stacks(self, path, metric="self_cpu_time_total"):
        open(path, "w", encoding="utf-8").close()

    def add_metadata(self, key, value):
        """Kept by no one."""

    add_metadata_json = preset_metadata_json = add_metadata


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False):
    """A handler for on_trace_ready that writes a (nearly empty) trace into a folder."""
    def handler(prof):
        import os

        os.makedirs(dir_name, exist_ok=True)
        prof.export_chrome_trace(os.path.join(dir_name, f"{worker_name or os.getpid()}.{time.time_ns()}.pt.trace.json"))

    return handler


def kineto_available():
    """Is there Kineto, PyTorch's tracer? No."""
    return False


def __getattr__(name):
    from ._hook import missing

    raise missing(__name__, name, globals(), "winnow's profiler measures only what record_function marks")
