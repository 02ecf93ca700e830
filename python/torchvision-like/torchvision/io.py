"""torchvision.io: image files as tensors of bytes (C, H, W). Reading needs PIL; videos are not there."""
import enum

import torch

__all__ = ["ImageReadMode", "read_image", "decode_image", "read_file", "write_file", "write_png"]


class ImageReadMode(enum.Enum):
    """Which channels an image gets."""
    UNCHANGED, GRAY, GRAY_ALPHA, RGB, RGB_ALPHA = range(5)


_MODES = {ImageReadMode.GRAY: "L", ImageReadMode.GRAY_ALPHA: "LA", ImageReadMode.RGB: "RGB", ImageReadMode.RGB_ALPHA: "RGBA"}


def _opened(file, mode):
    from PIL import Image

    from .transforms import PILToTensor

    mode = ImageReadMode[mode] if isinstance(mode, str) else mode
    image = Image.open(file)
    if mode in _MODES:
        image = image.convert(_MODES[mode])
    return PILToTensor()(image)


def read_image(path, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    """The image in a file, uint8 [C, H, W]."""
    with open(path, "rb") as file:
        return _opened(file, mode)


def decode_image(input, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    """The image in the bytes of a file: a tensor of uint8, or a path."""
    import io

    if not isinstance(input, torch.Tensor):
        return read_image(input, mode)
    return _opened(io.BytesIO(bytes(input.tolist())), mode)


def read_file(path):
    """A file's bytes as a tensor of uint8."""
    with open(path, "rb") as file:
        return torch.frombuffer(bytearray(file.read()), dtype=torch.uint8)


def write_file(filename, data):
    """A file of a tensor's bytes."""
    with open(filename, "wb") as file:
        file.write(bytes(data.tolist()))


def write_png(input, filename, compression_level=6):
    """uint8 [C, H, W] as a PNG file."""
    from .transforms import ToPILImage

    ToPILImage()(input).save(filename, "PNG", compress_level=compression_level)


def __getattr__(name):
    if name[:1] == "_":
        raise AttributeError(name)
    if name not in ("read_video", "read_video_timestamps", "write_video", "VideoReader", "encode_jpeg", "write_jpeg", "encode_png", "decode_jpeg", "decode_png"):
        raise AttributeError(f"module 'torchvision.io' has no attribute '{name}'")

    def refuse(*args, **kwargs):
        raise NotImplementedError(f"torchvision.io.{name}: winnow brings a small torchvision without it")

    return refuse
