"""Images in a grid; PNG files."""
import math

import torch
from winnow._zipfile import write_all
from winnow.utils import _png

__all__ = ["make_grid", "save_image"]


def make_grid(tensor, nrow=8, padding=2, normalize=False, value_range=None, scale_each=False, pad_value=0.0):
    """Images (N, C, H, W) (or a list of them) as one (3, H', W'), nrow in a row."""
    if isinstance(tensor, (list, tuple)):
        tensor = torch.stack(list(tensor))
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"tensor or list of tensors expected, got {type(tensor)}")
    if tensor.dim() == 2:
        tensor = tensor.unsqueeze(0)
    if tensor.dim() == 3:
        tensor = (tensor.expand(3, -1, -1) if tensor.shape[0] == 1 else tensor).unsqueeze(0)
    if tensor.shape[1] == 1:
        tensor = tensor.expand(-1, 3, -1, -1)
    if normalize:
        tensor = tensor.clone()
        for part in tensor if scale_each else (tensor,):
            low, high = value_range or (part.min().item(), part.max().item())
            part.clamp_(low, high).sub_(low).div_(max(high - low, 1e-5))
    if tensor.shape[0] == 1:
        return tensor.squeeze(0)
    n, c, h, w = tensor.shape
    columns = min(nrow, n)
    rows = math.ceil(n / columns)
    h, w = h + padding, w + padding
    grid = torch.full((c, h * rows + padding, w * columns + padding), pad_value, dtype=tensor.dtype)
    for i in range(n):
        top, left = i // columns * h + padding, i % columns * w + padding
        grid[:, top:top + h - padding, left:left + w - padding] = tensor[i]
    return grid


def save_image(tensor, fp, format=None, **options):
    """make_grid of images from 0 to 1 as a PNG file (a path or an open file)."""
    name = str(format or fp).lower()
    if format is not None and name != "png" or isinstance(fp, str) and format is None and not name.endswith(".png"):
        raise ValueError(f"save_image: winnow's torchvision writes PNG files only, not {format or fp}")
    grid = make_grid(tensor, **options)
    data = _png.encode(*_png.pixels_of(grid.mul(255).add(0.5).clamp(0, 255).to(torch.uint8)))
    if hasattr(fp, "write"):
        write_all(fp, data)
    else:
        with open(fp, "wb") as file:
            file.write(data)
