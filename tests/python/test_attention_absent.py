"""What attention's masks leave out is never read: NaN and infinities there reach no result and no gradient, in each path. The reference goes row
by row over the keys that count. SPDX-License-Identifier: Apache-2.0"""
import math
import unittest

import torch
import torch.nn.functional as F

NAN, INF = math.nan, math.inf


def by_rows(q, k, v, g, keep, bias, scale):
    """Output and gradients of one head, lists of rows; each row of the query knows only the keys that count."""
    out, dq = torch.zeros(len(q), v.shape[1], dtype=torch.float64), torch.zeros_like(q)
    dk, dv = torch.zeros_like(k), torch.zeros_like(v)
    for i in range(len(q)):
        c = keep[i].nonzero().flatten()
        if len(c) == 0:
            continue
        s = k[c] @ q[i] * scale + bias[i][c]
        p = torch.softmax(s, 0)
        out[i] = p @ v[c]
        ds = p * (v[c] @ g[i] - g[i] @ out[i]) * scale
        dq[i] = ds @ k[c]
        dk[c] += ds[:, None] * q[i]
        dv[c] += p[:, None] * g[i]
    return out, dq, dk, dv


def poison(x, rows, seed=0):
    """NaN or an infinity in an element of each of the rows, or in all of it."""
    x = x.clone()
    for n, r in enumerate(rows):
        value = (NAN, INF, -INF)[(n + seed) % 3]
        if n % 2:
            x[..., r, :] = value
        else:
            x[..., r, n % x.shape[-1]] = value
    return x


