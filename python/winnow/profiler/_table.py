"""The table of a profile's rows, in the form of PyTorch's."""

_ORDERS = {"cpu_time", "cpu_time_total", "self_cpu_time_total", "cpu_memory_usage", "self_cpu_memory_usage", "count", "device_time", "device_time_total",
           "self_device_time_total", "device_memory_usage", "self_device_memory_usage", "cuda_time", "cuda_time_total", "self_cuda_time_total",
           "cuda_memory_usage", "self_cuda_memory_usage"}
_UNITS = {"us": 1.0, "ms": 1e3, "s": 1e6}


def _time(us, unit):
    unit = unit or ("s" if us >= 1e6 else "ms" if us >= 1e3 else "us")
    return f"{us / _UNITS[unit]:.3f}{unit}"


def _bytes(n):
    for size, unit in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")):
        if abs(n) >= size:
            return f"{n / size:.2f} {unit}"
    return f"{n} B"


def _cut(text, width):
    return text if width is None or len(text) <= width else text[:width - 3] + "..."


def table(rows, self_total, sort_by, row_limit, widths, header, time_unit, memory, shapes, stack):
    """rows: events or their sums; self_total: what all of them took, in microseconds."""
    if not rows:
        return ""
    if sort_by is not None:
        if sort_by not in _ORDERS:
            raise AttributeError(f"'FunctionEventAvg' object has no attribute '{sort_by}'; rows can be sorted by {', '.join(sorted(_ORDERS))}")
        rows = sorted(rows, key=lambda e: -getattr(e, sort_by))
    if row_limit >= 0:
        rows = rows[:row_limit]
    share = lambda us: f"{100 * us / self_total:.2f}%" if self_total else "NaN"  # noqa: E731
    columns = [("Name", lambda e: _cut(e.key, widths[0])), ("Self CPU %", lambda e: share(e.self_cpu_time_total)),
               ("Self CPU", lambda e: _time(e.self_cpu_time_total, time_unit)), ("CPU total %", lambda e: share(e.cpu_time_total)),
               ("CPU total", lambda e: _time(e.cpu_time_total, time_unit)), ("CPU time avg", lambda e: _time(e.cpu_time, time_unit))]
    if memory:
        columns += [("CPU Mem", lambda e: _bytes(e.cpu_memory_usage)), ("Self CPU Mem", lambda e: _bytes(e.self_cpu_memory_usage))]
    columns.append(("# of Calls", lambda e: str(e.count)))
    if shapes:
        columns.append(("Input Shapes", lambda e: _cut(str(e.input_shapes), widths[1])))
    if stack:
        columns.append(("Source Location", lambda e: _cut(e.stack[0] if e.stack else "", widths[2])))
    return _lines(columns, rows, header, f"Self CPU time total: {_time(self_total, time_unit)}")


def _lines(columns, rows, header, last):
    cells = [[show(e) for _, show in columns] for e in rows]
    width = [max(len(title), *[len(line[i]) for line in cells]) for i, (title, _) in enumerate(columns)]
    put = lambda line: "  ".join([cell.rjust(w) for cell, w in zip(line, width)])  # noqa: E731
    bar = "  ".join(["-" * w for w in width])
    return "\n".join([*([header] if header else []), bar, put([title for title, _ in columns]), bar, *map(put, cells), bar, last, ""])
