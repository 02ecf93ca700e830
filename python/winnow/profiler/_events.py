"""Events as PyTorch's profiler has them (torch.autograd.profiler_util): each an interval on a thread, which lies in others; their sums by name."""
from .._types import BY_NUMBER
from ._log import _CALL, _NODE, _PART, _PROGRAM, _TURN
from ._table import table


class Interval:
    """From start to end, in microseconds since the profile began."""

    def __init__(self, start, end):
        self.start, self.end = start, end

    def elapsed_us(self):
        return self.end - self.start

    __repr__ = lambda self: f"Interval(start={self.start:.3f}, end={self.end:.3f})"


class _Times:
    """What an event and a sum of events have in common. Nothing runs on other devices than the CPU."""
    device_time_total = self_device_time_total = cuda_time_total = self_cuda_time_total = device_time = cuda_time = 0
    device_memory_usage = self_device_memory_usage = cuda_memory_usage = self_cuda_memory_usage = 0
    flops, overload_name = 0, ""
    is_async = is_remote = is_legacy = False

    @property
    def cpu_time(self):
        """One call's, on average."""
        return self.cpu_time_total / max(self.count, 1)


class FunctionEvent(_Times):
    """One event. count is 1, or 0 for a share of a program: the call that asked for it is an event of its own."""

    def __init__(self, number, name, thread, start, end, count=1, input_shapes=None, dtypes=None, stack=(), memory=0, category="cpu_op"):
        self.id, self.node_id, self.thread, self.count, self.category = number, -1, thread, count, category
        self.trace_name, self.name = name, "ProfilerStep*" if name.startswith("ProfilerStep#") else name
        self.time_range, self.cpu_memory_usage = Interval(start, end), memory
        self.input_shapes, self.dtypes, self.stack = input_shapes or [], dtypes or [], list(stack)
        self.cpu_parent, self.cpu_children, self.kernels, self.scope = None, [], [], 0

    key = property(lambda self: self.name)
    cpu_time_total = property(lambda self: self.time_range.elapsed_us())
    self_cpu_time_total = property(lambda self: self.cpu_time_total - sum([c.cpu_time_total for c in self.cpu_children]))
    self_cpu_memory_usage = property(lambda self: self.cpu_memory_usage - sum([c.cpu_memory_usage for c in self.cpu_children]))
    is_user_annotation = property(lambda self: self.category == "user_annotation")

    def __repr__(self):
        return f"<FunctionEvent id={self.id} name={self.name} cpu_time={self.cpu_time_total:.3f}us thread={self.thread} input_shapes={self.input_shapes}>"


class FunctionEventAvg(_Times):
    """The sum of events of one name (and shapes, and line, where those were asked to tell them apart)."""

    def __init__(self, first=None):
        self.key = self.name = first.name if first is not None else "Total"
        self.count = self.cpu_time_total = self.self_cpu_time_total = self.cpu_memory_usage = self.self_cpu_memory_usage = 0
        self.input_shapes, self.stack = (first.input_shapes, first.stack) if first is not None else ([], [])
        self.is_user_annotation = first is not None and first.is_user_annotation

    def add(self, e):
        """Counts one more event, or sum."""
        for name in ("count", "cpu_time_total", "self_cpu_time_total", "cpu_memory_usage", "self_cpu_memory_usage"):
            setattr(self, name, getattr(self, name) + getattr(e, name))
        return self

    def __repr__(self):
        return f"<FunctionEventAvg key={self.key} self_cpu_time={self.self_cpu_time_total:.3f}us cpu_time={self.cpu_time:.3f}us input_shapes={self.input_shapes}>"


