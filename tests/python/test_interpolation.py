"""Interpolation and its gradients beside the formulas in Python: every mode, sizes up and down, rows longer than what is done at a time, elements that
do not count (inf beside them).
SPDX-License-Identifier: Apache-2.0"""
import math
import unittest

import torch
import torch.nn.functional as F
from helper import Case


def places(mode, n, out, align):
    """For each output the elements it is made of, with weights."""
    if mode == "nearest":
        return [[(i * n // out, 1.0)] for i in range(out)]
    rows = []
    for i in range(out):
        at = i * (n - 1) / (out - 1) if align and out > 1 else 0.0 if align else max((i + 0.5) * n / out - 0.5, 0.0)
        lo = min(int(at), n - 1)
        rows.append([(lo, 1 - (at - lo)), (min(lo + 1, n - 1), at - lo)])
    return rows


def matrix(mode, n, out, align=False):
    m = torch.zeros(out, n, dtype=torch.float64)
    for i, row in enumerate(places(mode, n, out, align)):
        for k, w in row:
            m[i, k] += w
    return m


class Interpolation(Case):
    def same(self, x, size, mode, align):
        args = {} if mode == "nearest" else {"align_corners": align}
        name = mode if mode == "nearest" else "linear"
        maps = [matrix(name, n, out, align) for n, out in zip(x.shape[2:], size)]
        x = x.requires_grad_()
        y = F.interpolate(x, size=size, mode=mode, **args)
        spelled = x
        for d, m in enumerate(maps):
            spelled = torch.movedim(torch.tensordot(spelled, m, dims=([2 + d], [1])), -1, 2 + d)
        g = torch.randn_like(y)
        (got,), (want,) = torch.autograd.grad(y, x, g), torch.autograd.grad(spelled, x, g)
        self.assertLess((y - spelled).abs().max().item(), 1e-9)
        self.assertLess((got - want).abs().max().item(), 1e-9)

    def test_sizes(self):
        for n in (1, 2, 5, 8, 17):
            for out in (1, 2, 3, 8, 13, 34, 40):
                for align in (False, True):
                    self.same(torch.randn(2, 3, n, dtype=torch.float64), (out,), "linear", align)
                    self.same(torch.randn(2, 1, 3, n, dtype=torch.float64), (7, out), "bilinear", align)
                if out % n == 0 or n % out == 0: # the place of others is rounded in f32
                    self.same(torch.randn(1, 2, 2, 3, n, dtype=torch.float64), (4, 6, out), "nearest", False)

    def test_rows_longer_than_a_block(self):
        for n in (1, 3, 7):
            x = torch.arange(1.0, n + 1).reshape(1, 1, 1, n)
            for rows in (1, 2):
                y = F.interpolate(x, size=(rows, 60000))
                want = x[0, 0, 0][(torch.arange(60000) * n) // 60000]
                self.assertTrue(all(torch.equal(r, want) for r in y[0, 0]))

    def test_what_does_not_count(self):
        x = torch.tensor([1.0, math.inf, 2.0, 3.0]).reshape(1, 1, 4)
        self.assertEqual(F.interpolate(x, size=2).flatten().tolist(), [1.0, 2.0])
        self.assertEqual(F.adaptive_avg_pool1d(x, 4).flatten().tolist(), [1.0, math.inf, 2.0, 3.0])
        g = torch.tensor([1.0, math.inf]).reshape(1, 1, 2)
        x = torch.zeros(1, 1, 4, requires_grad=True)
        F.adaptive_avg_pool1d(x, 2).backward(g)
        self.assertEqual(x.grad.flatten().tolist(), [0.5, 0.5, math.inf, math.inf])

    def test_maxima_of_pairs(self):
        for n in (1, 2, 3, 16, 17, 33, 500):
            for dtype in (torch.float32, torch.float64, torch.bfloat16):
                x = torch.randint(-50, 50, (2, 3, 2 * n + 1)).to(dtype)
                want = torch.maximum(x[..., 0:2 * n:2], x[..., 1:2 * n:2])
                self.assertTrue(torch.equal(F.max_pool1d(x, 2), want))
                x = x.requires_grad_()
                F.max_pool1d(x, 2).sum().backward()
                left = x.detach()[..., 0:2 * n:2] >= x.detach()[..., 1:2 * n:2]
                self.assertTrue(torch.equal(x.grad[..., 0:2 * n:2], left.to(dtype)))
                self.assertTrue(torch.equal(x.grad[..., 1:2 * n:2], (~left).to(dtype)))
        x = torch.tensor([[[1.0, math.nan, math.nan, 2.0, 3.0, 3.0]]], requires_grad=True)
        y = F.max_pool1d(x, 2)
        self.assertEqual([math.isnan(v) for v in y.flatten().tolist()], [True, True, False])
        y.sum().backward()
        self.assertEqual(x.grad.flatten().tolist(), [0.0, 1.0, 1.0, 0.0, 1.0, 0.0])

    def test_windows_at_the_edges(self):
        for w, k, s, p, d in ((9, 3, 1, 1, 1), (9, 3, 2, 1, 2), (5, 5, 1, 2, 1), (12, 4, 3, 2, 1), (7, 3, 5, 1, 3)):
            x = torch.randn(1, 1, w, dtype=torch.float64, requires_grad=True)
            for ceil in (False, True):
                y = F.max_pool1d(x, k, s, p, d, ceil)
                seen = [[j for j in range(o * s - p, o * s - p + k * d, d) if 0 <= j < w] for o in range(y.shape[2])]
                self.assertEqual(y.flatten().tolist(), [max(x[0, 0, j].item() for j in row) for row in seen])
                (got,) = torch.autograd.grad(y.sum(), x)
                want = [0.0] * w
                for row in seen:
                    want[max(row, key=lambda j: x[0, 0, j].item())] += 1.0
                self.assertEqual(got.flatten().tolist(), want)


if __name__ == "__main__":
    unittest.main()
