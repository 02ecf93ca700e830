"""Attention masks: True for "not to be looked at" as -inf to be added."""
import winnow


def canonical_mask(mask, name, other, other_name, dtype, check_other=True):
    """The mask as one of a floating-point dtype. other: a mask that should be of the same dtype."""
    if mask is None:
        return None
    if mask.dtype is not winnow.bool and not mask.is_floating_point():
        raise RuntimeError(f"only bool and floating types of {name} are supported")
    if check_other and other is not None and mask.dtype is not other.dtype:
        from warnings import warn

        warn(f"Support for mismatched {name} and {other_name} is deprecated. Use same type for both instead.", stacklevel=3)
    if mask.is_floating_point():
        return mask
    return winnow.zeros_like(mask, dtype=dtype).masked_fill_(mask, -winnow.inf)


def is_causal_mask(mask, is_causal, size):
    """Is it the mask that leaves out what comes later? is_causal, where given, is the caller's word on it."""
    if is_causal is True or mask is None:
        return bool(is_causal) if mask is not None or is_causal is not None else False
    if is_causal is not None:
        return False
    causal = later_mask(size, mask.dtype)
    return mask.shape == causal.shape and bool((mask == causal).all())


def later_mask(size, dtype=None):
    """(size, size): -inf where the column is later than the row, else 0."""
    return winnow.triu(winnow.full((size, size), -winnow.inf, dtype=dtype), diagonal=1)
