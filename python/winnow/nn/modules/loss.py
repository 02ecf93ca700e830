"""Losses: each is the function of nn.functional with its arguments kept."""
from math import prod
from warnings import warn

from .. import functional as F
from .._linear_cross_entropy import LinearCrossEntropyOptions
from ._of_functions import define
from .linear import Linear
from .module import Module

__all__ = ["L1Loss", "NLLLoss", "NLLLoss2d", "PoissonNLLLoss", "GaussianNLLLoss", "KLDivLoss", "MSELoss", "BCELoss", "BCEWithLogitsLoss",
           "HingeEmbeddingLoss", "MultiLabelMarginLoss", "SmoothL1Loss", "HuberLoss", "SoftMarginLoss", "CrossEntropyLoss",
           "MultiLabelSoftMarginLoss", "CosineEmbeddingLoss", "MarginRankingLoss", "MultiMarginLoss", "TripletMarginLoss",
           "TripletMarginWithDistanceLoss", "CTCLoss", "LinearCrossEntropyLoss", "LinearCrossEntropyOptions"]


class _Loss(Module):
    """reduction, which two old flags may name."""
    __constants__ = ["reduction"]

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        self.reduction = reduction if size_average is None and reduce is None else F._reduction(size_average, reduce, reduction)


class _WeightedLoss(_Loss):
    """A weight for each class, kept as a buffer."""
    _also_kept = ("weight",)

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


_FLAGS = 'size_average=None, reduce=None, reduction="mean"'
define(globals(), [
    ("L1Loss", "_Loss", None, "l1_loss(input, target, reduction=reduction)", "|x - y|"),
    ("MSELoss", "_Loss", None, "mse_loss(input, target, reduction=reduction)", "(x - y)^2"),
    ("SmoothL1Loss", "_Loss", f"{_FLAGS}, beta=1.0",
     "smooth_l1_loss(input, target, reduction=reduction, beta=beta)",
     "(x - y)^2 / (2 beta) where |x - y| < beta, else |x - y| - beta / 2"),
    ("HuberLoss", "_Loss", 'reduction="mean", delta=1.0',
     "huber_loss(input, target, reduction=reduction, delta=delta)",
     "(x - y)^2 / 2 where |x - y| < delta, else delta (|x - y| - delta / 2)"),
    ("SoftMarginLoss", "_Loss", None, "soft_margin_loss(input, target, reduction=reduction)", "log(1 + exp(-y x))"),
    ("NLLLoss", "_WeightedLoss", 'weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"',
     "nll_loss(input, target, weight=weight, ignore_index=ignore_index, reduction=reduction)",
     "-weight[y] x[y] of log-probabilities"),
    ("CrossEntropyLoss", "_WeightedLoss", 'weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0',
     "cross_entropy(input, target, weight=weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing)",
     "-log softmax(x)[y], or -sum y log softmax(x)"),
    ("GaussianNLLLoss", "_Loss", '*, full=False, eps=1e-6, reduction="mean"',
     "gaussian_nll_loss(input, target, var, full=full, eps=eps, reduction=reduction)",
     "(log(var) + (x - y)^2 / var) / 2"),
    ("KLDivLoss", "_Loss", f"{_FLAGS}, log_target=False",
     "kl_div(input, target, reduction=reduction, log_target=log_target)", "y (log(y) - x)"),
    ("BCELoss", "_WeightedLoss", None,
     "binary_cross_entropy(input, target, weight=weight, reduction=reduction)", "-(y log(x) + (1 - y) log(1 - x))"),
    ("CTCLoss", "_Loss", 'blank=0, reduction="mean", zero_infinity=False',
     "ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)",
     "-log of the probability of a sequence of labels, over all its alignments"),
    ("HingeEmbeddingLoss", "_Loss", f"margin=1.0, {_FLAGS}",
     "hinge_embedding_loss(input, target, margin=margin, reduction=reduction)",
     "x where y = 1, max(0, margin - x) where y = -1"),
    ("MultiLabelMarginLoss", "_Loss", None,
     "multilabel_margin_loss(input, target, reduction=reduction)",
     "max(0, 1 - (x[y_j] - x[i])) over labels y_j and other classes i"),
    ("MultiLabelSoftMarginLoss", "_WeightedLoss", None,
     "multilabel_soft_margin_loss(input, target, weight=weight, reduction=reduction)",
     "-mean(y log(sigmoid(x)) + (1 - y) log(sigmoid(-x)))"),
    ("CosineEmbeddingLoss", "_Loss", f"margin=0.0, {_FLAGS}",
     "cosine_embedding_loss(input1, input2, target, margin=margin, reduction=reduction)",
     "1 - cos(x1, x2) where y = 1, max(0, cos(x1, x2) - margin) where y = -1"),
    ("MarginRankingLoss", "_Loss", f"margin=0.0, {_FLAGS}",
     "margin_ranking_loss(input1, input2, target, margin=margin, reduction=reduction)",
     "max(0, -y (x1 - x2) + margin)"),
])