class EventList(list):
    """Events, or sums of events."""

    def __init__(self, events=(), profile_memory=False, with_stack=False, shapes=False):
        super().__init__(events)
        self._memory, self._stack, self._shapes = profile_memory, with_stack, shapes

    self_cpu_time_total = property(lambda self: sum([e.self_cpu_time_total for e in self]))

    def key_averages(self, group_by_input_shapes=False, group_by_stack_n=0, group_by_overload_name=False):
        """Sums by name."""
        sums = {}
        for e in self:
            key = e.name, str(e.input_shapes) if group_by_input_shapes else "", tuple(e.stack[:group_by_stack_n])
            if key not in sums:
                sums[key] = FunctionEventAvg(e)
            sums[key].add(e)
        return EventList(sums.values(), self._memory, group_by_stack_n > 0, group_by_input_shapes)

    def total_average(self):
        """The sum of all. Times of events that lie in others count once for each of them."""
        total = FunctionEventAvg()
        for e in self:
            total.add(e)
        return total

    def table(self, sort_by=None, row_limit=100, max_src_column_width=75, max_name_column_width=55, max_shapes_column_width=80, header=None,
              top_level_events_only=False, time_unit=None):
        """A text with a row for each."""
        rows = [e for e in self if not top_level_events_only or getattr(e, "cpu_parent", None) is None]
        return table(rows, self.self_cpu_time_total, sort_by, row_limit, (max_name_column_width, max_shapes_column_width, max_src_column_width), header, time_unit,
                     self._memory, self._shapes, self._stack)

    __str__ = lambda self: self.table()

    def export_chrome_trace(self, path):
        """Writes them as a trace of Chrome's format."""
        from ._chrome import write

        write(path, self, {})

    def export_stacks(self, path, metric):
        """Writes "line time" (in whole microseconds) for each event that has a line."""
        if metric not in ("self_cpu_time_total", "self_cuda_time_total", "self_device_time_total"):
            raise ValueError("metric should be one of: ['self_cpu_time_total', 'self_cuda_time_total', 'self_device_time_total']")
        with open(path, "w", encoding="utf-8") as file:
            for e in self:
                value = int(getattr(e, metric))
                if e.stack and value > 0:
                    file.write(f"{';'.join([line.replace(' ', '_') for line in reversed(e.stack)])} {value}\n")


# ------------------------------------------------------------------ from what was noted

def _operand(numbers, at):
    """(sizes, type, where the next one begins)"""
    n = numbers[at]
    if n >= 0:
        return list(numbers[at + 2:at + 2 + numbers[at + 1]]), str(BY_NUMBER[n])[6:], at + 2 + numbers[at + 1]
    sizes, at = [], at + 1
    for _ in range(-2 - n):
        one, _, at = _operand(numbers, at)
        sizes.append(one)
    return sizes, "" if n == -1 else "TensorList", at


def _operands(numbers):
    shapes, dtypes, at = [], [], 0
    while at < len(numbers):
        sizes, kind, at = _operand(numbers, at)
        shapes.append(sizes)
        dtypes.append(kind)
    while dtypes and not dtypes[-1]:  # options that torch does not count, such as out
        shapes.pop()
        dtypes.pop()
    return shapes, dtypes


_CATEGORIES = {_CALL: "cpu_op", _PROGRAM: "winnow_program", _PART: "cpu_op", _TURN: "cpu_op", _NODE: "cpu_op"}
_OF_CLASSES = ("AccumulateGrad", "CopySlices", "CopyBackwards")  # nodes that PyTorch calls by the names of C++


def _row(kind, op):
    """The name of an event's row."""
    if kind == _PROGRAM:
        return "winnow::program"
    if kind not in (_TURN, _NODE):
        return "aten::" + op
    name = "torch::autograd::" + op if op in _OF_CLASSES else op
    return "autograd::engine::evaluate_function: " + name if kind == _TURN else name


def made(recording, with_shapes):
    """The events of a recording that has stopped: (an EventList in order of their beginning)."""
    noted, marks = recording.stop()
    of_call, events, zero = {}, [], recording.began
    for i, (kind, thread, op, label, began, ended, of, memory, operands) in enumerate(noted):
        shapes, dtypes = of_call.get(of, ([], [])) if kind == _PART else _operands(operands) if with_shapes and kind == _CALL else ([], [])
        of_call[recording.first + i] = shapes, dtypes
        events.append(FunctionEvent(i, _row(kind, op), thread, (began - zero) / 1e3, (ended - zero) / 1e3, int(kind != _PART), shapes, dtypes, [label] if label else (), memory,
                                    _CATEGORIES[kind]))
    for name, thread, began, ended, args in marks:
        events.append(FunctionEvent(len(events), name, thread, (began - zero) / 1e3, (ended - zero) / 1e3, category="user_annotation"))
    events.sort(key=lambda e: (e.time_range.start, -e.time_range.end, e.id))
    _nest(events)
    return events


def _nest(events):
    """Who lies in whom: of each thread by itself."""
    open_ones = {}
    for e in events:
        around = open_ones.setdefault(e.thread, [])
        while around and around[-1].time_range.end < e.time_range.end:
            around.pop()
        if around and around[-1].time_range.start <= e.time_range.start:
            e.cpu_parent = around[-1]
            around[-1].cpu_children.append(e)
        around.append(e)
