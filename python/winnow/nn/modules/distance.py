"""Distances of pairs of vectors."""
from .. import functional as F
from ._of_functions import define
from .module import Module

__all__ = ["PairwiseDistance", "CosineSimilarity"]


class PairwiseDistance(Module):
    """|x1 - x2 + eps|_p along the last dimension"""
    __constants__ = ["norm", "eps", "keepdim"]

    def __init__(self, p=2.0, eps=1e-6, keepdim=False):
        super().__init__()
        self.norm, self.eps, self.keepdim = p, eps, keepdim

    def forward(self, x1, x2):
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


define(globals(), [("CosineSimilarity", None, "dim=1, eps=1e-8", "cosine_similarity(x1, x2, dim, eps)", "x1 . x2 / max(|x1| |x2|, eps) along dim")])
CosineSimilarity.extra_repr = Module.extra_repr
