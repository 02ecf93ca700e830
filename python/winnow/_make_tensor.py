"""torch.testing.make_tensor: tensors of random values for tests."""
import math
import warnings

import winnow


def make_tensor(*shape, dtype, device, low=None, high=None, requires_grad=False, noncontiguous=False, exclude_zero=False, memory_format=None):
    """Values evenly drawn from [low, high): by default from [-9, 9) (integers [-9, 10), bool and uint8 from 0 on), limited to what
    the dtype holds. exclude_zero: 1, or the smallest normal number, in place of zeros."""
    if len(shape) == 1 and not isinstance(shape[0], int):
        shape = tuple(shape[0])
    floating = dtype.is_floating_point
    if noncontiguous and memory_format is not None:
        raise ValueError(f"The parameters `noncontiguous` and `memory_format` are mutually exclusive, but got {noncontiguous=} and "
                         f"{memory_format=}")
    if requires_grad and not floating:
        raise ValueError(f"`requires_grad=True` is not supported for boolean and integral dtypes, but got {dtype=}")
    if dtype.is_complex:
        raise TypeError(f"The requested dtype '{dtype}' is not supported by torch.testing.make_tensor().")
    low, high = _range(low, high, dtype)
    spread = noncontiguous and math.prod(shape) > 1
    full = (*shape[:-1], 2 * shape[-1]) if spread else shape
    if floating:
        result = _uniform(winnow.empty(full, dtype=dtype, device=device), low, high)
    else:
        result = winnow.randint(low, high, full, dtype=dtype, device=device)
    if spread:
        result = result[..., 1::2]  # 1: an offset too
    elif memory_format is not None:
        result = result.clone(memory_format=memory_format)
    if exclude_zero:
        result.masked_fill_(result == 0, winnow.finfo(dtype).tiny if floating else 1)
    return result.requires_grad_() if requires_grad else result


def _uniform(t, low, high):
    if high - low >= winnow.finfo(t.dtype).max:  # more than uniform_ can span
        return t.uniform_(low / 2, high / 2).mul_(2)
    return t.uniform_(low, high)


def _limits(dtype):
    """What low and high may be at most."""
    if dtype.is_floating_point:
        return winnow.finfo(dtype).min, winnow.finfo(dtype).max
    if dtype is winnow.bool:
        return 0, 2
    limits = winnow.iinfo(dtype)
    return limits.min, limits.max + (dtype is not winnow.int64)  # randint's upper end must itself be an int64


def _range(low, high, dtype):
    floating = dtype.is_floating_point
    lowest, highest = _limits(dtype)
    if low is None:
        low = 0 if dtype is winnow.bool else -9
    if high is None:
        high = 9 if floating else 2 if dtype is winnow.bool else 10
    if any([isinstance(v, float) and math.isnan(v) for v in (low, high)]):
        raise ValueError(f"`low` and `high` cannot be NaN, but got {low=} and {high=}")
    if low == high and floating:
        warnings.warn("Passing `low==high` to `torch.testing.make_tensor` for floating or complex types is deprecated since 2.1 and will be "
                      "removed in 2.3. Use `torch.full(...)` instead.", FutureWarning, stacklevel=3)
    elif low >= high:
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    elif high < lowest or low >= highest:
        raise ValueError(f"The value interval specified by `low` and `high` is [{low}, {high}), but {dtype} only supports [{lowest}, {highest})")
    low, high = min(max(low, lowest), highest), min(max(high, lowest), highest)
    return (low, high) if floating else (math.ceil(low), math.ceil(high))
