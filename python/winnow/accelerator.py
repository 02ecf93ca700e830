"""torch.accelerator on a machine where there is none: winnow computes on the CPU."""
from ._hook import lacking as _lacking
from ._stand_in import answers as _answers, refusing as _refusing


_answers(globals(), [
    ("is_available()", "False", "Is there an accelerator? No."),
    ("device_count()", "0", "0: winnow computes on the CPU."),
    ("current_accelerator(check_available=False)", "None", "None: there is none."),
])


for _name in ("current_device_index", "current_device_idx", "current_stream", "set_device_index", "set_device_idx", "set_stream", "synchronize", "empty_cache",
              "get_memory_info", "memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved", "memory_stats",
              "reset_peak_memory_stats", "reset_accumulated_memory_stats", "get_device_capability"):
    globals()[_name] = _refusing(_name, RuntimeError, "Cannot access accelerator device when none is available.",
                                 "Needs an accelerator, and winnow computes on the CPU: a RuntimeError.")
del _name


__getattr__ = _lacking(__name__, globals(), "winnow computes on the CPU")
