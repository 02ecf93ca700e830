"""torch.mps as on a machine without Apple's Metal: it says so."""
from ._hook import lacking as _lacking
from ._stand_in import answers as _answers, refusing as _refusing


_answers(globals(), [
    ("is_available()", "False", "Is there a Metal device? Never."),
    ("device_count()", "0", "0: winnow computes on the CPU."),
    ("manual_seed(seed)", "None", "Seeds no device."),
])


for _name in ("synchronize", "empty_cache", "seed", "get_rng_state", "set_rng_state", "set_per_process_memory_fraction", "current_allocated_memory",
              "driver_allocated_memory", "recommended_max_memory", "compile_shader"):
    globals()[_name] = _refusing(_name, RuntimeError, f"torch.mps.{_name}: there is no MPS device; winnow computes on the CPU",
                                 "Needs Apple's Metal, which winnow does not use: a RuntimeError.")
del _name


__getattr__ = _lacking(__name__, globals(), "winnow computes on the CPU")
