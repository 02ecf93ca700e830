"""The listings of efficiency guides that compute under a mask: x[mask] * y[mask], masked_fill(~mask, 0), combined
masks, padding in attention, with gradients, against plain loops. SPDX-License-Identifier: Apache-2.0"""
import math
import random
import unittest

import torch

from helper import Case

ROWS, COLUMNS = 160, 130


def grid(seed, rows=ROWS, columns=COLUMNS):
    draw = random.Random(seed)
    return [[draw.randint(-2047, 2047) / 1024 for _ in range(columns)] for _ in range(rows)]


def coins(seed, rows=ROWS, columns=COLUMNS, share=0.3):
    draw = random.Random(seed)
    return [[draw.random() < share for _ in range(columns)] for _ in range(rows)]


def zipped(*grids):
    """The elements of several grids side by side, row after row."""
    return [cells for rows in zip(*grids) for cells in zip(*rows)]


class Selecting(Case):
    def setUp(self):
        self.a, self.b, self.m = grid(1), grid(2), coins(3)
        self.x = torch.tensor(self.a, dtype=torch.float64, requires_grad=True)
        self.y = torch.tensor(self.b, dtype=torch.float64, requires_grad=True)
        self.mask = torch.tensor(self.m)

    def test_product_of_selected(self):
        result = self.x[self.mask] * self.y[self.mask]
        self.values(result, [p * q for p, q, m in zipped(self.a, self.b, self.m) if m])
        result.sum().backward()
        self.values(self.x.grad, [[q if m else 0.0 for q, m in zip(*rows)] for rows in zip(self.b, self.m)])
        self.values(self.y.grad, [[p if m else 0.0 for p, m in zip(*rows)] for rows in zip(self.a, self.m)])

    def test_sum_of_selected(self):
        chosen = [p for p, m in zipped(self.a, self.m) if m]
        self.assertAlmostEqual(torch.sum(self.x[self.mask]).item(), math.fsum(chosen), delta=1e-9)
        self.assertAlmostEqual(self.x[self.mask].mean().item(), math.fsum(chosen) / len(chosen), delta=1e-9)
        self.assertEqual(self.mask.sum().item(), len(chosen))
        torch.sum(self.x[self.mask]).backward()
        self.values(self.x.grad, [[float(m) for m in row] for row in self.m])

    def test_masked_select_is_indexing(self):
        self.same(torch.masked_select(self.x, self.mask).detach(), self.x[self.mask].detach())

    def test_fill_instead_of_select(self):
        filled = self.x.masked_fill(~self.mask, 0)
        self.values(filled, [[p if m else 0.0 for p, m in zip(*rows)] for rows in zip(self.a, self.m)])
        self.assertAlmostEqual(filled.sum().item(), self.x[self.mask].sum().item(), delta=1e-9)
        (filled * filled).sum().backward()
        self.values(self.x.grad, [[2 * p if m else 0.0 for p, m in zip(*rows)] for rows in zip(self.a, self.m)])

    def test_product_with_the_mask(self):
        weight = self.mask.to(self.x.dtype)
        self.same((self.x * weight).detach(), self.x.masked_fill(~self.mask, 0).detach() + 0.0)
        mean = (self.x * weight).sum() / weight.sum()
        self.assertAlmostEqual(mean.item(), self.x[self.mask].mean().item(), delta=1e-12)

    def test_function_only_where_it_is_defined(self):
        positive = self.x > 0
        safe = torch.where(positive, self.x, 1.0)
        result = torch.where(positive, torch.log(safe), 0.0)
        self.close(result, [[math.log(p) if p > 0 else 0.0 for p in row] for row in self.a], 1e-12)
        result.sum().backward()
        self.close(self.x.grad, [[1 / p if p > 0 else 0.0 for p in row] for row in self.a], 1e-12)

    def test_nothing_selected(self):
        nothing = self.x > 100
        picked = self.x[nothing]
        self.assertEqual(picked.shape, (0,))
        self.assertEqual(picked.sum().item(), 0.0)
        self.assertTrue(math.isnan(picked.mean().item()))
        picked.sum().backward()
        self.assertEqual(self.x.grad.abs().sum().item(), 0.0)


