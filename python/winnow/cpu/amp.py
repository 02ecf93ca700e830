"""torch.cpu.amp: the old names of autocast and GradScaler for the CPU."""
from ..amp._old_names import old_names
from .._types import bfloat16

__all__ = ["autocast", "GradScaler"]

autocast, GradScaler = old_names("cpu", bfloat16, "", "")
