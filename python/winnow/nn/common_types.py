"""torch.nn.common_types: names of types in annotations."""
from typing import Optional, TypeVar, Union

from .. import Tensor

T = TypeVar("T")


def _or_tuple(n, of=T):
    return Union[of, tuple[(of,) * n]]


_scalar_or_tuple_any_t = Union[T, tuple[T, ...]]
_size_any_t, _size_any_opt_t, _ratio_any_t = (_scalar_or_tuple_any_t[of] for of in (int, Optional[int], float))
_scalar_or_tuple_1_t, _scalar_or_tuple_2_t, _scalar_or_tuple_3_t, _scalar_or_tuple_4_t, _scalar_or_tuple_5_t, _scalar_or_tuple_6_t = map(_or_tuple, range(1, 7))
_size_1_t, _size_2_t, _size_3_t, _size_4_t, _size_5_t, _size_6_t = (_or_tuple(n, int) for n in range(1, 7))
_size_2_opt_t, _size_3_opt_t = (_or_tuple(n, Optional[int]) for n in (2, 3))
_ratio_2_t, _ratio_3_t = (_or_tuple(n, float) for n in (2, 3))
_tensor_list_t = Union[Tensor, list[Tensor]]
_maybe_indices_t = _scalar_or_tuple_2_t[Tensor]
