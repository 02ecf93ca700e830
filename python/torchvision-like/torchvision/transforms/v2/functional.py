"""torchvision.transforms.v2.functional: the functions under their newer names."""
import torch

from ..functional import (InterpolationMode, adjust_brightness, adjust_contrast, adjust_hue, adjust_saturation, center_crop, convert_image_dtype,  # noqa: F401
                          crop, erase, gaussian_blur, get_dimensions, hflip, normalize, pad, pil_to_tensor, resize, resized_crop, rgb_to_grayscale, to_pil_image, vflip)

horizontal_flip, vertical_flip = hflip, vflip


def get_size(image):
    """[height, width]"""
    return get_dimensions(image)[1:]


def get_num_channels(image):
    """The number of channels."""
    return get_dimensions(image)[0]


def to_image(image):
    """A PIL image or an array (H, W, C) as a tensor (C, H, W); a tensor as it is."""
    if isinstance(image, torch.Tensor):
        return image
    if hasattr(image, "__array_interface__") and hasattr(image, "ndim"):
        t = torch.as_tensor(image)
        return t.unsqueeze(0) if t.dim() == 2 else t.permute(2, 0, 1)
    return pil_to_tensor(image)


def to_dtype(image, dtype=torch.float32, scale=False):
    """Of another dtype, scaled from the range of the one to that of the other if asked for."""
    return convert_image_dtype(image, dtype) if scale else image.to(dtype)


to_dtype_image = to_dtype


def grayscale_to_rgb(image):
    """Three channels, equal ones where there was one."""
    if not isinstance(image, torch.Tensor):
        return image.convert("RGB")
    return image.expand(*image.shape[:-3], 3, *image.shape[-2:]) if image.shape[-3] == 1 else image
