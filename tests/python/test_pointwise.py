"""Pointwise operations and copies on layouts and operands that have ways of their own: transposed, a column beside a matrix, numbers, large ones.
SPDX-License-Identifier: Apache-2.0"""
import math
import random
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


class Integers(Case):
    """Against Python's numbers: in narrow dtypes, whose low bits are kept, and in lengths that are no whole number of vectors."""

    TYPES = ((torch.int8, 8, True), (torch.int16, 16, True), (torch.uint8, 8, False), (torch.int32, 32, True), (torch.int64, 64, True))

    @staticmethod
    def wrapped(x, bits, signed):
        x &= (1 << bits) - 1
        return x - (1 << bits) if signed and x >> (bits - 1) else x

    def numbers(self, n, dtype, seed):
        i = torch.iinfo(dtype)
        draw = random.Random(seed)
        return [draw.choice((i.min, i.max, 0, 1, draw.randint(i.min, i.max), draw.randint(0, 9))) for _ in range(n)]

    def test_wrap_around(self):
        rows = ((torch.add, lambda a, b: a + b), (torch.sub, lambda a, b: a - b), (torch.mul, lambda a, b: a * b), (torch.maximum, max), (torch.minimum, min),
                (torch.bitwise_and, lambda a, b: a & b), (torch.bitwise_xor, lambda a, b: a ^ b), (torch.lt, lambda a, b: a < b), (torch.ge, lambda a, b: a >= b),
                (torch.eq, lambda a, b: a == b), (torch.logical_and, lambda a, b: bool(a and b)), (lambda x, y: torch.where(x < y, y, x), max),
                (lambda x, y: -x, lambda a, b: -a), (lambda x, y: abs(x), lambda a, b: abs(a)), (lambda x, y: x.square(), lambda a, b: a * a),
                (lambda x, y: x.clamp(3, 90), lambda a, b: min(max(a, 3), 90)), (lambda x, y: 5 - x, lambda a, b: 5 - a), (lambda x, y: x.sign(), lambda a, b: (a > 0) - (a < 0)),
                (lambda x, y: x.masked_fill(y > 5, 7), lambda a, b: 7 if b > 5 else a), (lambda x, y: torch.addcmul(x, y, x), lambda a, b: a + b * a))
        for dtype, bits, signed in self.TYPES:
            for n in (1, 63, 64, 65, 4099):
                a, b = self.numbers(n, dtype, n), self.numbers(n, dtype, n + 1)
                x, y = torch.tensor(a, dtype=dtype), torch.tensor(b, dtype=dtype)
                for k, (f, g) in enumerate(rows):
                    self.assertEqual(f(x, y).tolist(), [r if isinstance(r, bool) else self.wrapped(r, bits, signed) for r in map(g, a, b)], (dtype, n, k))

    def test_shifts(self):
        for dtype, bits, signed in self.TYPES:
            draw = random.Random(bits)
            counts = (*range(bits + 2), 100, -1 if signed else 255)
            left = lambda a, k: self.wrapped(a << k, bits, signed) if 0 <= k < bits else 0
            right = lambda a, k: a >> (k if 0 <= k < bits else bits)
            for n in (1, 63, 64, 65, 515):
                a, b = self.numbers(n, dtype, n), [draw.choice(counts) for _ in range(n)]
                x, y = torch.tensor(a, dtype=dtype), torch.tensor(b, dtype=dtype)
                self.assertEqual((x << y).tolist(), [*map(left, a, b)], (dtype, n))
                self.assertEqual((x >> y).tolist(), [*map(right, a, b)], (dtype, n))
                for k in (0, 1, 3, bits - 1):
                    self.assertEqual((x << k).tolist(), [left(i, k) for i in a], (dtype, n, k))
                    self.assertEqual((x >> k).tolist(), [right(i, k) for i in a], (dtype, n, k))

    def test_rows_and_columns(self):
        rows = ((torch.sub, lambda a, b: a - b), (torch.mul, lambda a, b: a * b), (torch.maximum, max), (torch.minimum, min), (torch.lt, lambda a, b: a < b), (torch.le, lambda a, b: a <= b))
        for dtype, bits, signed in self.TYPES:
            a, b, c = self.numbers(20 * 300, dtype, 1), self.numbers(300, dtype, 2), self.numbers(20, dtype, 3)
            x, row, column = torch.tensor(a, dtype=dtype).reshape(20, 300), torch.tensor(b, dtype=dtype), torch.tensor(c, dtype=dtype).reshape(20, 1)
            for k, (f, g) in enumerate(rows):
                def expect(g):
                    return [r if isinstance(r, bool) else self.wrapped(r, bits, signed) for r in (g(i, j) for i in range(20) for j in range(300))]
                self.assertEqual(f(x, row).flatten().tolist(), expect(lambda i, j: g(a[i * 300 + j], b[j])), (dtype, k))
                self.assertEqual(f(row, x).flatten().tolist(), expect(lambda i, j: g(b[j], a[i * 300 + j])), (dtype, k))
                self.assertEqual(f(x, column).flatten().tolist(), expect(lambda i, j: g(a[i * 300 + j], c[i])), (dtype, k))
                self.assertEqual(f(column, x).flatten().tolist(), expect(lambda i, j: g(c[i], a[i * 300 + j])), (dtype, k))
                self.assertEqual(f(column, row).flatten().tolist(), expect(lambda i, j: g(c[i], b[j])), (dtype, k))

    def test_division(self):
        for dtype, bits, signed in self.TYPES:
            edges = [0, 1, 2, 3, 7, 100, 126, 127] + ([-1, -2, -3, -7, -100, -127, -128] if signed else [128, 255])
            if bits == 64:
                edges += [2 ** 51 - 1, 2 ** 51, 2 ** 53 + 1, -2 ** 51, -2 ** 53 - 1, 10 ** 18, -10 ** 18 - 1, 2 ** 63 - 1, -2 ** 63 + 1]
            if bits == 32:
                edges += [2 ** 24 + 1, -2 ** 24 - 1, 2 ** 31 - 1, -2 ** 31 + 1]
            pairs = [(p, q) for p in edges for q in edges if q and (bits > 8 or p != -128 or q != -1)]
            for times in (1, 9):
                a, b = [p for p, _ in pairs] * times, [q for _, q in pairs] * times
                x, y = torch.tensor(a, dtype=dtype), torch.tensor(b, dtype=dtype)
                quotients = [abs(p) // abs(q) * (1 if (p < 0) == (q < 0) else -1) for p, q in zip(a, b)]
                self.assertEqual(torch.floor_divide(x, y).tolist(), [p // q for p, q in zip(a, b)])
                self.assertEqual(torch.remainder(x, y).tolist(), [p % q for p, q in zip(a, b)])
                self.assertEqual(torch.div(x, y, rounding_mode="trunc").tolist(), quotients)
                self.assertEqual(torch.fmod(x, y).tolist(), [p - q * t for p, q, t in zip(a, b, quotients)])
                self.assertEqual((x // 7).tolist(), [p // 7 for p in a])
                self.assertEqual((x % 7).tolist(), [p % 7 for p in a])
            for y in (torch.tensor([1] * 999 + [0], dtype=dtype), torch.zeros(3, 5, dtype=dtype)[:, ::2], torch.tensor(0, dtype=dtype)):
                for f in (torch.floor_divide, torch.remainder, torch.fmod):
                    self.assertRaisesRegex(RuntimeError, "ZeroDivisionError", f, torch.ones(y.shape, dtype=dtype), y)

    def test_in_place_beside_one_element_of_a_wider_type(self):
        """The promoted type computes; only the result is of the target's."""
        for n in (1, 3, 100, 20_000):
            x = torch.tensor([82] * n, dtype=torch.uint8)
            for dtype in (torch.int8, torch.int16, torch.int32, torch.int64):
                y = torch.tensor([-3], dtype=dtype)
                for f, expected in ((x.clone().fmod_, 1), (x.clone().remainder_, 254), (x.clone().floor_divide_, 228), (x.clone().clamp_min_, 82)):
                    self.assertEqual(f(y).tolist(), [expected] * n)
            x = torch.tensor([-50] * n, dtype=torch.int8)
            for dtype in (torch.uint8, torch.int16, torch.int32, torch.int64):
                y = torch.tensor([200], dtype=dtype)
                for f, expected in ((x.clone().fmod_, -50), (x.clone().remainder_, -106), (x.clone().floor_divide_, -1), (x.clone().clamp_max_, -50)):
                    self.assertEqual(f(y).tolist(), [expected] * n)

    def test_bool(self):
        x, y = torch.tensor([True, True, False, False] * 50), torch.tensor([True, False] * 100)
        self.assertEqual((x * y).tolist(), [True, False, False, False] * 50)
        self.assertEqual((x * y).dtype, torch.bool)
        for f, expected in ((torch.fmax, x | y), (torch.fmin, x & y), (lambda p, q: p.sign(), x), (lambda p, q: p.isnan(), x & ~x), (lambda p, q: p.isfinite(), x | ~x), (lambda p, q: p.signbit(), x & ~x)):
            self.assertEqual(f(x, y).tolist(), expected.tolist())
            self.assertEqual(f(x, y).dtype, torch.bool)

    def test_filled(self):
        for dtype in (torch.int16, torch.float16, torch.uint8, torch.float64, torch.bool):
            for n in (1, 7, 2001):
                self.assertEqual(torch.empty(n, dtype=dtype).fill_(1).tolist(), [torch.tensor(1, dtype=dtype).item()] * n)
                x = torch.zeros(2 * n, dtype=dtype)
                x[::2].fill_(1)
                self.assertEqual(x.double().sum().item(), n)


if __name__ == "__main__":
    unittest.main()
