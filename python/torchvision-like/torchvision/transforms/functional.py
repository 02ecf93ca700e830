"""torchvision.transforms.functional: the transforms as functions of an image."""
import enum
import numbers

import torch

from . import transforms as _t


class InterpolationMode(enum.Enum):
    """How values between pixels come about."""
    NEAREST = "nearest"
    NEAREST_EXACT = "nearest-exact"
    BILINEAR = "bilinear"
    BICUBIC = "bicubic"
    BOX = "box"
    HAMMING = "hamming"
    LANCZOS = "lanczos"


def get_dimensions(img):
    """[channels, height, width]"""
    height, width = _t._size(img)
    return [img.shape[-3] if img.dim() > 2 else 1, height, width] if isinstance(img, torch.Tensor) else [len(img.getbands()), height, width]


def get_image_size(img):
    """[width, height]"""
    height, width = _t._size(img)
    return [width, height]


def get_image_num_channels(img):
    """The number of channels."""
    return get_dimensions(img)[0]


def to_tensor(pic):
    """ToTensor()(pic)"""
    return _t.ToTensor()(pic)


def pil_to_tensor(pic):
    """PILToTensor()(pic)"""
    return _t.PILToTensor()(pic)


def to_pil_image(pic, mode=None):
    """ToPILImage(mode)(pic)"""
    return _t.ToPILImage(mode)(pic)


def convert_image_dtype(image, dtype=torch.float32):
    """ConvertImageDtype(dtype)(image)"""
    return _t.ConvertImageDtype(dtype)(image)


def normalize(tensor, mean, std, inplace=False):
    """(tensor - mean) / std for each channel."""
    return _t.Normalize(mean, std, inplace)(tensor)


