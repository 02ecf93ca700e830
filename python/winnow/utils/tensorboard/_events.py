"""Event files: records framed as TFRecord (length, checksums), each a protocol buffer `Event`, encoded by hand."""
import os
import socket
import struct
import time

# ------------------------------------------------------------------ crc32c (Castagnoli), as TFRecord masks it

_TABLE = []
for _n in range(256):
    for _ in range(8):
        _n = (_n >> 1) ^ (0x82F63B78 if _n & 1 else 0)
    _TABLE.append(_n)


def crc32c(data):
    table, crc = _TABLE, 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


# ------------------------------------------------------------------ protocol buffers: (number, kind) before each field

def varint(n):
    n &= (1 << 64) - 1  # negative numbers: two's complement, as int64 has it
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def integer(field, n):
    return varint(field << 3) + varint(n)


def double(field, x):
    return varint(field << 3 | 1) + struct.pack("<d", x)


def single(field, x):
    return varint(field << 3 | 5) + struct.pack("<f", x)


def message(field, data):
    """Bytes, text or a message."""
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def doubles(field, values):
    return message(field, struct.pack(f"<{len(values)}d", *values))


# ------------------------------------------------------------------ values of a Summary

def float32(x):
    """A number as float32 holds it; too large ones are infinite."""
    try:
        struct.pack("<f", x)
    except OverflowError:
        return float("inf") if x > 0 else float("-inf")
    return x


def scalar(tag, x):
    return message(1, message(1, tag) + single(2, float32(x)))


def scalar_tensor(tag, x, double_precision):
    """A scalar of the newer kind: a TensorProto, which says that it is for the page of scalars."""
    tensor = integer(1, 2) + doubles(6, [x]) if double_precision else integer(1, 1) + message(5, struct.pack("<f", float32(x)))
    return message(1, message(1, tag) + message(9, message(1, message(1, "scalars"))) + message(8, tensor))


def image(tag, png, height, width, channels):
    return message(1, message(1, tag) + message(4, integer(1, height) + integer(2, width) + integer(3, channels) + message(4, png)))


def histogram(tag, low, high, count, total, squares, limits, counts):
    fields = b"".join([double(i + 1, x) for i, x in enumerate((low, high, count, total, squares))])
    return message(1, message(1, tag) + message(5, fields + doubles(6, limits) + doubles(7, counts)))


def text(tag, string):
    tensor = integer(1, 7) + message(2, message(2, integer(1, 1))) + message(8, string)  # DT_STRING of shape [1]
    return message(1, message(1, tag) + message(9, message(1, message(1, "text"))) + message(8, tensor))


class EventFile:
    """One file, to which records are appended."""
    _count = 0

    def __init__(self, folder, suffix=""):
        os.makedirs(folder, exist_ok=True)
        name = f"events.out.tfevents.{int(time.time()):010d}.{socket.gethostname()}.{os.getpid()}.{EventFile._count}{suffix}"
        EventFile._count += 1
        self.path = os.path.join(folder, name)
        self.file = open(self.path, "ab")
        self._write(double(1, time.time()) + message(3, "brain.Event:2"))
        self.file.flush()

    def add(self, summary, step=None, wall_time=None):
        """A Summary: the values, already encoded."""
        self.add_field(5, summary, step, wall_time)

    def add_field(self, field, what, step=None, wall_time=None):
        """An Event that consists of this message."""
        event = double(1, time.time() if wall_time is None else wall_time)
        if step is not None:
            event += integer(2, int(step))
        self._write(event + message(field, what))

    def _write(self, data):
        length = struct.pack("<Q", len(data))
        self.file.write(length + struct.pack("<I", masked(length)) + data + struct.pack("<I", masked(data)))
