"""Transforms of images: tensors (..., C, H, W), and PIL's images where PIL is installed."""
from . import functional, transforms
from .functional import InterpolationMode
from .random import ColorJitter, GaussianBlur, RandomGrayscale, RandomOrder, RandomResizedCrop
from .transforms import *  # noqa: F403
from .transforms import on_batches  # noqa: F401  for datasets

__all__ = [*transforms.__all__, "ColorJitter", "GaussianBlur", "InterpolationMode", "RandomGrayscale", "RandomOrder", "RandomResizedCrop", "functional"]


def __getattr__(name):
    if name[:1] == "_":
        raise AttributeError(name)
    raise AttributeError(f"module 'torchvision.transforms' has no attribute '{name}': winnow brings a small torchvision with {', '.join(__all__)}")
