"""Sampling at places of a grid: every mode and padding beside the formulas in Python, blocks of places and their ends, places far outside.
SPDX-License-Identifier: Apache-2.0"""
import itertools
import math
import unittest

import torch
import torch.nn.functional as F
from helper import Case, winnow_only


def padded(v, size, padding, align):
    if padding == "reflection":
        low, span = (0.0, size - 1.0) if align else (-0.5, float(size))
        if span == 0:
            return 0.0
        far = abs(v - low)
        extra, flips = math.fmod(far, span), int(far // span)
        v = extra + low if flips % 2 == 0 else span - extra + low
    return v if padding == "zeros" else min(max(v, 0.0), size - 1.0)


def cubic(t):
    a = -0.75

    def near(x):
        return ((a + 2) * x - (a + 3)) * x * x + 1

    def far(x):
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    return [far(t + 1), near(t), near(1 - t), far(2 - t)]


def line(v, size, mode, padding, align):
    """Elements of one dimension with their weights."""
    p = (v + 1) / 2 * (size - 1) if align else ((v + 1) * size - 1) / 2
    if mode == "bicubic":
        low = math.floor(p)
        return [(padded(low - 1 + k, size, padding, align), w) for k, w in enumerate(cubic(p - low))]
    p = padded(p, size, padding, align)
    if mode == "nearest":
        return [(round(p), 1.0)]
    low = math.floor(p)
    return [(low, low + 1 - p), (low + 1, p - low)]


def sampled(plane, x, y, mode, padding, align):
    total = 0.0
    for row, wy in line(y, len(plane), mode, padding, align):
        for col, wx in line(x, len(plane[0]), mode, padding, align):
            if 0 <= row < len(plane) and 0 <= col < len(plane[0]):
                total += wx * wy * plane[int(row)][int(col)]
    return total


class GridSample(Case):
    def test_modes(self):
        torch.manual_seed(0)
        x = torch.randn(2, 3, 5, 7, dtype=torch.float64)
        grid = torch.randn(2, 9, 17, 2, dtype=torch.float64) * 1.5  # 153 places: a whole block and a part of one
        grid[0, 0, :4] = torch.tensor([[1.0, 1.0], [-1.0, -1.0], [4.3, -7.1], [0.2, 30.4]])
        for mode, padding, align in itertools.product(("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection"), (False, True)):
            with self.subTest(mode=mode, padding=padding, align=align):
                y = F.grid_sample(x, grid, mode=mode, padding_mode=padding, align_corners=align)
                planes, places, got = x.tolist(), grid.flatten(1, 2).tolist(), y.flatten(2).tolist()
                for n, c in itertools.product(range(2), range(3)):
                    for p, (gx, gy) in enumerate(places[n]):
                        self.assertAlmostEqual(got[n][c][p], sampled(planes[n][c], gx, gy, mode, padding, align), places=10)
                z = F.grid_sample(x.float(), grid.float(), mode=mode, padding_mode=padding, align_corners=align)
                if mode != "nearest":  # there a rounding decides
                    self.assertLess((z.double() - y).abs().max().item(), 1e-4)

    def test_gradients(self):
        torch.manual_seed(1)
        x, grid = torch.randn(1, 2, 4, 3, dtype=torch.float64), torch.rand(1, 3, 2, 2, dtype=torch.float64) * 1.8 - 0.9
        for mode, padding in itertools.product(("bilinear", "bicubic"), ("zeros", "border", "reflection")):
            def function(a, b, mode=mode, padding=padding):
                return F.grid_sample(a, b, mode=mode, padding_mode=padding, align_corners=False)
            self.assertTrue(torch.autograd.gradcheck(function, (x.clone().requires_grad_(), grid.clone().requires_grad_())))

    @winnow_only
    def test_outside_is_not_read(self):
        """PyTorch multiplies what it clamps to by 0 in some of its paths."""
        x = torch.full((1, 1, 2, 2), math.inf)
        grid = torch.tensor([[[[5.0, 5.0], [math.nan, 0.0], [math.inf, 0.0], [-9.0, 0.0], [0.0, -1e30]]]])
        for mode in ("bilinear", "nearest", "bicubic"):
            y = F.grid_sample(x, grid.requires_grad_(), mode=mode, align_corners=False)
            self.assertEqual(y.flatten().tolist(), [0.0] * 5)
            y.sum().backward()
            self.assertEqual(grid.grad.flatten().tolist(), [0.0] * 10)
            grid.grad = None


if __name__ == "__main__":
    unittest.main()
