"""The losses of nn.functional in torch's Python form: two old flags for the reduction, warnings, arguments in another order."""
import warnings

from .. import _C
from .._construct import Tensor, as_tensor
from .._kinds import need
from .._stand_in import answers as _answers, passed as _passed

_rows, _torch = _C.functions(4), _C.functions(1)


def _legacy(size_average, reduce, reduction, stacklevel=3):
    """torch's two old flags, where given, decide."""
    if size_average is None and reduce is None:
        return reduction
    size_average = True if size_average is None else size_average
    reduce = True if reduce is None else reduce
    name = "none" if not reduce else "mean" if size_average else "sum"
    warnings.warn(f"size_average and reduce args will be deprecated, please use reduction='{name}' instead.", stacklevel=stacklevel)
    return name


def _check(reduction, text="{} is not a valid value for reduction"):
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(text.format(reduction))


def _named(size_average, reduce, reduction, text="{} is not a valid value for reduction"):
    """The same, which has to be one of the three."""
    reduction = _legacy(size_average, reduce, reduction, 4)
    _check(reduction, text)
    return reduction


def _sizes(input, target):
    if target.shape != input.shape:
        warnings.warn(f"Using a target size ({target.shape}) that is different to the input size ({input.shape}). "
                      "This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.", stacklevel=3)


def _weighted(loss, weight, input, reduction, mean):
    if weight.shape != input.shape:
        raise ValueError("Weights and input must have the same size.")
    loss = loss * weight
    if reduction == "none":
        return loss
    if reduction == "sum":
        return loss.sum()
    if reduction == "mean":
        return mean(loss)
    raise ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'.")


def _of_difference(name, doc):
    """A loss of the difference, which a weight may be given for each element of."""
    row = _rows[name]

    def loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
        _sizes(input, target)
        reduction = _legacy(size_average, reduce, reduction)
        if weight is not None:
            return _weighted(row(input, target, reduction="none"), weight, input, reduction, lambda loss: loss.sum() / weight.sum())
        return row(input, target, reduction=reduction)

    loss.__name__ = loss.__qualname__ = name
    loss.__doc__ = doc
    return loss


l1_loss = _of_difference("l1_loss", "|input - target|.")
mse_loss = _of_difference("mse_loss", "(input - target)^2.")


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """Squared below beta, linear above."""
    _sizes(input, target)
    return _rows["smooth_l1_loss"](input, target, _legacy(size_average, reduce, reduction), beta)


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    """Squared below delta, linear above."""
    _sizes(input, target)
    if weight is not None:
        return _weighted(_rows["huber_loss"](input, target, "none", delta), weight, input, reduction, Tensor.mean)
    return _rows["huber_loss"](input, target, reduction, delta)


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """The cross entropy of probabilities."""
    reduction = _named(size_average, reduce, reduction)
    if target.shape != input.shape:
        raise ValueError(f"Using a target size ({target.shape}) that is different to the input size ({input.shape}) is deprecated. "
                         "Please ensure they have the same size.")
    return _rows["binary_cross_entropy"](input, target, weight, reduction)


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """The divergence of a distribution whose logarithm is input from target."""
    if size_average is None and reduce is None and reduction == "mean":
        warnings.warn("reduction: 'mean' divides the total loss by both the batch size and the support size."
                      "'batchmean' divides only by the batch size, and aligns with the KL div math definition."
                      "'mean' will be changed to behave the same as 'batchmean' in the next major release.", stacklevel=2)
    return _rows["kl_div"](input, target, _legacy(size_average, reduce, reduction), log_target)


def poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"):
    """The negative log-likelihood of counts."""
    reduction = _named(size_average, reduce, reduction)
    return _rows["poisson_nll_loss"](input, target, log_input, full, eps, reduction)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """The negative log-likelihood of normal distributions."""
    _check(reduction, "{} is not valid")
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = var * _torch["ones_like"](input)
    return _rows["gaussian_nll_loss"](input, target, var, full, eps, reduction)


# Losses that are a row but for the two old flags.
_answers(globals(), [
    (f"{_name}({_given}, size_average=None, reduce=None, reduction='mean')",
     f"_rows['{_name}']({_passed(_given)}, reduction=_legacy(size_average, reduce, reduction))", _rows[_name].__doc__)
    for _name, _given in (
        ("soft_margin_loss", "input, target"), ("multilabel_margin_loss", "input, target"),
        ("hinge_embedding_loss", "input, target, margin=1.0"), ("margin_ranking_loss", "input1, input2, target, margin=0"),
        ("cosine_embedding_loss", "input1, input2, target, margin=0"),
        ("triplet_margin_loss", "anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False"))])


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """The mean over the classes of each one's binary cross entropy."""
    reduction = _named(size_average, reduce, reduction, "{} is not valid")
    return _rows["multilabel_soft_margin_loss"](input, target, weight, reduction)


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    """The target's class against all others."""
    reduction = _named(size_average, reduce, reduction)
    if p != 1 and p != 2:
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    return _rows["multi_margin_loss"](input, target, p, margin, weight, reduction)


def triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction="mean"):
    """triplet_margin_loss with any function for the distance."""
    _check(reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    a, p, n = anchor.ndim, positive.ndim, negative.ndim
    if not a == p == n:
        raise RuntimeError("The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
                           f"anchor {a}D, positive {p}D, and negative {n}D inputs")
    if distance_function is None:
        distance_function = _torch["pairwise_distance"]
    near, far = distance_function(anchor, positive), distance_function(anchor, negative)
    if swap:
        far = _torch["minimum"](far, distance_function(positive, negative))
    loss = (margin + near - far).clamp_min(0)
    return loss.sum() if reduction == "sum" else loss.mean() if reduction == "mean" else loss


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    """Lengths may be tuples of numbers."""
    lengths = [n if isinstance(n, Tensor) else as_tensor(list(n), dtype=_int64()) for n in (input_lengths, target_lengths)]
    return _rows["ctc_loss"](log_probs, targets, *lengths, blank=blank, reduction=reduction, zero_infinity=zero_infinity)


def _int64():
    from .. import int64

    return int64


_normalize = _rows["normalize"]


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """input divided by its norm along dim."""
    if isinstance(dim, (tuple, list)) or dim is None:
        denom = input.norm(p, dim, keepdim=True).clamp_min(eps)
        return _torch["div"](input, denom) if out is None else _torch["div"](input, denom, out=out)
    return _normalize(input, p, dim, eps) if out is None else _normalize(input, p, dim, eps, out=out)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """Samples of the Gumbel-softmax distribution; hard: one-hot, with the soft ones' gradient."""
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    need("gumbel_softmax", Tensor, logits=logits)
    gumbels = -_torch["empty"](tuple(logits.shape), dtype=logits.dtype).exponential_().log()
    soft = ((logits + gumbels) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    one = _torch["zeros"](tuple(logits.shape), dtype=logits.dtype).scatter_(dim, index, 1.0)
    return one - soft.detach() + soft


pdist, cosine_similarity, pairwise_distance = (_torch[n] for n in ("pdist", "cosine_similarity", "pairwise_distance"))

__all__ = [n for n, f in list(globals().items()) if not n.startswith("_") and callable(f) and n not in ("Tensor", "as_tensor")]
for _f in __all__:
    if getattr(globals()[_f], "__module__", "").startswith("winnow"):
        globals()[_f].__module__ = "torch.nn.functional"
