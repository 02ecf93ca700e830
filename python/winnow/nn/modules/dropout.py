"""Dropouts."""
from ._of_functions import define

__all__ = ["Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout"]


def _probability(p):
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return p


define(globals(), [
    ("_DropoutNd", None, "p=0.5, inplace=False", None, "The arguments of all of them.", "p={p}, inplace={inplace}", {"p": "_probability(p)"}),
    ("Dropout", "_DropoutNd", None, "dropout(input, p, training, inplace)",
     "In training, zeroes elements with probability p and scales the others by 1 / (1 - p)."),
    ("Dropout1d", "_DropoutNd", None, "dropout1d(input, p, training, inplace)", "Dropout of whole channels of (N, C, L) or (C, L)."),
    ("Dropout2d", "_DropoutNd", None, "dropout2d(input, p, training, inplace)", "Dropout of whole channels of (N, C, H, W) or (N, C, L)."),
    ("Dropout3d", "_DropoutNd", None, "dropout3d(input, p, training, inplace)", "Dropout of whole channels of (N, C, D, H, W) or (C, D, H, W)."),
    ("AlphaDropout", "_DropoutNd", None, "alpha_dropout(input, p, training)", "Dropout that keeps mean and variance of what SELU gives."),
    ("FeatureAlphaDropout", "_DropoutNd", None, "feature_alpha_dropout(input, p, training)", "AlphaDropout of whole channels."),
])
