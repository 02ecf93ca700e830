"""PNG files by zlib: 8 bits for each of 1 to 4 channels, lines unfiltered."""
import struct
import zlib


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def encode(pixels, height, width, channels):
    """The bytes of a PNG of `pixels`, height * width * channels bytes."""
    if len(pixels) != height * width * channels or height < 1 or width < 1:
        raise ValueError(f"{len(pixels)} bytes are not an image of {height} x {width} x {channels}")
    row = width * channels
    lines = b"".join([b"\0" + pixels[i * row:(i + 1) * row] for i in range(height)])
    header = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 2: 4, 3: 2, 4: 6}[channels], 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(lines, 6)) + _chunk(b"IEND", b"")


def pixels_of(image):
    """(bytes, height, width, channels) of a uint8 tensor (channels, height, width)."""
    c, h, w = image.shape
    return bytes(memoryview(image.permute(1, 2, 0).contiguous().numpy()).cast("B")) if _has_numpy() else bytes(image.permute(1, 2, 0).flatten().tolist()), h, w, c


def _has_numpy():
    try:
        import numpy  # noqa: F401
    except ImportError:
        return False
    return True
