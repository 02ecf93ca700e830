"""The meta device: tensors with a shape, strides, a dtype and a history, and no elements."""
import copy
import io
import pickle
import unittest

import torch
from torch import nn


def meta(*shape, **options):
    return torch.empty(*shape, device="meta", **options)


def same_but_for_values(f, *shapes, dtype=torch.float32):
    """f of tensors here and there gives the same shapes, strides and dtypes."""
    here, there = f(*(torch.ones(s, dtype=dtype) for s in shapes)), f(*(meta(*s, dtype=dtype) for s in shapes))
    here, there = (x if isinstance(x, (tuple, list)) else (x,) for x in (here, there))
    assert len(here) == len(there)
    for a, b in zip(here, there):
        assert b.device == torch.device("meta") and b.is_meta and not b.is_cpu
        assert (a.shape, a.dtype, a.stride()) == (b.shape, b.dtype, b.stride())


def network():
    return nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Dropout(), nn.Linear(8 * 16, 10))


class Block(nn.Module):
    """Of a ResNet."""

    def __init__(self, i, o, stride):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o)
        self.conv2, self.bn2 = nn.Conv2d(o, o, 3, 1, 1, bias=False), nn.BatchNorm2d(o)
        self.down = nn.Sequential(nn.Conv2d(i, o, 1, stride, bias=False), nn.BatchNorm2d(o)) if stride > 1 or i != o else nn.Identity()

    def forward(self, x):
        return (self.bn2(self.conv2(self.bn1(self.conv1(x)).relu())) + self.down(x)).relu()


def resnet18():
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    for i, o, stride in ((64, 64, 1), (64, 128, 2), (128, 256, 2), (256, 512, 2)):
        layers += [Block(i, o, stride), Block(o, o, 1)]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000))


