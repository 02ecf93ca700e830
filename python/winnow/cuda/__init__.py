"""torch.cuda as on a PyTorch without CUDA: it says so, and what programs call to be polite does nothing."""
from .._hook import missing
from .._stand_in import answers as _answers, refusing as _refusing

__all__ = ["is_available", "is_tf32_supported", "device_count", "is_initialized", "init", "current_device", "set_device", "device", "synchronize", "manual_seed",
           "manual_seed_all", "seed", "seed_all", "empty_cache", "memory_allocated", "max_memory_allocated", "memory_reserved",
           "max_memory_reserved", "reset_peak_memory_stats", "memory_stats", "Stream", "Event", "stream", "current_stream"]

has_magma, has_half = False, True


_answers(globals(), [
    ("is_available()", "False", "Is there a GPU? Never."),
    ("device_count()", "0", "0: winnow computes on the CPU."),
    ("is_initialized()", "False", "False: there is no CUDA."),
    ("is_bf16_supported(including_emulation=True)", "False", "False: there is no GPU that could."),
    ("is_tf32_supported()", "False", "False: that is a way of CUDA's to multiply."),
    ("get_arch_list()", "[]", "[]: compiled for no GPU."),
    ("seed()", "None", "Seeds no GPU."),
    ("seed_all()", "None", "Seeds no GPU."),
    ("get_rng_state_all()", "[]", "[]: there are no GPUs."),
    ('set_rng_state(new_state, device="cuda")', "None", "Is kept for a GPU that never comes."),
    ("empty_cache()", "None", "Gives back no GPU memory."),
    ("reset_peak_memory_stats(device=None)", "None", "There are no peaks."),
    ("memory_summary(device=None, abbreviated=False)", '"no GPU memory: winnow computes on the CPU"',
     "A text that says that there is no GPU memory."),
    ("memory_snapshot(mempool_id=None)", "[]", "[]: there is no GPU memory."),
    ("is_current_stream_capturing()", "False", "False: there are no CUDA graphs."),
    ("list_gpu_processes(device=None)", '"no processes are running"',
     "A text that says that no processes are running."),
    *((f"{_name}(device=None)", "0", "0: there is no GPU memory.") for _name in (
        "memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved", "memory_cached", "max_memory_cached")),
])


_NO_CUDA = "Torch not compiled with CUDA enabled"


def _no_cuda(*args, **kwargs):
    raise AssertionError(_NO_CUDA)


_NEED_CUDA = ("init", "current_device", "get_device_name", "get_device_properties", "get_device_capability", "synchronize", "mem_get_info",
              "current_stream", "default_stream", "get_rng_state", "initial_seed", "ipc_collect", "current_blas_handle",
              "can_device_access_peer", "set_per_process_memory_fraction", "get_sync_debug_mode", "set_sync_debug_mode")
for _name in _NEED_CUDA:
    globals()[_name] = _refusing(_name, AssertionError, _NO_CUDA, "Needs CUDA, which winnow has not: an AssertionError.")
del _name


# ------------------------------------------------------------------ calls that mean nothing here

def manual_seed(seed):
    """Seeds no GPU."""
    int(seed)


def manual_seed_all(seed):
    """Seeds no GPU."""
    int(seed)


def set_rng_state_all(new_states):
    """Takes an empty list; a state would need a GPU, which is an AssertionError."""
    for _ in new_states:
        _no_cuda()


def memory_stats(device=None):
    """An empty OrderedDict: there is no GPU memory."""
    from collections import OrderedDict

    return OrderedDict()


class graph:
    """Context that captures a CUDA graph: an error."""

    def __init__(self, *args, **kwargs):
        _no_cuda()


CUDAGraph = graph

reset_max_memory_allocated = reset_max_memory_cached = reset_accumulated_memory_stats = reset_peak_memory_stats


# ------------------------------------------------------------------ devices and streams

def _index(device):
    """The number of a device given as number, string, torch.device or None; -1 stands for none, as in torch."""
    if device is None or isinstance(device, int):
        return -1 if device is None else device
    from .._types import device as make

    made = make(device)
    return -1 if made.type != "cuda" else made.index or 0


def set_device(device):
    """Only "no device" can be chosen."""
    if _index(device) >= 0:
        _no_cuda()


class device:
    """Context of a device: there is none but -1."""

    def __init__(self, device):
        self.idx = _index(device)

    def __enter__(self):
        if self.idx >= 0:
            raise RuntimeError("PyTorch was compiled without CUDA support")

    __exit__ = lambda self, *exc: False


class stream:
    """Context of a stream: None is allowed, and there is no other."""

    def __init__(self, stream):
        if stream is not None:
            _no_cuda()

    def __enter__(self):
        pass

    __exit__ = lambda self, *exc: False


class _Refused:
    """A class without instances: _refusal says why."""

    def __new__(cls, *args, **kwargs):
        raise RuntimeError(cls._refusal)


class StreamContext(_Refused):
    """What stream() gives."""
    _refusal = "torch.cuda.StreamContext: winnow computes on the CPU"


class Stream(_Refused):
    """A queue of a GPU: cannot be made."""
    _refusal = "torch.cuda.Stream requires CUDA support"


class Event(_Refused):
    """A mark in a queue of a GPU: cannot be made."""
    _refusal = "Tried to instantiate dummy base class Event"


def __getattr__(name):
    if name == "memory":
        import sys

        return sys.modules[__name__]
    if name in ("amp", "nvtx"):
        import importlib

        return importlib.import_module("." + name, __name__)
    if name == "sparse" or name[-6:] == "Tensor":
        from . import _types

        return _types.SPARSE if name == "sparse" else _types.kind(__name__, name)
    raise missing(__name__, name, globals(), "winnow computes on the CPU")
