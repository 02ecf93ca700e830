"""autocast: a mode of the engine's dispatch (src/call/autocast.c) as context manager and decorator."""
import functools
import warnings

from .. import _C
from .._recording import inside
from .._types import bfloat16, float16, float32

_depth = 0


def is_autocast_available(device_type):
    """Is there an autocast for this kind of device?"""
    if not isinstance(device_type, str):
        raise TypeError(f"is_autocast_available(): argument 'device_type' must be str, not {type(device_type).__name__}")
    return device_type in ("cpu", "cuda", "xpu", "mps", "hpu", "mtia", "xla", "ipu", "maia")


class autocast:
    """Within it products compute in dtype (bfloat16 unless given), what needs precision in float32. Usable as a decorator.

    For device types that winnow has not it warns and does nothing, as torch does on a machine without them."""

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        if not is_autocast_available(device_type):
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        self.device = device_type
        self.fast_dtype = dtype if dtype is not None else (bfloat16 if device_type == "cpu" else float16)
        self._cache_enabled = _C._autocast_state()[2] if cache_enabled is None else cache_enabled
        if device_type != "cpu" and enabled:
            warnings.warn(f"User provided device_type of '{device_type}', but {device_type.upper()} is not available. Disabling")
            enabled = False
        if device_type == "cpu" and enabled and self.fast_dtype not in (bfloat16, float16):
            if self.fast_dtype != float32:
                warnings.warn("In CPU autocast, but the target dtype is not supported. Disabling autocast.\n"
                              "CPU Autocast only supports dtype of torch.bfloat16, torch.float16 currently.")
            enabled = False
        self._enabled = bool(enabled)
        self._before = []

    def __enter__(self):
        global _depth
        self._before.append(_C._autocast_state())
        _depth += 1
        if self.device == "cpu":
            dtype = self.fast_dtype if self.fast_dtype in (bfloat16, float16) else bfloat16
            _C._set_autocast(self._enabled, dtype, self._cache_enabled)
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        global _depth
        _depth -= 1
        _C._set_autocast(*self._before.pop())
        if _depth == 0:
            _C.clear_autocast_cache()
        return False

    def __call__(self, func):
        return inside(lambda: self, func)


def _cast(value, dtype):
    from .. import Tensor

    if isinstance(value, Tensor):
        return value.to(dtype) if value.is_floating_point() and value.dtype.itemsize < 8 else value
    if isinstance(value, dict):
        return {_cast(k, dtype): _cast(v, dtype) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_cast(v, dtype) for v in value)
    return value


def custom_fwd(fwd=None, *, device_type, cast_inputs=None):
    """For the forward of an autograd.Function: remembers the mode for custom_bwd; cast_inputs: converts the inputs and switches
    autocast off inside."""
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorated(ctx, *args, **kwargs):
        on, ctx._dtype, _ = _C._autocast_state()
        on = on and device_type == "cpu"
        if cast_inputs is None or not on:
            ctx._fwd_used_autocast = on
            return fwd(ctx, *args, **kwargs)
        ctx._fwd_used_autocast = False
        with autocast("cpu", enabled=False):
            return fwd(ctx, *_cast(args, cast_inputs), **_cast(kwargs, cast_inputs))

    return decorated


def custom_bwd(bwd=None, *, device_type):
    """For the backward of an autograd.Function: runs in the mode that its forward ran in."""
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def decorated(ctx, *args, **kwargs):
        with autocast("cpu", enabled=ctx._fwd_used_autocast, dtype=ctx._dtype):
            return bwd(ctx, *args, **kwargs)

    return decorated
