"""Transforms of images: tensors (..., C, H, W), and PIL's images where PIL is installed."""
import functools
import math
import numbers

import torch
import torch.nn.functional as F

__all__ = ["Compose", "ToTensor", "PILToTensor", "ConvertImageDtype", "ToPILImage", "Normalize", "Resize", "CenterCrop", "RandomCrop",
           "RandomHorizontalFlip", "RandomVerticalFlip", "Pad", "Lambda", "Grayscale", "RandomApply", "RandomChoice", "RandomErasing"]


def _is_tensor(x):
    return isinstance(x, torch.Tensor)


def _pair(size):
    """(height, width) of a number, of one number in a list, or of two."""
    if isinstance(size, numbers.Number):
        return int(size), int(size)
    if len(size) == 1:
        return int(size[0]), int(size[0])
    if len(size) != 2:
        raise ValueError("Please provide only two dimensions (h, w) for size.")
    return int(size[0]), int(size[1])


def _size(image):
    """(height, width)"""
    return (image.shape[-2], image.shape[-1]) if _is_tensor(image) else (image.height, image.width)


def _crop(image, top, left, height, width):
    """A part; what lies outside is 0."""
    if not _is_tensor(image):
        return image.crop((left, top, left + width, top + height))
    h, w = _size(image)
    around = [max(-left, 0), max(left + width - w, 0), max(-top, 0), max(top + height - h, 0)]
    if any(around):
        image = F.pad(image, around)
    top, left = max(top, 0), max(left, 0)
    return image[..., top:top + height, left:left + width]


def _pad(image, padding, fill=0, mode="constant"):
    if isinstance(padding, numbers.Number):
        padding = (padding,) * 4
    elif len(padding) == 2:
        padding = (padding[0], padding[1], padding[0], padding[1])
    left, top, right, bottom = padding
    if _is_tensor(image):
        if mode == "constant":
            return F.pad(image, [left, right, top, bottom], value=fill)
        batch = image if image.dim() > 3 else image.unsqueeze(0)
        padded = F.pad(batch.float(), [left, right, top, bottom], mode={"edge": "replicate"}.get(mode, mode)).to(image.dtype)
        return padded if image.dim() > 3 else padded.squeeze(0)
    from PIL import ImageOps

    if mode != "constant":
        raise NotImplementedError("Pad: winnow's torchvision pads PIL's images with a constant only; use ToTensor before")
    return ImageOps.expand(image, border=(left, top, right, bottom), fill=fill)


class _Shown:
    """repr: the class with the attributes that _names lists."""
    _names = ()

    def __repr__(self):
        return f"{type(self).__name__}({', '.join([f'{n}={getattr(self, n)}' for n in self._names])})"


class Compose:
    """One after the other."""

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        for t in self.transforms:
            img = t(img)
        return img

    def __repr__(self):
        return "Compose(" + "".join([f"\n    {t}" for t in self.transforms]) + "\n)"


