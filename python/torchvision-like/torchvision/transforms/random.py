"""Transforms that draw: parts of random size, colours, order."""
import math

import torch

from . import functional as F
from .functional import InterpolationMode
from .transforms import _pair, _Shown, _size


class RandomResizedCrop(_Shown):
    """A part whose area (a share of the image's) and aspect ratio are drawn, resized."""
    _names = "size", "scale", "ratio", "interpolation", "antialias"

    def __init__(self, size, scale=(0.08, 1.0), ratio=(3.0 / 4.0, 4.0 / 3.0), interpolation=InterpolationMode.BILINEAR, antialias=True):
        self.size, self.scale, self.ratio, self.interpolation, self.antialias = _pair(size), scale, ratio, interpolation, antialias

    @staticmethod
    def get_params(img, scale, ratio):
        """(top, left, height, width); after ten parts that did not fit the middle."""
        height, width = _size(img)
        logs = [math.log(r) for r in ratio]
        for _ in range(10):
            area = height * width * torch.empty(1).uniform_(scale[0], scale[1]).item()
            aspect = math.exp(torch.empty(1).uniform_(logs[0], logs[1]).item())
            w, h = int(round(math.sqrt(area * aspect))), int(round(math.sqrt(area / aspect)))
            if 0 < w <= width and 0 < h <= height:
                return torch.randint(0, height - h + 1, (1,)).item(), torch.randint(0, width - w + 1, (1,)).item(), h, w
        w, h = width, height
        if width / height < min(ratio):
            h = int(round(w / min(ratio)))
        elif width / height > max(ratio):
            w = int(round(h * max(ratio)))
        return (height - h) // 2, (width - w) // 2, h, w

    def __call__(self, img):
        return F.resized_crop(img, *self.get_params(img, self.scale, self.ratio), self.size, self.interpolation, antialias=self.antialias)


class ColorJitter(_Shown):
    """Brightness, contrast, saturation and hue changed by what is drawn, in a drawn order. A number is the most that is taken and given; a pair a range."""
    _names = "brightness", "contrast", "saturation", "hue"

    def __init__(self, brightness=0, contrast=0, saturation=0, hue=0):
        self.brightness, self.contrast, self.saturation = (self._range(v, n) for v, n in ((brightness, "brightness"), (contrast, "contrast"), (saturation, "saturation")))
        self.hue = self._range(hue, "hue", center=0, bound=(-0.5, 0.5))

    @staticmethod
    def _range(value, name, center=1, bound=(0, float("inf"))):
        if isinstance(value, (int, float)):
            if value < 0:
                raise ValueError(f"If {name} is a single number, it must be non negative.")
            value = [max(center - value, 0.0) if center else -value, center + value]
        elif len(value) != 2:
            raise TypeError(f"{name} should be a single number or a list/tuple with length 2.")
        if not bound[0] <= value[0] <= value[1] <= bound[1]:
            raise ValueError(f"{name} values should be between {bound}, but got {value}.")
        return None if value[0] == value[1] == center else tuple(value)

    def __call__(self, img):
        order = torch.randperm(4).tolist()
        factors = [None if r is None else float(torch.empty(1).uniform_(r[0], r[1])) for r in (self.brightness, self.contrast, self.saturation, self.hue)]
        steps = F.adjust_brightness, F.adjust_contrast, F.adjust_saturation, F.adjust_hue
        for i in order:
            if factors[i] is not None:
                img = steps[i](img, factors[i])
        return img


class GaussianBlur(_Shown):
    """Blurred by a normal density whose sigma is drawn from a range, or is one number."""
    _names = "kernel_size", "sigma"

    def __init__(self, kernel_size, sigma=(0.1, 2.0)):
        self.kernel_size = _pair(kernel_size)
        if any([k <= 0 or k % 2 == 0 for k in self.kernel_size]):
            raise ValueError("Kernel size value should be an odd and positive number.")
        self.sigma = (sigma, sigma) if isinstance(sigma, (int, float)) else tuple(sigma)
        if len(self.sigma) != 2:
            raise TypeError("sigma should be a single number or a list/tuple with length 2.")
        if not 0.0 < self.sigma[0] <= self.sigma[1]:
            raise ValueError(f"sigma values should be positive and of the form (min, max). Got {self.sigma}")

    def __call__(self, img):
        sigma = torch.empty(1).uniform_(self.sigma[0], self.sigma[1]).item()
        return F.gaussian_blur(img, self.kernel_size, [sigma, sigma])

    forward = __call__


class RandomGrayscale(_Shown):
    """With probability p without colours, the number of channels as it was."""
    _names = ("p",)

    def __init__(self, p=0.1):
        self.p = p

    def __call__(self, img):
        return F.rgb_to_grayscale(img, F.get_image_num_channels(img)) if torch.rand(1).item() < self.p else img


class RandomOrder(_Shown):
    """Transforms in a drawn order."""
    _names = ("transforms",)

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        for i in torch.randperm(len(self.transforms)).tolist():
            img = self.transforms[i](img)
        return img
