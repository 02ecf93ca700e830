"""Fold and Unfold: images as columns of patches, and back."""
from ._of_functions import define

__all__ = ["Fold", "Unfold"]

define(globals(), [
    ("Fold", None, "output_size, kernel_size, dilation=1, padding=0, stride=1", "fold(input, output_size, kernel_size, dilation, padding, stride)",
     "Sums patches, given as columns, into an image."),
    ("Unfold", None, "kernel_size, dilation=1, padding=0, stride=1", "unfold(input, kernel_size, dilation, padding, stride)",
     "The patches of an image as columns."),
])
