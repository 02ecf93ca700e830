"""torch.cpu.amp: the old names of autocast and GradScaler for the CPU."""
import warnings

from ..amp import autocast_mode as _mode
from ..amp import grad_scaler as _scaler
from .._types import bfloat16

__all__ = ["autocast", "GradScaler"]


def _deprecated(name):
    warnings.warn(f"`torch.cpu.amp.{name}(args...)` is deprecated. Please use `torch.amp.{name}('cpu', args...)` instead.", FutureWarning, stacklevel=3)


class autocast(_mode.autocast):
    """autocast("cpu"). The newer name is torch.amp.autocast."""
    def __init__(self, enabled=True, dtype=bfloat16, cache_enabled=True):
        _deprecated("autocast")
        super().__init__("cpu", enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)


class GradScaler(_scaler.GradScaler):
    """GradScaler("cpu"). The newer name is torch.amp.GradScaler."""
    def __init__(self, init_scale=2.0 ** 16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        _deprecated("GradScaler")
        super().__init__("cpu", init_scale, growth_factor, backoff_factor, growth_interval, enabled)