def resize(img, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
    """Resize(size, ...)(img)"""
    return _t.Resize(size, interpolation, max_size, antialias)(img)


def crop(img, top, left, height, width):
    """A part; what lies outside is 0."""
    return _t._crop(img, top, left, height, width)


def center_crop(img, output_size):
    """The middle."""
    return _t.CenterCrop(output_size)(img)


def resized_crop(img, top, left, height, width, size, interpolation=InterpolationMode.BILINEAR, antialias=True):
    """A part, resized."""
    return resize(crop(img, top, left, height, width), size, interpolation, antialias=antialias)


def pad(img, padding, fill=0, padding_mode="constant"):
    """padding: one number, (left and right, top and bottom), or (left, top, right, bottom)."""
    return _t._pad(img, padding, fill, padding_mode)


def hflip(img):
    """Left and right exchanged."""
    return _t.RandomHorizontalFlip(1.0)._flip(img)


def vflip(img):
    """Top and bottom exchanged."""
    return _t.RandomVerticalFlip(1.0)._flip(img)


def rgb_to_grayscale(img, num_output_channels=1):
    """0.2989 R + 0.587 G + 0.114 B"""
    return _t.Grayscale(num_output_channels)(img)


def erase(img, i, j, h, w, v, inplace=False):
    """The rectangle h x w at (i, j) filled with v."""
    img = img if inplace else img.clone()
    img[..., i:i + h, j:j + w] = v
    return img


def _bell(size, sigma, dtype):
    """size values of a normal density around the middle, whose sum is 1."""
    half = (size - 1) * 0.5
    density = torch.exp(-0.5 * (torch.linspace(-half, half, size, dtype=dtype) / sigma).pow(2))
    return density / density.sum()


def _two(value, name):
    value = [value] if isinstance(value, numbers.Number) else list(value)
    if len(value) not in (1, 2):
        raise ValueError(f"If {name} is a sequence its length should be 2. Got {len(value)}")
    return value * 2 if len(value) == 1 else value


def gaussian_blur(img, kernel_size, sigma=None):
    """Each pixel the mean of its surroundings, weighted by a normal density; at the edge the image is mirrored. kernel_size and sigma: (across, down)."""
    width, height = sizes = _two(kernel_size, "kernel_size")
    if any([not isinstance(k, int) or k % 2 == 0 or k < 0 for k in sizes]):
        raise ValueError(f"kernel_size should have odd and positive integers. Got {sizes}")
    across, down = _two(sigma, "sigma") if sigma is not None else [k * 0.15 + 0.35 for k in sizes]
    if across <= 0 or down <= 0:
        raise ValueError(f"sigma should have positive values. Got {[across, down]}")
    if not isinstance(img, torch.Tensor):
        return to_pil_image(gaussian_blur(pil_to_tensor(img), sizes, [across, down]), mode=img.mode)
    x = img if img.is_floating_point() else img.float()
    kernel = torch.outer(_bell(height, down, x.dtype), _bell(width, across, x.dtype))
    channels = img.shape[-3] if img.dim() > 2 else 1
    batch = x.reshape(-1, channels, *img.shape[-2:])
    edge = [width // 2, width // 2, height // 2, height // 2]
    y = torch.nn.functional.conv2d(torch.nn.functional.pad(batch, edge, mode="reflect"), kernel.expand(channels, 1, height, width), groups=channels)
    return (y if img.is_floating_point() else y.round()).to(img.dtype).reshape(img.shape)


def _blend(a, b, ratio):
    """ratio a + (1 - ratio) b, within what the dtype holds."""
    top = 1.0 if a.is_floating_point() else torch.iinfo(a.dtype).max
    return (ratio * a + (1.0 - ratio) * b).clamp(0, top).to(a.dtype)


def _on_tensors(change, name):
    """change(image, factor) for tensors; PIL's own for its images."""
    def adjust(img, factor):
        if factor < 0:
            raise ValueError(f"{name} factor ({factor}) is not non-negative.")
        if isinstance(img, torch.Tensor):
            return change(img, factor)
        from PIL import ImageEnhance

        return getattr(ImageEnhance, {"saturation": "Color"}.get(name, name.capitalize()))(img).enhance(factor)

    adjust.__name__ = adjust.__qualname__ = "adjust_" + name
    adjust.__doc__ = f"The image with its {name} multiplied by a factor."
    return adjust


def _gray(img):
    return rgb_to_grayscale(img) if img.shape[-3] == 3 else img


def _contrast(img, factor):
    gray = _gray(img)
    mean = (gray if gray.is_floating_point() else gray.float()).mean((-3, -2, -1), keepdim=True)
    return _blend(img, mean, factor)


adjust_brightness = _on_tensors(lambda img, factor: _blend(img, torch.zeros_like(img), factor), "brightness")
adjust_contrast = _on_tensors(_contrast, "contrast")
adjust_saturation = _on_tensors(lambda img, factor: img if img.shape[-3] == 1 else _blend(img, _gray(img), factor), "saturation")


def adjust_hue(img, hue_factor):
    """The hue moved by hue_factor, -0.5 to 0.5, of the circle: by way of PIL's HSV for its images, in floats for tensors."""
    if not isinstance(hue_factor, numbers.Number) or not -0.5 <= hue_factor <= 0.5:
        raise ValueError(f"hue_factor ({hue_factor}) is not in [-0.5, 0.5].")
    if not isinstance(img, torch.Tensor):
        from PIL import Image

        if img.mode in ("L", "1", "I", "F"):
            return img
        h, s, v = img.convert("HSV").split()
        h = h.point(lambda x: int(x + hue_factor * 255) % 256)
        return Image.merge("HSV", (h, s, v)).convert(img.mode)
    if img.shape[-3] == 1:
        return img
    top = 1 if img.is_floating_point() else torch.iinfo(img.dtype).max
    rgb = img if img.is_floating_point() else img.float() / top
    turned = _rgb(*_turned(rgb, hue_factor))
    return turned if img.is_floating_point() else (turned * (top + 1.0 - 1e-3)).to(img.dtype)


def _turned(rgb, by):
    """Hue (0 to 1, moved), saturation and value."""
    r, g, b = rgb.unbind(-3)
    high, low = rgb.amax(-3), rgb.amin(-3)
    span = high - low
    grey = span == 0
    some = torch.where(grey, 1.0, span)
    from_red, from_green, from_blue = (high - r) / some, (high - g) / some, (high - b) / some
    h = torch.where(high == r, from_blue - from_green, torch.where(high == g, 2.0 + from_red - from_blue, 4.0 + from_green - from_red))
    return ((h / 6.0 + 1.0) % 1.0 + by) % 1.0, span / torch.where(grey, 1.0, high), high


def _rgb(h, s, v):
    """Of each channel v (1 - s max(0, min(1, k, 4 - k))), k = (n + 6 h) mod 6, n = 5, 3, 1."""
    channels = []
    for n in (5.0, 3.0, 1.0):
        k = (n + 6.0 * h) % 6.0
        channels.append(v - v * s * torch.minimum(k, 4.0 - k).clamp(0.0, 1.0))
    return torch.stack(channels, dim=-3)


def __getattr__(name):
    if name[:1] == "_":
        raise AttributeError(name)
    raise AttributeError(f"module 'torchvision.transforms.functional' has no attribute '{name}': winnow brings a small torchvision without it")
