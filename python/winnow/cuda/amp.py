"""torch.cuda.amp: the old names. There is no CUDA here, so they warn and do nothing, as in torch on such a machine."""
import functools

from ..amp import autocast_mode as _mode
from ..amp._old_names import old_names
from .._types import float16

__all__ = ["autocast", "GradScaler", "custom_fwd", "custom_bwd"]

autocast, GradScaler = old_names("cuda", float16, ", which warns and changes nothing without CUDA", ", which warns and scales nothing without CUDA")
custom_fwd = functools.partial(_mode.custom_fwd, device_type="cuda")
custom_bwd = functools.partial(_mode.custom_bwd, device_type="cuda")
