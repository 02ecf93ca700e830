"""torch.utils.dlpack."""
from .. import _C
from .._construct import from_dlpack

to_dlpack = _C._to_dlpack
__all__ = ["to_dlpack", "from_dlpack"]