class Absent(unittest.TestCase):
    def same(self, got, want, tolerance, what):
        self.assertEqual(got.isnan().tolist(), want.isnan().tolist(), what)
        self.assertEqual(got.isinf().tolist(), want.isinf().tolist(), what)
        error = (got.double() - want).nan_to_num(0, 0, 0).abs().max().item()
        self.assertLess(error, tolerance * max(1, want.nan_to_num(0, 0, 0).abs().max().item()), what)

    def check(self, q, k, v, g, keep=None, mask=None, causal=False, dtype=torch.float64, tolerance=1e-11, again=False, scale=None):
        """q, k, v, g: [heads, rows, width]. keep: what counts, or all; mask: as the function gets it."""
        heads, length, sources = q.shape[0], q.shape[1], k.shape[1]
        x = [t.to(dtype).requires_grad_() for t in (q, k, v)]
        g = g.to(dtype)
        kwargs = {"attn_mask": mask, "is_causal": causal, "scale": scale}
        y = F.scaled_dot_product_attention(*x, **kwargs)
        got = torch.autograd.grad(y, x, g, create_graph=again)
        full = torch.ones(heads, length, sources, dtype=torch.bool)
        if mask is not None:
            full &= mask if mask.dtype == torch.bool else mask != -INF
        if causal:
            full &= torch.ones(length, sources, dtype=torch.bool).tril()
        bias = torch.zeros(heads, length, sources, dtype=torch.float64)
        if mask is not None and mask.dtype != torch.bool:
            bias = bias + mask.double()
        number = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
        want = [by_rows(*(t[h].detach().double() for t in x), g[h].double(), full[h], bias[h], number) for h in range(heads)]
        for n, name in enumerate(("output", "query", "key", "value")):
            self.same((y, *got)[n].detach(), torch.stack([w[n] for w in want]), tolerance, (name, q.shape, k.shape, dtype, causal, again))

    def operands(self, length, sources, width=8, vwidth=8):
        torch.manual_seed(length * 1000 + sources)
        return [torch.randn(2, n, w, dtype=torch.float64) for n, w in ((length, width), (sources, width), (sources, vwidth), (length, vwidth))]

    shapes = ((1, 5, 3, 3), (3, 40, 8, 5), (17, 33, 8, 8), (40, 150, 5, 7), (140, 135, 16, 16), (33, 530, 8, 8))

    def test_padding(self):
        for length, sources, width, vwidth in self.shapes:
            q, k, v, g = self.operands(length, sources, width, vwidth)
            rows = list(range(sources - sources // 3, sources))
            keep = torch.ones(sources, dtype=torch.bool)
            keep[rows] = False
            k, v = poison(k, rows), poison(v, rows, 1)
            number = torch.zeros(length, sources, dtype=torch.float64).masked_fill(~keep, -INF)
            for mask in (keep, keep.expand(2, length, sources), number, number.expand(2, -1, -1)):
                self.check(q, k, v, g, mask=mask)
                self.check(q, k, v, g, mask=mask, scale=-0.5)

    def test_random_pairs(self):
        for length, sources, width, vwidth in self.shapes:
            q, k, v, g = self.operands(length, sources, width, vwidth)
            keep = torch.rand(2, length, sources) < 0.4
            rows, lines = range(0, sources, 7), range(0, length, 5)
            for n, r in enumerate(rows): # seen by one query at most, so that not all is NaN
                keep[:, :, r] = False
                if n % 3 == 0:
                    keep[:, n % length, r] = True
            for r in lines:
                keep[:, r, :] &= torch.rand(2, sources) < 0.2
            bad = (poison(q, lines), poison(k, rows), poison(v, rows, 2), poison(g, lines[::2], 1))
            bias = torch.randn(2, length, sources, dtype=torch.float64).masked_fill(~keep, -INF)
            for mask in (keep, bias):
                for only in range(4):
                    some = [b if only == n else x for n, (b, x) in enumerate(zip(bad, (q, k, v, g)))]
                    self.check(*some, mask=mask)
                self.check(*bad, mask=mask)

    def test_causal(self):
        for length, sources in ((1, 1), (3, 3), (9, 9), (40, 40), (130, 130), (300, 300), (20, 300), (300, 20)):
            q, k, v, g = self.operands(length, sources)
            last = [min(length, sources) * 2 // 3]
            self.check(q, poison(k, last), poison(v, last), g, causal=True)
            self.check(poison(q, last), k, v, poison(g, [0], 1), causal=True)
            beyond = list(range(length, sources))
            self.check(q, poison(k, beyond), poison(v, beyond), g, causal=True)

    def test_types(self):
        for dtype, tolerance in ((torch.float32, 2e-5), (torch.bfloat16, 4e-2), (torch.float16, 4e-3)):
            for length, sources in ((2, 9), (17, 33), (140, 135)):
                q, k, v, g = (x.to(dtype).double() for x in self.operands(length, sources))
                keep = torch.ones(sources, dtype=torch.bool)
                keep[1::3] = False
                rows = range(1, sources, 3)
                k, v = poison(k, rows), poison(v, rows, 1)
                number = torch.zeros(length, sources).masked_fill(~keep, -INF)
                for mask in (keep, number, number.to(dtype)):
                    self.check(q, k, v, g, mask=mask, dtype=dtype, tolerance=tolerance)
                self.check(q, poison(k, [sources // 2]), v.nan_to_num(0, 0, 0), g, causal=True, dtype=dtype, tolerance=tolerance)

    def test_bits(self):
        for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
            for length, sources in ((3, 40), (140, 600)):
                q, k, v, g = (x.to(dtype) for x in self.operands(length, sources, 16, 24))
                keep = torch.rand(1, length, sources) < 0.7
                rows = range(5, sources, 4)
                keep[..., list(rows)] = False
                results = []
                for bad in (False, True):
                    x = [t.clone().requires_grad_() for t in (q, poison(k, rows) if bad else k, poison(v, rows, 1) if bad else v)]
                    y = F.scaled_dot_product_attention(*x, attn_mask=keep)
                    results.append((y.detach(), *torch.autograd.grad(y, x, g)))
                for a, b in zip(*results):
                    self.assertTrue(torch.equal(a, b), (dtype, length))

    def test_second_derivative(self): # the composed form
        for length, sources in ((2, 5), (9, 12)):
            q, k, v, g = self.operands(length, sources, 4, 3)
            keep = torch.rand(2, length, sources) < 0.6
            keep[:, 0] = False
            rows = [1, sources - 1]
            keep[:, :, rows] = False
            bad = poison(k, rows), poison(v, rows, 1)
            for mask in (keep, torch.zeros(2, length, sources, dtype=torch.float64).masked_fill(~keep, -INF)):
                self.check(q, *bad, g, mask=mask, again=True)
                second = []
                for kk, vv in ((k, v), bad):
                    x = [t.clone().requires_grad_() for t in (q, kk, vv)]
                    y = F.scaled_dot_product_attention(*x, attn_mask=mask)
                    first = torch.autograd.grad(y, x, g, create_graph=True)
                    second.append(torch.autograd.grad(sum((t * t.detach().cos()).sum() for t in first), x))
                for a, b in zip(*second):
                    self.assertLess((a - b).abs().max().item(), 1e-12)
            self.check(q, poison(k, [sources // 2]), v, g, causal=True, again=True)

    def test_composed(self): # dropout, and a mask that wants a gradient
        for length, sources in ((3, 7), (20, 33)):
            q, k, v, g = self.operands(length, sources)
            keep = torch.rand(2, length, sources) < 0.6
            rows = [0, sources - 2]
            keep[..., rows] = False
            number = torch.randn(2, length, sources, dtype=torch.float64).masked_fill(~keep, -INF)
            for mask, p in ((keep, 0.3), (number, 0.3), (number, 0.0)):
                results = []
                for kk, vv in ((k, v), (poison(k, rows), poison(v, rows, 1))):
                    x = [t.clone().requires_grad_() for t in (q, kk, vv)]
                    bias = mask.clone().requires_grad_() if p == 0 else mask
                    torch.manual_seed(5)
                    y = F.scaled_dot_product_attention(*x, attn_mask=bias, dropout_p=p)
                    results.append((y.detach(), *torch.autograd.grad(y, x + [bias] * (p == 0), g)))
                for a, b in zip(*results):
                    self.assertFalse(b.isnan().any())
                    self.assertTrue(torch.equal(a, b))
            torch.manual_seed(5)
            for p in (0.0, 0.4): # causal, with dropout
                x = [t.clone().requires_grad_() for t in (q, poison(k, [2]), poison(v, [2], 1))]
                y = F.scaled_dot_product_attention(*x, dropout_p=p, is_causal=True)
                self.assertFalse(y[:, :2].isnan().any())
                dq, = torch.autograd.grad(y, x[:1], g)
                self.assertFalse(dq[:, :2].isnan().any())

    def test_heads_in_groups(self):
        q, k, v = torch.randn(1, 4, 6, 8), torch.randn(1, 2, 9, 8), torch.randn(1, 2, 9, 8)
        keep = torch.ones(9, dtype=torch.bool)
        keep[5:] = False
        results = []
        for bad in (False, True):
            x = [t.clone().requires_grad_() for t in (q, poison(k, range(5, 9)) if bad else k, poison(v, range(5, 9)) if bad else v)]
            y = F.scaled_dot_product_attention(*x, attn_mask=keep, enable_gqa=True)
            results.append((y.detach(), *torch.autograd.grad(y.square().sum(), x)))
        for a, b in zip(*results):
            self.assertTrue(torch.equal(a, b))

    def test_lowest_number(self): # is a number: a row of nothing else is the mean of all
        for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
            least = torch.finfo(dtype).min
            for length in (2, 20):
                q, k, v = (torch.randn(1, n, 8).to(dtype) for n in (length, 12, 12))
                mask = torch.zeros(length, 12, dtype=dtype)
                mask[0], mask[1, 3:] = least, least
                for p in (0.0, 1e-30):
                    y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p)
                    if dtype != torch.float16: # whose lowest number leaves scores their differences
                        self.assertLess((y[0, 0].double() - v[0].double().mean(0)).abs().max().item(), 2e-2)
                    short = F.scaled_dot_product_attention(q[:, 1:2], k[:, :3], v[:, :3])
                    self.assertLess((y[0, 1] - short[0, 0]).double().abs().max().item(), 2e-2)
        x = [torch.randn(1, 12, 8).requires_grad_() for _ in range(3)]
        y = F.scaled_dot_product_attention(*x, attn_mask=torch.full((12, 12), torch.finfo(torch.float32).min))
        for grad in torch.autograd.grad(y.sum(), x):
            self.assertTrue(grad.isfinite().all())

    def test_layer(self): # a sample without keys, and NaN in what is left out
        torch.manual_seed(3)
        for dropout in (0.0, 0.3):
            layer = torch.nn.MultiheadAttention(8, 2, dropout=dropout, batch_first=True, kdim=6, vdim=5)
            query, key, value = torch.randn(3, 4, 8), torch.randn(3, 5, 6), torch.randn(3, 5, 5)
            padding = torch.zeros(3, 5, dtype=torch.bool)
            padding[0], padding[1, 3:] = True, True
            masks = [{"key_padding_mask": padding}, {"key_padding_mask": padding, "attn_mask": torch.zeros(4, 5, dtype=torch.bool)},
                     {"key_padding_mask": torch.zeros(3, 5).masked_fill(padding, -INF)}]
            bad = [x.masked_fill(padding[:, :, None], NAN) for x in (key, value)]
            for mask in masks:
                results = []
                for need in (True, False):
                    for k, v in ((key, value), bad):
                        x = [t.clone().requires_grad_() for t in (query, k, v)]
                        torch.manual_seed(4)
                        y, w = layer(*x, need_weights=need, **mask)
                        if need:
                            self.assertEqual(w[0].abs().max().item(), 0)
                            self.assertFalse(w.isnan().any())
                        self.assertTrue(torch.equal(y[0], layer.out_proj.bias.expand(4, 8)))
                        results.append([y.detach(), *torch.autograd.grad(y.square().sum(), x)])
                        self.assertFalse(results[-1][0].isnan().any())
                for a, b in zip(results[0], results[1]):
                    self.assertTrue(torch.equal(a, b))
                for a, b in zip(results[2], results[3]):
                    self.assertTrue(torch.equal(a, b))
                if not dropout:
                    for a, b in zip(results[0], results[2]):
                        self.assertLess((a - b).abs().max().item(), 1e-5)

    def test_masked_softmax(self):
        x = torch.tensor([[1.0, 2.0, NAN], [3.0, NAN, 4.0]], requires_grad=True)
        mask = torch.tensor([[False, False, False], [True, False, True]])
        p = torch.softmax(torch.tensor([3.0, 4.0]), 0).tolist()
        for name, nothing in (("softmax", 0.0), ("softmin", 0.0), ("log_softmax", -INF)):
            y = getattr(torch.masked, name)(x, 1, mask=mask)
            self.assertEqual(y[0].tolist(), [nothing] * 3)
            if name == "softmax":
                for got, want in zip(y[1].tolist(), (p[0], 0.0, p[1])):
                    self.assertAlmostEqual(got, want, 6)
            g, = torch.autograd.grad(y[1, 0] + y[0].sum(), x)
            self.assertEqual(g[0].tolist() + [g[1, 1].item()], [0.0] * 4)
            self.assertTrue(g.isfinite().all())


if __name__ == "__main__":
    unittest.main()