class PILToTensor(_Shown):
    """A PIL image as a tensor (C, H, W) of its own dtype."""

    def __call__(self, pic):
        pixels = getattr(pic, "pixels", None)  # an image without PIL
        if pixels is not None:
            return pixels.unsqueeze(0).clone() if pixels.dim() == 2 else pixels.permute(2, 0, 1).contiguous()
        channels = len(pic.getbands())
        kind = {"I": torch.int32, "F": torch.float32, "I;16": torch.int16}.get(pic.mode, torch.uint8)
        if pic.mode == "1":
            pic = pic.convert("L").point(lambda v: v // 255)
        data = torch.frombuffer(bytearray(pic.tobytes()), dtype=kind)
        return data.view(pic.height, pic.width, channels).permute(2, 0, 1).contiguous()


class ToTensor(_Shown):
    """A PIL image or an array (H, W, C) as a tensor (C, H, W); bytes become floats from 0 to 1."""

    def __call__(self, pic):
        if hasattr(pic, "getbands"):
            image = PILToTensor()(pic)
            scale = 1 if pic.mode == "1" else 255
        elif hasattr(pic, "__array_interface__"):
            if pic.ndim not in (2, 3):
                raise ValueError(f"pic should be 2/3 dimensional. Got {pic.ndim} dimensions.")
            image, scale = torch.as_tensor(pic), 255
            image = image.unsqueeze(0) if pic.ndim == 2 else image.permute(2, 0, 1).contiguous()
        else:
            raise TypeError(f"pic should be PIL Image or ndarray. Got {type(pic)}")
        return self._scaled(image, scale) if image.dtype is torch.uint8 else image

    @staticmethod
    def _scaled(image, scale):
        return image.to(torch.get_default_dtype()) / scale


def on_batches(transform):
    """For a transform of images of bytes: the same for a batch (N, H, W) at once, with the same numbers; None if it is not made of
    transforms that are known to treat every pixel alike."""
    steps = _steps(transform)
    if not steps or type(steps[0]) is not ToTensor or any(type(t) not in (Normalize, ConvertImageDtype) for t in steps[1:]):
        return None

    def run(pixels):
        x = ToTensor._scaled(pixels.unsqueeze(1), 255)
        for t in steps[1:]:
            x = t(x)
        return x
    return run


def _steps(transform):
    """What a Compose (of Composes) does, one after the other."""
    if type(transform) is Compose:
        return [step for t in transform.transforms for step in _steps(t)]
    return [transform]


class ConvertImageDtype(_Shown):
    """Another dtype: floats lie in 0 .. 1, integers up to their largest number."""
    _names = ("dtype",)

    def __init__(self, dtype):
        self.dtype = dtype

    def __call__(self, image):
        old, new = image.dtype, self.dtype
        if old is new:
            return image
        if old.is_floating_point:
            if new.is_floating_point:
                return image.to(new)
            return (image * (torch.iinfo(new).max + 1.0 - 1e-3)).to(new)
        if new.is_floating_point:
            return image.to(new) / torch.iinfo(old).max
        a, b = torch.iinfo(old).max + 1, torch.iinfo(new).max + 1
        return (image // (a // b)).to(new) if a > b else image.to(new) * (b // a)


class ToPILImage(_Shown):
    """A tensor (C, H, W), floats from 0 to 1 or bytes, or an array (H, W, C) as a PIL image."""
    _names = ("mode",)

    def __init__(self, mode=None):
        self.mode = mode

    def __call__(self, pic):
        from PIL import Image

        if _is_tensor(pic):
            image = pic.unsqueeze(0) if pic.dim() == 2 else pic
            image = (image * 255).to(torch.uint8) if image.is_floating_point() else image.to(torch.uint8)
        else:
            image = torch.as_tensor(pic)
            image = image.unsqueeze(0) if image.dim() == 2 else image.permute(2, 0, 1)
        channels, height, width = image.shape
        mode = self.mode or {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}[channels]
        return Image.frombytes(mode, (width, height), bytes(image.permute(1, 2, 0).flatten().tolist()))


def _number_tuple(values):
    if isinstance(values, numbers.Number):
        return (values,)
    return values if type(values) is tuple else tuple(values.tolist() if _is_tensor(values) else values)


@functools.lru_cache(64)
def _channels(mean, std, dtype):
    """Both as tensors (C, 1, 1)."""
    mean, std = [torch.tensor(v, dtype=dtype).reshape(-1, 1, 1) for v in (mean, std)]
    if (std == 0).any():
        raise ValueError(f"std evaluated to zero after conversion to {dtype}, leading to division by zero.")
    return mean, std


class Normalize(_Shown):
    """(image - mean) / std for each channel."""
    _names = "mean", "std"

    def __init__(self, mean, std, inplace=False):
        self.mean, self.std, self.inplace = mean, std, inplace

    def __call__(self, tensor):
        if not _is_tensor(tensor):
            raise TypeError(f"img should be Tensor Image. Got {type(tensor)}")
        if not tensor.is_floating_point():
            raise TypeError(f"Input tensor should be a float tensor. Got {tensor.dtype}.")
        if tensor.dim() < 3:
            raise ValueError(f"Expected tensor to be a tensor image of size (..., C, H, W). Got tensor.size() = {tensor.size()}")
        mean, std = _channels(_number_tuple(self.mean), _number_tuple(self.std), tensor.dtype)
        return tensor.sub_(mean).div_(std) if self.inplace else (tensor - mean) / std


class Resize(_Shown):
    """To (h, w), or the shorter edge to one number. Bilinear and antialiased, unless interpolation says "nearest" or "bicubic"."""
    _names = "size", "interpolation", "max_size", "antialias"

    def __init__(self, size, interpolation="bilinear", max_size=None, antialias=True):
        self.size, self.interpolation, self.max_size, self.antialias = size, interpolation, max_size, antialias

    def _goal(self, h, w):
        one = isinstance(self.size, numbers.Number) or len(self.size) == 1
        if not one:
            return _pair(self.size)
        wanted = _pair(self.size)[0]
        short, long = min(h, w), max(h, w)
        new_short, new_long = wanted, int(wanted * long / short)
        if self.max_size is not None and new_long > self.max_size:
            new_short, new_long = int(self.max_size * new_short / new_long), self.max_size
        return (new_short, new_long) if h <= w else (new_long, new_short)

    def __call__(self, img):
        h, w = _size(img)
        goal = self._goal(h, w)
        mode = getattr(self.interpolation, "value", self.interpolation)
        if not _is_tensor(img):
            return img.resize((goal[1], goal[0]), {"nearest": 0, "bilinear": 2, "bicubic": 3}[mode])
        if goal == (h, w):
            return img
        batch = img.reshape((-1,) + tuple(img.shape[-3:]))
        x = batch if batch.is_floating_point() else batch.float()
        options = {"align_corners": False, "antialias": bool(self.antialias)} if mode in ("bilinear", "bicubic") else {}
        x = F.interpolate(x, size=goal, mode=mode, **options)
        if not batch.is_floating_point():
            x = x.round().clamp(0, torch.iinfo(batch.dtype).max).to(batch.dtype)
        return x.reshape(tuple(img.shape[:-2]) + goal)


class CenterCrop(_Shown):
    """The middle; smaller images are padded with 0."""
    _names = ("size",)

    def __init__(self, size):
        self.size = _pair(size)

    def __call__(self, img):
        (h, w), (th, tw) = _size(img), self.size
        if th > h or tw > w:
            img = _pad(img, (max((tw - w) // 2, 0), max((th - h) // 2, 0), max((tw - w + 1) // 2, 0), max((th - h + 1) // 2, 0)))
            h, w = _size(img)
        return _crop(img, int(round((h - th) / 2.0)), int(round((w - tw) / 2.0)), th, tw)


class RandomCrop(_Shown):
    """A part of a size at a random place."""
    _names = "size", "padding"

    def __init__(self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
        self.size, self.padding, self.pad_if_needed, self.fill, self.padding_mode = _pair(size), padding, pad_if_needed, fill, padding_mode

    def __call__(self, img):
        if self.padding is not None:
            img = _pad(img, self.padding, self.fill, self.padding_mode)
        (h, w), (th, tw) = _size(img), self.size
        if self.pad_if_needed:
            img = _pad(img, (max(tw - w, 0), max(th - h, 0)), self.fill, self.padding_mode)
            h, w = _size(img)
        if h < th or w < tw:
            raise ValueError(f"Required crop size {(th, tw)} is larger than input image size {(h, w)}")
        if (h, w) == (th, tw):
            return img
        top = torch.randint(0, h - th + 1, (1,)).item()
        return _crop(img, top, torch.randint(0, w - tw + 1, (1,)).item(), th, tw)


class _RandomFlip(_Shown):
    _names = ("p",)

    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, img):
        if not torch.rand(1).item() < self.p:
            return img
        return self._flip(img)

    def _flip(self, img):
        return img.flip(self._dim) if _is_tensor(img) else img.transpose(self._method)


class RandomHorizontalFlip(_RandomFlip):
    """Left and right exchanged, with probability p."""
    _dim, _method = -1, 0


class RandomVerticalFlip(_RandomFlip):
    """Top and bottom exchanged, with probability p."""
    _dim, _method = -2, 1


class Pad(_Shown):
    """With a border."""
    _names = "padding", "fill", "padding_mode"

    def __init__(self, padding, fill=0, padding_mode="constant"):
        self.padding, self.fill, self.padding_mode = padding, fill, padding_mode

    def __call__(self, img):
        return _pad(img, self.padding, self.fill, self.padding_mode)


class Lambda(_Shown):
    """A function of the program's."""

    def __init__(self, lambd):
        if not callable(lambd):
            raise TypeError(f"Argument lambd should be callable, got {type(lambd).__name__!r}")
        self.lambd = lambd

    def __call__(self, img):
        return self.lambd(img)


class Grayscale(_Shown):
    """Brightness, in one channel or three equal ones."""
    _names = ("num_output_channels",)

    def __init__(self, num_output_channels=1):
        self.num_output_channels = num_output_channels

    def __call__(self, img):
        if not _is_tensor(img):
            return img.convert("L") if self.num_output_channels == 1 else img.convert("L").convert("RGB")
        if img.shape[-3] == 3:
            r, g, b = img.unbind(-3)
            img = (0.2989 * r + 0.587 * g + 0.114 * b).to(img.dtype).unsqueeze(-3)
        return img if self.num_output_channels == 1 else img.expand(tuple(img.shape[:-3]) + (3,) + tuple(img.shape[-2:]))


class RandomApply(_Shown):
    """A list of transforms, with probability p."""
    _names = "transforms", "p"

    def __init__(self, transforms, p=0.5):
        self.transforms, self.p = transforms, p

    def __call__(self, img):
        return img if self.p < torch.rand(1).item() else Compose(self.transforms)(img)


class RandomChoice(_Shown):
    """One of several."""
    _names = ("transforms",)

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        return self.transforms[torch.randint(0, len(self.transforms), (1,)).item()](img)


class RandomErasing(_Shown):
    """A random rectangle set to value (or to noise: "random"), with probability p."""
    _names = "p", "scale", "ratio", "value"

    def __init__(self, p=0.5, scale=(0.02, 0.33), ratio=(0.3, 3.3), value=0, inplace=False):
        self.p, self.scale, self.ratio, self.value, self.inplace = p, scale, ratio, value, inplace

    def __call__(self, img):
        if not torch.rand(1).item() < self.p:
            return img
        h, w = _size(img)
        for _ in range(10):
            area = h * w * torch.empty(1).uniform_(*self.scale).item()
            ratio = math.exp(torch.empty(1).uniform_(math.log(self.ratio[0]), math.log(self.ratio[1])).item())
            eh, ew = int(round(math.sqrt(area * ratio))), int(round(math.sqrt(area / ratio)))
            if eh < h and ew < w:
                top, left = torch.randint(0, h - eh + 1, (1,)).item(), torch.randint(0, w - ew + 1, (1,)).item()
                img = img if self.inplace else img.clone()
                part = img[..., top:top + eh, left:left + ew]
                if self.value == "random":
                    part.copy_(torch.randn(part.shape))
                else:
                    part.copy_(torch.as_tensor(self.value, dtype=img.dtype).reshape(-1, 1, 1))
                break
        return img
