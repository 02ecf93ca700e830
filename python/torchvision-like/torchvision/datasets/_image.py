"""Images out of bytes: PIL's where PIL is installed, otherwise tensors that ToTensor (and the other transforms) of this torchvision take."""
import functools


class _Bytes:
    """An image without PIL: what ToTensor takes of an array, (H, W) or (H, W, C)."""

    def __init__(self, pixels):
        self.pixels, self.height, self.width = pixels, pixels.shape[0], pixels.shape[1]
        self.mode = "L" if pixels.dim() == 2 else "RGB"
        self.size = self.width, self.height

    def getbands(self):
        return tuple(self.mode)

    def tobytes(self):
        return memoryview(self.pixels.contiguous()).tobytes()

    def crop(self, box):
        from ..transforms.transforms import _crop

        left, top, right, bottom = box
        image = self.pixels if self.pixels.dim() == 2 else self.pixels.permute(2, 0, 1)
        image = _crop(image, top, left, bottom - top, right - left)
        return _Bytes(image if self.pixels.dim() == 2 else image.permute(1, 2, 0))

    def transpose(self, method):
        return _Bytes(self.pixels.flip(1 if method == 0 else 0))

    def resize(self, size, method=2):
        raise RuntimeError("this needs PIL, which is not installed: put ToTensor() before Resize")


@functools.cache
def _pil():
    """PIL.Image, or None. Looking for a module that is not there takes 0.1 ms."""
    try:
        from PIL import Image
    except ImportError:
        return None
    return Image


def _image(pixels):
    """Bytes (H, W) or (H, W, 3) as an image."""
    if _pil() is None:
        return _Bytes(pixels)
    return _pil().frombytes("L" if pixels.dim() == 2 else "RGB", (pixels.shape[1], pixels.shape[0]), _Bytes(pixels).tobytes())