class Assigning(Case):
    def test_number_and_tensor(self):
        a, m = grid(4), coins(5)
        x, mask = torch.tensor(a), torch.tensor(m)
        x[mask] = 0
        self.values(x, [[0.0 if k else p for p, k in zip(*rows)] for rows in zip(a, m)])
        x[~mask] = torch.arange(float((~mask).sum()))
        count = iter(range(ROWS * COLUMNS))
        self.values(x, [[0.0 if k else float(next(count)) for k in row] for row in m])

    def test_clipping_by_mask(self):
        a = grid(6)
        x = torch.tensor(a)
        x[x > 1] = 1
        x[x < -1] = -1
        self.values(x, [[max(-1.0, min(1.0, p)) for p in row] for row in a])
        self.same(x, torch.tensor(a).clamp(-1, 1))

    def test_scaled_in_place(self):
        a, m = grid(7), coins(8)
        x, mask = torch.tensor(a), torch.tensor(m)
        x[mask] *= 2
        x[mask] += 1
        self.values(x, [[p * 2 + 1 if k else p for p, k in zip(*rows)] for rows in zip(a, m)])
        x.masked_fill_(mask, -9.0)
        self.assertEqual((x == -9).sum().item(), mask.sum().item())


class Combined(Case):
    def test_and_not_expanded(self):
        m, row = coins(9), coins(10, 1)[0]
        a, b = torch.tensor(m), torch.tensor(row)
        combined = ~a & b.unsqueeze(0).expand_as(a)
        self.values(combined, [[not p and q for p, q in zip(cells, row)] for cells in m], torch.bool)
        self.same(combined, torch.logical_and(torch.logical_not(a), b))
        x = torch.tensor(grid(11))
        self.values(x[combined],
                    [v for cells, ks in zip(grid(11), m) for v, p, q in zip(cells, ks, row) if not p and q])

    def test_or_xor_and_comparisons(self):
        a = grid(12)
        x = torch.tensor(a)
        mask = (x > 1) | (x < -1)
        self.values(mask, [[p > 1 or p < -1 for p in row] for row in a], torch.bool)
        self.values(mask ^ (x > 0), [[(p > 1 or p < -1) != (p > 0) for p in row] for row in a], torch.bool)
        self.assertEqual(mask.any().item(), True)
        self.assertEqual(mask.all().item(), False)
        self.values(mask.sum(dim=1), [sum(p > 1 or p < -1 for p in row) for row in a], torch.int64)

    def test_between(self):
        a = grid(13)
        x = torch.tensor(a, requires_grad=True)
        inside = (x >= -0.5) & (x <= 0.5)
        total = torch.where(inside, x * x, x.abs()).sum()
        total.backward()
        self.values(x.grad, [[2 * p if -0.5 <= p <= 0.5 else math.copysign(1.0, p) for p in row] for row in a])

    def test_lengths_into_a_padding_mask(self):
        lengths = torch.tensor([3, 0, 5])
        valid = torch.arange(5).unsqueeze(0) < lengths.unsqueeze(1)
        self.values(valid, [[j < n for j in range(5)] for n in (3, 0, 5)], torch.bool)
        x = torch.ones(3, 5, 4).masked_fill(~valid.unsqueeze(-1), 0)
        self.values(x.sum(dim=(1, 2)), [12.0, 0.0, 20.0])


class MaskedAttention(Case):
    def test_padding(self):
        rows = grid(14, 6, 5)
        scores = torch.tensor(rows, dtype=torch.float64, requires_grad=True)
        valid = torch.tensor([True, True, True, False, False])
        weights = torch.softmax(scores.masked_fill(~valid, -math.inf), dim=-1)
        for row, got in zip(rows, weights.tolist()):
            total = sum(math.exp(s) for s in row[:3])
            self.close(got, [math.exp(s) / total for s in row[:3]] + [0.0, 0.0], 1e-12)
        weights[:, 0].sum().backward()
        self.values(scores.grad[:, 3:], [[0.0, 0.0]] * 6)
        for row, got in zip(weights.tolist(), scores.grad.tolist()):
            self.close(got[:3], [row[0] * ((j == 0) - row[j]) for j in range(3)], 1e-12)

    def test_causal(self):
        n = 150
        scores = torch.zeros(n, n)
        causal = torch.ones(n, n, dtype=torch.bool).tril()
        weights = torch.softmax(scores.masked_fill(~causal, -math.inf), dim=-1)
        self.close(weights, [[1 / (i + 1) if j <= i else 0.0 for j in range(n)] for i in range(n)])


if __name__ == "__main__":
    unittest.main()
