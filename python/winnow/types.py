"""torch.types: names of types in annotations."""
import builtins as _builtins
import os as _os
from typing import IO, Any, Sequence, Union

from . import Tensor, device as _device, dtype as _dtype, layout as _layout, qscheme as _qscheme
from ._types import Size

__all__ = ["Number", "Device", "FileLike", "Storage"]

_int, _float, _complex, _bool, _str, _bytes = (getattr(_builtins, n) for n in ("int", "float", "complex", "bool", "str", "bytes"))
_size = Union[Size, list[_int], tuple[_int, ...]]
_TensorOrTensors = Union[Tensor, Sequence[Tensor]]
_TensorOrOptionalTensors = Union[Tensor, Sequence[Union[Tensor, None]]]
_TensorOrTensorsOrGradEdge = Any
Number = Union[_int, _float, _bool]
_Number = (_int, _float, _bool)
IntLikeType, FloatLikeType, BoolLikeType = _int, _float, _bool
Device = Union[_device, _str, _int, None]
FileLike = Union[_str, _os.PathLike, IO[_bytes]]
Storage = Any
