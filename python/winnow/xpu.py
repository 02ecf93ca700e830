"""torch.xpu as on a PyTorch without Intel's GPUs: it says so, and what programs call to be polite does nothing."""
from ._hook import lacking as _lacking
from ._stand_in import answering as _answering, answers as _answers, refusing as _refusing

for _name, _value in (("is_available", False), ("is_initialized", False), ("is_bf16_supported", False), ("is_tf32_supported", False),
                      ("device_count", 0), ("memory_allocated", 0), ("max_memory_allocated", 0), ("memory_reserved", 0),
                      ("max_memory_reserved", 0), ("get_gencode_flags", "")):
    globals()[_name] = _answering(_name, _value, f"{_value!r}: there is no such GPU.")
for _name in ("manual_seed", "manual_seed_all", "seed", "seed_all", "empty_cache"):
    globals()[_name] = _answering(_name, None, "Does nothing: there is no such GPU.")
for _name in ("init", "current_device", "current_stream", "set_device", "synchronize", "get_device_name", "get_device_properties",
              "get_device_capability", "get_rng_state", "initial_seed", "mem_get_info", "can_device_access_peer"):
    globals()[_name] = _refusing(_name, AssertionError, "Torch not compiled with XPU enabled", "Needs an Intel GPU, which winnow does not use: an AssertionError.")
del _name, _value


_answers(globals(), [
    ("get_arch_list()", "[]", "[]: compiled for no GPU."),
    ("get_rng_state_all()", "[]", "[]: there are no GPUs."),
])


__getattr__ = _lacking(__name__, globals(), "winnow computes on the CPU")
