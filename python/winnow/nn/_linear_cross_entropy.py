"""linear_cross_entropy: the cross entropy of a linear map's result, and its options."""
from dataclasses import dataclass
from typing import Any, Optional


@dataclass(frozen=True)
class LinearCrossEntropyOptions:
    """How PyTorch goes through the batch in pieces. winnow takes the options and computes the same numbers in one piece."""
    allow_retain_graph: bool = False
    batch_chunk_size: Optional[int] = None
    chunking_method: Optional[str] = "auto"
    acc_policy: str = "auto"
    acc_dtype: Any = None

    def __post_init__(self):
        size = self.batch_chunk_size
        if size is not None and (not isinstance(size, int) or isinstance(size, bool) or size <= 0):
            raise ValueError(f"batch_chunk_size must be positive int or None, got {size}")
        method = self.chunking_method
        if method is not None and method != "auto" and not (isinstance(method, str) and method.startswith("aspect_ratio:")):
            raise ValueError(f"invalid chunking_method: {method!r}")
        if self.acc_policy not in ("accurate", "balanced", "compact", "auto"):
            raise ValueError(f"invalid acc_policy: {self.acc_policy!r}")
        if self.acc_dtype is not None and not getattr(self.acc_dtype, "is_floating_point", False):
            raise ValueError("acc_dtype must be one of {None, torch.float16, torch.bfloat16, torch.float32, torch.float64}, got "
                             f"{self.acc_dtype}. Pass acc_dtype=None to let the op pick automatically.")


def _check(input, weight, bias):
    if weight.dim() < 2:
        raise RuntimeError(f"expected linear_weight with dimensionality at least 2, got {weight.dim()}")
    if input.dim() not in (1, 2):
        raise RuntimeError(f"expected input with dimensionality 1 or 2, got {input.dim()}")
    if input.shape[-1] != weight.shape[-1]:
        raise RuntimeError("expected equal input and linear_weight last dimensions (in_features), got "
                           f"{input.shape[-1]} and {weight.shape[-1]}, respectively")
    if weight.dim() > 2 and input.dim() != 2:
        raise RuntimeError(f"K-dimensional loss defined by linear_weight shape {tuple(weight.shape)} requires batched input, "
                           f"(N, {input.shape[-1]}), got unbatched input with shape {tuple(input.shape)}")
    if bias is not None and bias.shape != weight.shape[:-1]:
        raise RuntimeError(f"expected linear_bias shape {tuple(weight.shape[:-1])}, got {tuple(bias.shape)}")


def linear_cross_entropy(input, linear_weight, target, *, linear_bias=None, weight=None, reduction="mean", ignore_index=None,
                         label_smoothing=0.0, options=None):
    """cross_entropy(linear(input, linear_weight, linear_bias), target). linear_weight may be (C, d_1, ..., d_K, in_features)."""
    from . import functional as F

    _check(input, linear_weight, linear_bias)
    if ignore_index is None:
        ignore_index = -100
    elif target.is_floating_point():
        raise RuntimeError("ignore_index cannot be specified when target contains probabilities")
    classes = linear_weight.shape[:-1]
    if len(classes) == 1:
        logits = F.linear(input, linear_weight, linear_bias)
    else:
        flat = None if linear_bias is None else linear_bias.reshape(-1)
        logits = F.linear(input, linear_weight.reshape(-1, linear_weight.shape[-1]), flat).unflatten(-1, tuple(classes))
    return F.cross_entropy(logits, target, weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing)
