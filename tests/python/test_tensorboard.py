"""SummaryWriter: files whose records, read back by a reader of our own, hold what was written."""
import contextlib
import importlib.util
import io
import math
import os
import struct
import tempfile
import unittest
import zlib

import torch

from helper import Case, WINNOW, winnow_only


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


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = torch.nn.Linear(4, 4), torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Linear(4, 3))
        self.scale = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        return self.b(self.a(x)) * self.scale + 2


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block, self.drop = Block(), torch.nn.Dropout()

    def forward(self, x, y):
        return torch.cat([self.drop(self.block(x)), y], 1)


@unittest.skipUnless(WINNOW or importlib.util.find_spec("tensorboard"), "PyTorch's writer needs the package tensorboard")
class Graph(Case):
    def nodes(self, model, inputs):
        """The nodes of the graph in the file: {name: (operation, inputs, shapes)}."""
        from torch.utils.tensorboard import SummaryWriter

        with tempfile.TemporaryDirectory() as folder:
            with SummaryWriter(folder) as writer:
                writer.add_graph(model, inputs)
            _, graph, run = events(folder)
        self.assertEqual(fields(run[8][0])[1], [b"step1"])
        definition, found = fields(graph[4][0]), {}
        self.assertEqual(fields(definition[4][0])[1], [22])
        for node in map(fields, definition[1]):
            attributes = dict([(pair[1][0], fields(pair[2][0])) for pair in map(fields, node[5])])
            shapes = [[fields(d).get(1, [0])[0] for d in fields(shape).get(2, [])] for shape in fields(attributes[b"_output_shapes"][1][0]).get(7, [])] \
                if b"_output_shapes" in attributes else None
            found[node[1][0].decode()] = node[2][0].decode(), [i.decode() for i in node.get(3, [])], shapes
        return found

    def test_modules_and_operations(self):
        model = Net()
        nodes = self.nodes(model, (torch.ones(2, 4), torch.ones(2, 1)))
        self.assertTrue(all([m.training for m in model.modules()]))
        operations = [(name.rpartition("/")[0], op, shapes) for name, (op, _, shapes) in nodes.items() if op.startswith("aten::")]
        self.assertEqual(operations, [("Net/Block[block]/Linear[a]", "aten::linear", [[2, 4]]), ("Net/Block[block]/Sequential[b]/ReLU[0]", "aten::relu", [[2, 4]]),
                                      ("Net/Block[block]/Sequential[b]/Linear[1]", "aten::linear", [[2, 3]]), ("Net/Block[block]", "aten::mul", [[2, 3]]),
                                      ("Net/Block[block]", "aten::add", [[2, 3]]), ("Net/Dropout[drop]", "aten::dropout", [[2, 3]]), ("Net", "aten::cat", [[2, 4]])])
        self.assertEqual([(name, shapes) for name, (op, _, shapes) in nodes.items() if name.startswith("input/")], [("input/x", [[2, 4]]), ("input/y", [[2, 1]])])
        parameters = [name.rpartition("/")[0] for name, (op, _, _) in nodes.items() if op == "prim::GetAttr"]
        linear = ["Net/Block[block]/Linear[a]/", "Net/Block[block]/Sequential[b]/Linear[1]/"]
        self.assertEqual(sorted(parameters), sorted([f"{box}{name}" for box in linear for name in ("weight", "bias")] + ["Net/Block[block]/scale"]))

    def test_edges(self):
        """From the output each input is reached, through the operations that make one of the other."""
        nodes = self.nodes(Net(), (torch.ones(2, 4), torch.ones(2, 1)))

        def before(name, within):
            return [s for i in nodes[name][1] for s in ([i] if within(i) else before(i, within) if i in nodes else [])]

        operation = lambda name: name.startswith("input") or name in nodes and nodes[name][0].startswith("aten::")  # noqa: E731
        last, = before("output/output.1", operation)
        drop, y = before(last, operation)
        self.assertEqual((nodes[last][0], nodes[drop][0], y), ("aten::cat", "aten::dropout", "input/y"))
        chain = [drop]
        while chain[-1] != "input/x":
            chain.append(before(chain[-1], operation)[0])
        self.assertEqual([nodes[c][0] for c in chain[1:-1]], ["aten::add", "aten::mul", "aten::linear", "aten::relu", "aten::linear"])

    def test_in_place(self):
        """What is changed in place is made by the operation that changes it."""
        class Changes(torch.nn.Module):
            def forward(self, x):
                y = x * 2
                y.add_(1)
                return y.relu_()

        nodes = self.nodes(Changes(), torch.ones(3))
        made = {op: inputs for op, inputs, _ in nodes.values()}
        by_name = {name: op for name, (op, _, _) in nodes.items()}
        self.assertEqual(len(by_name), len(nodes))
        self.assertEqual([by_name[made[op][0]] for op in ("aten::relu_", "aten::add_", "aten::mul")], ["aten::add_", "aten::mul", "IO Node"])

    def test_a_failing_model(self):
        class Fails(torch.nn.Module):
            def forward(self, x):
                raise RuntimeError("no")

        with self.raises(RuntimeError, "no"), contextlib.redirect_stdout(io.StringIO()):
            self.nodes(Fails(), torch.ones(3))
        self.assertEqual(Block()(torch.ones(2, 4)).shape, (2, 3))  # and nobody watches any more


if __name__ == "__main__":
    unittest.main()
