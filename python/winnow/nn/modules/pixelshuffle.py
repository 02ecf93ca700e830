"""Pixels out of channels and back."""
from ._of_functions import define

__all__ = ["PixelShuffle", "PixelUnshuffle"]

define(globals(), [
    ("PixelShuffle", None, "upscale_factor", "pixel_shuffle(input, upscale_factor)", "(*, C r^2, H, W) as (*, C, H r, W r)"),
    ("PixelUnshuffle", None, "downscale_factor", "pixel_unshuffle(input, downscale_factor)", "(*, C, H r, W r) as (*, C r^2, H, W)"),
])
