"""SummaryWriter: files whose records, read back by a reader of our own, hold what was written."""
import math
import os
import struct
import tempfile
import unittest
import zlib

import torch

from helper import Case, winnow_only


def crc32c(data):
    """Bit by bit: not the writer's table."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def fields(data):
    """field number -> the values of a protocol buffer."""
    found, at = {}, 0

    def varint():
        nonlocal at
        n = shift = 0
        while True:
            byte = data[at]
            at += 1
            n |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return n

    while at < len(data):
        key = varint()
        kind = key & 7
        if kind == 0:
            value = varint()
        else:
            size = {1: 8, 5: 4}.get(kind)
            size = varint() if size is None else size
            value = data[at:at + size]
            at += size
        found.setdefault(key >> 3, []).append(value)
    return found


def events(folder):
    """The events of the files in a folder, checksums checked."""
    found = []
    for name in sorted(os.listdir(folder)):
        if not name.startswith("events.out.tfevents."):
            continue
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        while data:
            n, = struct.unpack("<Q", data[:8])
            assert struct.unpack("<I", data[8:12])[0] == masked(data[:8])
            assert struct.unpack("<I", data[12 + n:16 + n])[0] == masked(data[12:12 + n])
            found.append(fields(data[12:12 + n]))
            data = data[16 + n:]
    return found


@winnow_only
class Writer(Case):
    def setUp(self):
        from torch.utils.tensorboard import SummaryWriter

        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.writer = SummaryWriter(self.folder.name)
        self.addCleanup(self.writer.close)

    def value(self):
        """The only value that was written."""
        self.writer.close()
        first, event = events(self.folder.name)
        self.assertEqual(first[3], [b"brain.Event:2"])
        return event, fields(fields(event[5][0])[1][0])

    def test_checksum(self):
        from winnow.utils.tensorboard import _events

        self.assertEqual(_events.crc32c(b"123456789"), 0xE3069283)
        self.assertEqual(_events.crc32c(bytes(32)), 0x8A9136AA)

    def test_scalar(self):
        self.writer.add_scalar("loss/train", torch.tensor(0.25), 300, walltime=12.5)
        event, value = self.value()
        self.assertEqual((event[2], struct.unpack("<d", event[1][0])), ([300], (12.5,)))
        self.assertEqual((value[1], struct.unpack("<f", value[2][0])), ([b"loss/train"], (0.25,)))

    def test_extreme_scalars(self):
        for x in (float("nan"), float("inf"), 1e300, -1):
            self.writer.add_scalar("x", x, -1)
        self.writer.close()
        got = [struct.unpack("<f", fields(fields(e[5][0])[1][0])[2][0])[0] for e in events(self.folder.name)[1:]]
        self.assertTrue(math.isnan(got[0]))
        self.assertEqual(got[1:], [math.inf, math.inf, -1.0])

    def test_scalars(self):
        self.writer.add_scalars("loss", {"a": 1.0, "b": 2.0}, 1)
        self.writer.close()
        self.assertEqual(len(events(os.path.join(self.folder.name, "loss_a"))), 2)

    def test_histogram(self):
        for bins in ("tensorflow", "auto", [0.0, 1.0, 2.0]):
            with self.subTest(bins=bins):
                self.setUp()
                x = torch.tensor([0.5, -1.5, 0.5, 3.0, 0.0])
                self.writer.add_histogram("h", x, 1, bins=bins)
                h = fields(self.value()[1][5][0])
                low, high, n, total, squares = [struct.unpack("<d", h[i][0])[0] for i in range(1, 6)]
                self.assertEqual((low, high, n, total, squares), (-1.5, 3.0, 5.0, 2.5, 11.75))
                limits = struct.unpack(f"<{len(h[6][0]) // 8}d", h[6][0])
                counts = struct.unpack(f"<{len(h[7][0]) // 8}d", h[7][0])
                self.assertEqual((len(limits), sum(counts)), (len(counts), 5))
                self.assertEqual(list(limits), sorted(limits))

    def test_image(self):
        x = torch.zeros(3, 2, 4)
        x[0, 1, 3] = 1.0
        self.writer.add_image("i", x)
        i = fields(self.value()[1][4][0])
        self.assertEqual((i[1], i[2], i[3]), ([2], [4], [3]))
        png = i[4][0]
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        at, body = 8, b""
        while at < len(png):
            n, kind = struct.unpack(">I4s", png[at:at + 8])
            self.assertEqual(struct.unpack(">I", png[at + 8 + n:at + 12 + n])[0], zlib.crc32(png[at + 4:at + 8 + n]))
            body += png[at + 8:at + 8 + n] if kind == b"IDAT" else b""
            at += 12 + n
        pixels = zlib.decompress(body)
        self.assertEqual(len(pixels), 2 * (1 + 12))
        self.assertEqual(pixels[-3:], b"\xff\0\0")

    def test_images_and_text(self):
        self.writer.add_images("grid", torch.rand(10, 1, 4, 5), 0)
        self.writer.add_text("note", "hello", 2)
        self.writer.close()
        grid, note = [fields(fields(e[5][0])[1][0]) for e in events(self.folder.name)[1:]]
        self.assertEqual((fields(grid[4][0])[1], fields(grid[4][0])[2]), ([8], [40]))
        self.assertEqual(note[1], [b"note/text_summary"])
        self.assertEqual(fields(note[8][0])[8], [b"hello"])

    def test_flush_and_context(self):
        with self.writer as w:
            w.add_scalar("a", 1.0)
            w.flush()
            self.assertEqual(len(events(self.folder.name)), 2)


if __name__ == "__main__":
    unittest.main()
