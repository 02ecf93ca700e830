"""torch.cuda.amp: the old names. There is no CUDA here, so they warn and do nothing, as in torch on such a machine."""
import functools
import warnings

from ..amp import autocast_mode as _mode
from ..amp import grad_scaler as _scaler
from .._types import float16

__all__ = ["autocast", "GradScaler", "custom_fwd", "custom_bwd"]


def _deprecated(name):
    warnings.warn(f"`torch.cuda.amp.{name}(args...)` is deprecated. Please use `torch.amp.{name}('cuda', args...)` instead.", FutureWarning, stacklevel=3)


class autocast(_mode.autocast):
    """autocast("cuda"), which warns and changes nothing without CUDA. The newer name is torch.amp.autocast."""
    def __init__(self, enabled=True, dtype=float16, cache_enabled=True):
        _deprecated("autocast")
        super().__init__("cuda", enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)


class GradScaler(_scaler.GradScaler):
    """GradScaler("cuda"), which warns and scales nothing without CUDA. The newer name is torch.amp.GradScaler."""
    def __init__(self, init_scale=2.0 ** 16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        _deprecated("GradScaler")
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


custom_fwd = functools.partial(_mode.custom_fwd, device_type="cuda")
custom_bwd = functools.partial(_mode.custom_bwd, device_type="cuda")
