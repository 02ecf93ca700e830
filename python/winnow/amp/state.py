"""What torch's own namespace says about autocast."""
from .. import _C
from .._types import float16

__all__ = ["is_autocast_enabled", "set_autocast_enabled", "get_autocast_dtype", "set_autocast_dtype", "is_autocast_cpu_enabled",
           "set_autocast_cpu_enabled", "get_autocast_cpu_dtype", "set_autocast_cpu_dtype", "get_autocast_gpu_dtype", "is_autocast_cache_enabled",
           "set_autocast_cache_enabled"]


def is_autocast_enabled(device_type=None):
    """Is autocast on for this kind of device (the default: cuda, so never)?"""
    return device_type == "cpu" and _C._autocast_state()[0]


def set_autocast_enabled(device_type, enabled=None):
    if enabled is None:
        device_type, enabled = "cuda", device_type
    if device_type == "cpu":
        _, dtype, cache = _C._autocast_state()
        _C._set_autocast(enabled, dtype, cache)


def get_autocast_dtype(device_type):
    return _C._autocast_state()[1] if device_type == "cpu" else float16


def set_autocast_dtype(device_type, dtype):
    if device_type == "cpu":
        on, _, cache = _C._autocast_state()
        _C._set_autocast(on, dtype, cache)


def is_autocast_cpu_enabled():
    return _C._autocast_state()[0]


def set_autocast_cpu_enabled(enabled):
    set_autocast_enabled("cpu", enabled)


def get_autocast_cpu_dtype():
    return _C._autocast_state()[1]


def set_autocast_cpu_dtype(dtype):
    set_autocast_dtype("cpu", dtype)


def get_autocast_gpu_dtype():
    return float16


def is_autocast_cache_enabled():
    return _C._autocast_state()[2]


def set_autocast_cache_enabled(enabled):
    on, dtype, _ = _C._autocast_state()
    _C._set_autocast(on, dtype, enabled)
