"""Traces in Chrome's format, which Perfetto, chrome://tracing and TensorBoard open: one complete event ("X") for each event, times in microseconds."""
import json
import os


def _event(e, process):
    args = {"External id": e.id}
    if e.input_shapes:
        args["Input Dims"], args["Input type"] = e.input_shapes, e.dtypes
    if e.stack:
        args["Call stack"] = ";".join(e.stack)
    if e.cpu_memory_usage:
        args["Bytes"] = e.cpu_memory_usage
    return {"ph": "X", "cat": e.category, "name": e.trace_name, "pid": process, "tid": e.thread, "ts": round(e.time_range.start, 3),
            "dur": round(max(e.time_range.elapsed_us(), 0), 3), "args": args}


def write(path, events, metadata):
    """events into a file; compressed where its name ends in .gz."""
    process = os.getpid()
    about = [{"ph": "M", "name": "process_name", "pid": process, "tid": 0, "ts": 0, "args": {"name": "python"}},
             {"ph": "M", "name": "process_labels", "pid": process, "tid": 0, "ts": 0, "args": {"labels": "CPU"}}]
    for thread in sorted({e.thread for e in events}):
        about.append({"ph": "M", "name": "thread_name", "pid": process, "tid": thread, "ts": 0, "args": {"name": f"thread {thread}"}})
    trace = {"schemaVersion": 1, "deviceProperties": [], **metadata, "displayTimeUnit": "ms", "traceName": str(path),
             "traceEvents": [*about, *[_event(e, process) for e in events]]}
    if str(path).endswith(".gz"):
        import gzip

        with gzip.open(path, "wt", encoding="utf-8") as file:
            json.dump(trace, file)
    else:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(trace, file)
