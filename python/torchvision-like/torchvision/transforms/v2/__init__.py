"""torchvision.transforms.v2: the transforms under their newer names, of images alone: masks and boxes beside them are not changed."""
from .. import *  # noqa: F403
from .. import __all__ as _older
from ..transforms import _Shown
from . import functional

__all__ = [*_older, "Identity", "RGB", "ToDtype", "ToImage"]


class Identity(_Shown):
    """The image as it is."""

    def __call__(self, image):
        return image


class ToImage(_Shown):
    """A PIL image or an array (H, W, C) as a tensor (C, H, W) of bytes; a tensor as it is."""

    def __call__(self, image):
        return functional.to_image(image)


class ToDtype(_Shown):
    """Of another dtype; with scale bytes from 0 to 255 become floats from 0 to 1."""
    _names = "dtype", "scale"

    def __init__(self, dtype, scale=False):
        self.dtype, self.scale = dtype, scale

    def __call__(self, image):
        return functional.to_dtype(image, self.dtype, self.scale)


class RGB(_Shown):
    """Three channels."""

    def __call__(self, image):
        return functional.grayscale_to_rgb(image)


def __getattr__(name):
    if name[:1] == "_":
        raise AttributeError(name)
    raise AttributeError(f"module 'torchvision.transforms.v2' has no attribute '{name}': winnow brings a small torchvision with {', '.join(__all__)}")
