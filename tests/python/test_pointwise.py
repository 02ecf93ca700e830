"""Pointwise operations and copies on layouts and operands that have ways of their own: transposed, a column beside a matrix, numbers, large ones.
SPDX-License-Identifier: Apache-2.0"""
import math
import unittest

import torch

from helper import Case


def values(*shape, dtype=torch.float32):
    n = math.prod(shape)
    return (torch.arange(n) * 37 % 101 - 50).to(dtype).reshape(shape)


class Powers(Case):
    def test_edges(self):
        x = torch.tensor([2.0, -2.0, 0.0, -0.0, math.inf, -math.inf, math.nan])
        self.assertEqual(str(x.pow(2)), str(x * x))
        self.assertEqual(str(x ** 3), str(x * x * x))
        self.assertEqual(str(x ** 0.5), str(x.sqrt()))
        self.assertEqual(str(x ** -1), str(x.reciprocal()))
        self.assertEqual((torch.tensor([3, -4]) ** 3).tolist(), [27, -64])

    def test_gradients(self):
        for e in (1, 2, 3, 0.5, -1, 2.5):
            x = torch.tensor([0.5, 1.0, 4.0], dtype=torch.float64, requires_grad=True)
            (x ** e).sum().backward()
            for g, v in zip(x.grad.tolist(), (0.5, 1.0, 4.0)):
                self.assertAlmostEqual(g, e * v ** (e - 1), places=12)


class Layouts(Case):
    def test_transposed_copies(self):
        for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.int16, torch.int64, torch.uint8):
            for a, b in ((3, 5), (8, 8), (9, 33), (100, 70), (257, 129), (16, 2100)):
                x = values(2, a, b).to(dtype)
                y = x.transpose(1, 2).contiguous()
                self.assertEqual(y.stride(), (a * b, a, 1))
                rows = x.tolist()
                self.assertEqual(y.tolist(), [[[rows[k][i][j] for i in range(a)] for j in range(b)] for k in range(2)])

    def test_transposed_operands(self):
        for dtype in (torch.float32, torch.float64, torch.float16, torch.int64):
            x, y = values(90, 130).to(dtype), values(130, 90).to(dtype)
            want = [[p + q for p, q in zip(r, s)] for r, s in zip(x.tolist(), zip(*y.tolist()))]
            self.assertEqual((x + y.t()).tolist(), want)
            z = x.clone()
            z += y.t()
            self.assertEqual(z.tolist(), want)
            square = values(80, 80).to(dtype)
            other = square.clone()
            self.assertEqual((square.t() - other).t().tolist(), (square - other.t()).tolist())

    def test_columns(self):
        for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.int64):
            for n in (7, 600, 2500):
                x, c, r = values(5, n).to(dtype), values(5, 1).to(dtype), values(n).to(dtype)
                full = c.expand(5, n).contiguous()
                self.assertTrue(torch.equal(x - c, x - full) and torch.equal(c - x, full - x) and torch.equal(c * r, full * r))
                self.assertTrue(torch.equal(torch.maximum(x, c), torch.maximum(x, full)))

    def test_fills(self):
        for dtype in (torch.float32, torch.float64, torch.float16, torch.int16, torch.bool, torch.uint8):
            x = torch.zeros(10007, dtype=dtype)
            x[3:9001].fill_(1)
            self.assertEqual((int(x.long().sum()), int(x[3]), int(x[9000]), int(x[2]), int(x[9001])), (8998, 1, 1, 0, 0))


class Numbers(Case):
    def test_halves(self):
        for dtype in (torch.float16, torch.bfloat16):
            for n in (1, 31, 32, 5000):
                x = values(n).to(dtype) / 7
                wide = x.float()
                for f in (lambda v: v * 0.25, lambda v: v + 0.125, lambda v: v.clamp(-1.5, 2), lambda v: v.clamp(max=0.5), lambda v: 1 - v,
                          lambda v: torch.nn.functional.leaky_relu(v, 0.25), lambda v: torch.nn.functional.hardtanh(v)):
                    self.assertTrue(torch.equal(f(x), f(wide).to(dtype)))

    def test_floats(self):
        x = values(5000).to(torch.float64) / 7
        for lo, hi in ((-1.5, 2.0), (2.0, -1.5), (math.nan, 1.0)):
            want = [math.nan if math.isnan(lo) or math.isnan(hi) else min(max(v, lo), hi) for v in x.tolist()]
            self.assertEqual(str(x.clamp(lo, hi).tolist()), str(want))
        self.assertEqual((x * 3).tolist(), [v * 3 for v in x.tolist()])
        self.assertEqual((x > 1).tolist(), [v > 1 for v in x.tolist()])

    def test_bool(self):
        a, b = values(300) > 0, values(300) % 3 == 0
        pairs = list(zip(a.tolist(), b.tolist()))
        for name, f in (("eq", lambda p, q: p == q), ("ne", lambda p, q: p != q), ("lt", lambda p, q: p < q), ("le", lambda p, q: p <= q),
                        ("gt", lambda p, q: p > q), ("ge", lambda p, q: p >= q), ("maximum", max), ("minimum", min)):
            self.assertEqual(getattr(torch, name)(a, b).tolist(), [f(p, q) for p, q in pairs])

    def test_narrow(self):
        x = torch.tensor([0.0, 1.9, -1.9, 127.0, 255.0, -128.0, 100.5])
        for dtype in (torch.float32, torch.float64, torch.bfloat16):
            self.assertEqual(x[:4].to(dtype).to(torch.int8).tolist(), [0, 1, -1, 127])
            self.assertEqual(x[3:5].to(dtype).to(torch.uint8).tolist(), [127, 255])
            self.assertEqual(x.to(dtype).to(torch.int32).tolist()[:6], [0, 1, -1, 127, 255, -128])


if __name__ == "__main__":
    unittest.main()