class Meta(unittest.TestCase):
    def test_results_are_as_where_there_are_values(self):
        same_but_for_values(lambda a, b: a + b, (2, 3), (3,))
        same_but_for_values(lambda a: a.t(), (2, 3))
        same_but_for_values(lambda a: a.permute(1, 2, 0).clone(), (2, 3, 4))
        same_but_for_values(lambda a, b: a @ b, (5, 2, 3), (3, 4))
        same_but_for_values(lambda a: a.max(dim=1), (2, 3))
        same_but_for_values(lambda a: a.sort(), (2, 3))
        same_but_for_values(lambda a: a[:, 1:].unfold(1, 2, 1), (2, 5))
        same_but_for_values(lambda a: torch.cat([a, a.double()]), (2, 3))
        same_but_for_values(lambda a: a > 0, (2, 3))
        same_but_for_values(lambda a: a / 2, (2, 3), dtype=torch.int64)
        same_but_for_values(lambda a, w: torch.conv2d(a, w, padding=1), (1, 3, 8, 8), (4, 3, 3, 3))
        same_but_for_values(lambda a: torch.linalg.qr(a), (4, 3))
        same_but_for_values(lambda a: a.chunk(2), (4, 3))
        same_but_for_values(lambda a: torch.nn.functional.scaled_dot_product_attention(a, a, a), (2, 4, 6, 8))

    def test_errors_are_those_of_shapes(self):
        with self.assertRaisesRegex(RuntimeError, "must match the size|Attempting to broadcast"):
            meta(2, 3) + meta(4)
        with self.assertRaises(RuntimeError):
            meta(2, 3) @ meta(2, 3)
        with self.assertRaises(IndexError):
            meta(2, 3).sum(5)

    def test_sizes_that_no_memory_holds(self):
        x = meta(1 << 20, 1 << 20)
        assert (x * 2 + 1).sum(0).shape == (1 << 20,)
        assert x.numel() == 1 << 40

    def test_values_cannot_be_read(self):
        x, one = meta(2, 3), meta(())
        for f in (one.item, lambda: bool(one), lambda: float(one), lambda: int(meta((), dtype=torch.int64))):
            with self.assertRaisesRegex(RuntimeError, r"Tensor.item\(\) cannot be called on meta tensors"):
                f()
        for f in (x.numpy, x.__array__):
            with self.assertRaisesRegex(TypeError, "can't convert meta device type tensor to numpy"):
                f()
        for f in (x.cpu, lambda: x.to("cpu"), x.tolist, lambda: torch.ones(2, 3).copy_(x)):
            with self.assertRaisesRegex(NotImplementedError, "Cannot copy out of meta tensor; no data!"):
                f()
        index = meta(2, dtype=torch.int64)
        for f in (x.nonzero, lambda: x[x > 0], lambda: torch.masked_select(x, x > 0), x.unique, lambda: torch.bincount(index),
                        lambda: torch.unique_consecutive(x), lambda: torch.argwhere(x)):
            with self.assertRaises(NotImplementedError):
                f()
        assert x.data_ptr() == 0
        with self.assertRaises(RuntimeError):
            x.pin_memory()

    def test_printing(self):
        assert repr(meta(2, 3)) == "tensor(..., device='meta', size=(2, 3))"
        assert repr(meta((), dtype=torch.int64)) == "tensor(..., device='meta', size=(), dtype=torch.int64)"
        assert repr(meta(2, requires_grad=True) * 2) == "tensor(..., device='meta', size=(2,), grad_fn=<MulBackward0>)"
        assert repr(nn.Parameter(meta(2))) == "Parameter containing:\ntensor(..., device='meta', size=(2,), requires_grad=True)"

    def test_two_devices_do_not_mix(self):
        x, here = meta(2, 3), torch.ones(2, 3)
        for f in (lambda: x + here, lambda: torch.where(x > 0, x, here), lambda: x.add_(torch.ones(2, 3)) and torch.cat([x, here])):
            with self.assertRaises(RuntimeError):
                f()
        with self.assertRaisesRegex(RuntimeError, "is not on the expected device"):
            here + x
        with self.assertRaises(RuntimeError):
            torch.add(x, x, out=torch.empty(0))
        assert (x + torch.tensor(2.0)).is_meta  # a number goes with anything
        assert x.copy_(here) is x
        assert x.index_select(0, torch.tensor([0])).shape == (1, 3)

    def test_in_place_and_out(self):
        x = meta(2, 3)
        before = x._version
        assert x.add_(1) is x and x._version > before
        assert x.zero_().fill_(2.0).is_meta
        out = meta(0)
        assert torch.add(x, x, out=out) is out and out.shape == (2, 3)
        x[0] = 1.0
        x.t()[1:] *= 2
        with self.assertRaises(RuntimeError):
            x.add_(meta(4, 2, 3))

    def test_factories(self):
        for f in (torch.zeros, torch.ones, torch.rand, torch.randn, torch.empty):
            assert f(2, 3, device="meta").is_meta
            assert f((2, 3), device=torch.device("meta")).shape == (2, 3)
        assert torch.full((2,), 1, device="meta").dtype == torch.int64
        assert torch.arange(5, device="meta").shape == (5,)
        assert torch.eye(3, device="meta").shape == (3, 3)
        assert torch.linspace(0, 1, 7, device="meta").shape == (7,)
        assert torch.randint(0, 5, (2,), device="meta").dtype == torch.int64
        assert torch.tensor([1.0, 2.0], device="meta").shape == (2,)
        assert torch.as_tensor([1.0], device="meta").is_meta
        assert torch.empty_strided((2, 3), (1, 2), device="meta").stride() == (1, 2)
        x = meta(2, 3, dtype=torch.float64)
        for f in (torch.zeros_like, torch.ones_like, torch.empty_like, torch.rand_like):
            assert f(x).is_meta and f(x).dtype == torch.float64
            assert f(torch.ones(2), device="meta").is_meta
        assert torch.ones_like(x, device="cpu").tolist() == [[1.0] * 3] * 2
        for f in (x.new_zeros, x.new_ones, x.new_empty):
            assert f(2).is_meta and f(2).dtype == torch.float64
        assert x.new_full((2,), 1.0).is_meta and x.new_tensor([1.0]).is_meta
        assert torch.ones(2).to("meta").is_meta and torch.ones(2).to("meta", torch.float64).dtype == torch.float64
        assert x.to("meta") is x and x.to(torch.float32).is_meta

    def test_default_device(self):
        with torch.device("meta"):
            assert torch.ones(2).is_meta and torch.tensor([1]).is_meta and torch.rand(3).is_meta
            assert nn.Conv2d(2, 3, 3).weight.is_meta
            assert torch.ones(2, device="cpu").is_cpu
        assert torch.ones(2).is_cpu
        torch.set_default_device("meta")
        try:
            assert torch.get_default_device() == torch.device("meta")
            assert torch.zeros(2).is_meta
        finally:
            torch.set_default_device("cpu")
        assert torch.zeros(2).is_cpu

    def test_no_random_numbers_are_drawn(self):
        torch.manual_seed(0)
        expected = torch.rand(2).tolist()
        torch.manual_seed(0)
        with torch.device("meta"):
            nn.Linear(3, 4)
            torch.rand(5)
        assert torch.rand(2).tolist() == expected

    def test_backward(self):
        x, w = meta(4, 3, requires_grad=True), meta(5, 3, requires_grad=True)
        y = torch.nn.functional.gelu(x @ w.t()).masked_fill(meta(4, 5, dtype=torch.bool), 0.0)
        assert y.grad_fn is not None
        (torch.where(y > 0, y, 0.0).relu().mean() + y.max(1).values.sum()).backward()
        assert x.grad.is_meta and x.grad.shape == x.shape and w.grad.shape == w.shape
        first = w.grad
        (x @ w.t()).sum().backward()
        assert w.grad is first
        g, = torch.autograd.grad((x ** 3).sum(), x, create_graph=True)
        g.sum().backward()

    def test_modules(self):
        with torch.device("meta"):
            m = network()
        assert all(p.is_meta for p in m.parameters()) and all(b.is_meta for b in m.buffers())
        loss = nn.functional.cross_entropy(m(meta(2, 3, 8, 8)), meta(2, dtype=torch.int64))
        loss.backward()
        assert all(p.grad.is_meta and p.grad.shape == p.shape for p in m.parameters())
        for optimiser in (torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9), torch.optim.Adam(m.parameters())):
            optimiser.step()
        state = m.state_dict()
        assert list(state) == list(network().state_dict()) and state["0.weight"].is_meta
        assert nn.Linear(3, 4, device="meta").weight.is_meta
        with self.assertRaisesRegex(NotImplementedError, "to_empty"):
            m.to("cpu")
        m.zero_grad()
        there = m.to_empty(device="cpu")
        assert there is m and all(p.is_cpu for p in m.parameters())
        m.load_state_dict(network().state_dict())
        assert m(torch.ones(2, 3, 8, 8)).shape == (2, 10)
        assert all(p.is_meta for p in m.to("meta").parameters())

    def test_large_networks_take_no_memory(self):
        stats = getattr(torch._C, "_stats", None)  # winnow's
        before = stats and stats()["allocations"]
        with torch.device("meta"):
            m, x = resnet18(), torch.empty(64, 3, 224, 224)
            t, words = nn.TransformerEncoder(nn.TransformerEncoderLayer(768, 12, 3072, batch_first=True), 12), torch.empty(8, 1024, 768)
        y, z = m(x), t(words)
        assert y.shape == (64, 1000) and z.shape == (8, 1024, 768)
        (y.sum() + z.sum()).backward()
        for p in (*m.parameters(), *t.parameters()):
            assert p.grad.is_meta and p.grad.shape == p.shape
        if stats:
            assert stats()["allocations"] == before

    def test_assigned_state(self):
        l, full = nn.Linear(3, 4, device="meta"), nn.Linear(3, 4)
        l.load_state_dict(full.state_dict(), assign=True)
        assert torch.equal(l.weight, full.weight) and isinstance(l.weight, nn.Parameter)

    def test_copies_and_files(self):
        x = meta(2, 3).t()
        y = copy.deepcopy(x)
        assert y.is_meta and y.shape == (3, 2) and y.stride() == x.stride()
        assert pickle.loads(pickle.dumps(x)).stride() == x.stride()
        file = io.BytesIO()
        torch.save({"w": x}, file)
        file.seek(0)
        assert torch.load(file)["w"].is_meta
        assert copy.deepcopy(nn.Linear(2, 3, device="meta")).weight.is_meta

    def test_files_loaded_to_meta(self):
        import io

        model = torch.nn.Linear(3, 2)
        saved = {"weights": model.state_dict(), "t": torch.arange(6.0).reshape(2, 3).t(), "n": torch.arange(3)}
        for new in (True, False):
            file = io.BytesIO()
            torch.save(saved, file, _use_new_zipfile_serialization=new)
            for where in ("meta", torch.device("meta")):
                file.seek(0)
                got = torch.load(file, map_location=where)
                self.assertEqual({t.device.type for t in (got["t"], got["n"], *got["weights"].values())}, {"meta"})
                self.assertEqual((got["t"].shape, got["t"].stride(), got["n"].dtype), (torch.Size([3, 2]), (1, 3), torch.int64))
                fresh = torch.nn.Linear(3, 2, device="meta")
                fresh.load_state_dict(got["weights"], assign=True)


if __name__ == "__main__":
    unittest.main()