class NLLLoss2d(NLLLoss):
    """NLLLoss under an old name."""

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        warn("NLLLoss2d has been deprecated. Please use NLLLoss instead as a drop-in replacement and see "
             "https://pytorch.org/docs/main/nn.html#torch.nn.NLLLoss for more details.", FutureWarning, stacklevel=2)
        super().__init__(weight, size_average, ignore_index, reduce, reduction)


class LinearCrossEntropyLoss(_WeightedLoss):
    """CrossEntropyLoss behind a linear layer of its own"""
    __constants__ = ["num_classes", "out_features", "reduction", "ignore_index", "label_smoothing"]

    def __init__(self, in_features, num_classes, *, out_features=(), bias=False, device=None, dtype=None, reduction="mean", weight=None,
                 ignore_index=None, label_smoothing=0.0, options=None):
        super().__init__(weight, None, None, reduction)
        self.linear = Linear(in_features, num_classes * prod(out_features), bias=bias, device=device, dtype=dtype)
        self.num_classes, self.out_features = num_classes, out_features
        self.ignore_index, self.label_smoothing, self.options = ignore_index, label_smoothing, options

    def forward(self, input, target):
        shape, linear = (self.num_classes, *self.out_features), self.linear
        return F.linear_cross_entropy(
            input, linear.weight.view(*shape, linear.in_features), target, linear_bias=None if linear.bias is None else linear.bias.view(shape),
            weight=self.weight, reduction=self.reduction, ignore_index=self.ignore_index, label_smoothing=self.label_smoothing,
            options=self.options)

    def extra_repr(self):
        return (f"in_features={self.linear.in_features}, num_classes={self.num_classes}, out_features={self.out_features}, "
                f"bias={self.linear.bias is not None}, reduction={self.reduction}, ignore_index={self.ignore_index}, "
                f"label_smoothing={self.label_smoothing}, options={self.options}")


class PoissonNLLLoss(_Loss):
    """exp(x) - y x, or x - y log(x)"""
    __constants__ = ["log_input", "full", "eps", "reduction"]

    def __init__(self, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def forward(self, log_input, target):
        return F.poisson_nll_loss(log_input, target, log_input=self.log_input, full=self.full, eps=self.eps, reduction=self.reduction)


class BCEWithLogitsLoss(_Loss):
    """BCELoss of sigmoid(x)"""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input, target):
        return F.binary_cross_entropy_with_logits(input, target, self.weight, pos_weight=self.pos_weight, reduction=self.reduction)


class MultiMarginLoss(_WeightedLoss):
    """mean of max(0, margin - x[y] + x[i])^p over the other classes i"""
    __constants__ = ["p", "margin", "reduction"]

    def __init__(self, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(weight, size_average, reduce, reduction)
        if p != 1 and p != 2:
            raise ValueError("only p == 1 and p == 2 supported")
        if weight is not None and weight.dim() != 1:
            raise ValueError(f"MultiMarginLoss: expected weight to be None or 1D tensor, got {weight.dim()}D instead")
        self.p, self.margin = p, margin

    def forward(self, input, target):
        return F.multi_margin_loss(input, target, p=self.p, margin=self.margin, weight=self.weight, reduction=self.reduction)


class TripletMarginLoss(_Loss):
    """max(0, |a - p| - |a - n| + margin)"""
    __constants__ = ["margin", "p", "eps", "swap", "reduction"]

    def __init__(self, margin=1.0, p=2.0, eps=1e-6, swap=False, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        if margin <= 0:
            raise ValueError(f"TripletMarginLoss: expected margin to be greater than 0, got {margin} instead")
        self.margin, self.p, self.eps, self.swap = margin, p, eps, swap

    def forward(self, anchor, positive, negative):
        return F.triplet_margin_loss(anchor, positive, negative, margin=self.margin, p=self.p, eps=self.eps, swap=self.swap,
                                     reduction=self.reduction)


class TripletMarginWithDistanceLoss(_Loss):
    """max(0, d(a, p) - d(a, n) + margin) with a distance d of one's own"""
    __constants__ = ["margin", "swap", "reduction"]

    def __init__(self, *, distance_function=None, margin=1.0, swap=False, reduction="mean"):
        super().__init__(None, None, reduction)
        if margin <= 0:
            raise ValueError(f"TripletMarginWithDistanceLoss: expected margin to be greater than 0, got {margin} instead")
        if distance_function is None:
            from .distance import PairwiseDistance

            distance_function = PairwiseDistance()
        self.distance_function, self.margin, self.swap = distance_function, margin, swap

    def forward(self, anchor, positive, negative):
        return F.triplet_margin_with_distance_loss(anchor, positive, negative, distance_function=self.distance_function, margin=self.margin,
                                                   swap=self.swap, reduction=self.reduction)
