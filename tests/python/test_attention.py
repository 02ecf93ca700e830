"""scaled_dot_product_attention against its spelled-out form: lengths around the blocks of a fused kernel, causal and masked, views as
layers make them, with gradients. SPDX-License-Identifier: Apache-2.0"""
import math
import unittest

import torch
import torch.nn.functional as F


def plain(q, k, v, causal, mask, scale):
    s = q @ k.transpose(-1, -2) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if mask is not None:
        s = s.masked_fill(~mask, -math.inf) if mask.dtype == torch.bool else s + mask
    if causal:
        s = s.masked_fill(~torch.ones(s.shape[-2:], dtype=torch.bool).tril(), -math.inf)
    return torch.softmax(s, dim=-1) @ v


def leaves(queries, keys, width, vwidth, dtype, views):
    """[2, 3, length, width] tensors; views: the two inner dimensions of [2, length, 3, width], as heads of a layer lie."""
    out = []
    for n, w in ((queries, width), (keys, width), (keys, vwidth)):
        shape = (2, n, 3, w) if views else (2, 3, n, w)
        out.append(torch.randn(*shape, dtype=torch.float64).to(dtype).requires_grad_())
    return out


class Attention(unittest.TestCase):
    def check(self, queries, keys, width, vwidth, dtype=torch.float64, tolerance=1e-11, views=False, causal=False, mask=None, scale=None):
        torch.manual_seed(queries * 1000 + keys)
        t = leaves(queries, keys, width, vwidth, dtype, views)
        seen = [x.transpose(1, 2) for x in t] if views else t
        fused = F.scaled_dot_product_attention(*seen, attn_mask=mask, is_causal=causal, scale=scale)
        spelled = plain(*[x.double() for x in seen], causal, mask, scale)
        weight = torch.randn(*fused.shape, dtype=torch.float64)
        got = torch.autograd.grad((fused.double() * weight).sum(), t)
        want = torch.autograd.grad((spelled * weight).sum(), t)
        for a, b in zip([fused, *got], [spelled, *want]):
            error = (a.double() - b.double()).abs().max().item()
            self.assertLess(error, tolerance * max(1, b.abs().max().item()), (queries, keys, width, vwidth, dtype, views, causal))

    def test_lengths(self):
        for queries, keys, width, vwidth in ((1, 1, 1, 1), (1, 70, 8, 8), (3, 600, 16, 5), (5, 9, 3, 40), (13, 31, 8, 8), (14, 32, 8, 8), (15, 33, 8, 8),
                                             (129, 127, 16, 16), (130, 515, 24, 33), (530, 40, 8, 8), (20, 20, 300, 4)):
            self.check(queries, keys, width, vwidth)

    def test_causal(self):
        for queries, keys in ((1, 5), (4, 4), (5, 5), (29, 29), (64, 64), (128, 128), (260, 260), (600, 600), (40, 200), (200, 40)):
            self.check(queries, keys, 8, 8, causal=True)

    def test_f32(self):
        for causal in (False, True):
            self.check(150, 150, 64, 64, torch.float32, 2e-5, causal=causal)
            self.check(530, 530, 32, 32, torch.float32, 2e-5, causal=causal)

    def test_bf16(self): # products of pairs: odd widths and lengths, views whose rows are and are not pairs
        for queries, keys, width, vwidth in ((5, 1, 1, 1), (5, 9, 3, 40), (13, 31, 8, 7), (15, 33, 64, 64), (129, 127, 16, 16), (131, 515, 24, 33), (530, 41, 80, 96)):
            for views in (False, True):
                self.check(queries, keys, width, vwidth, torch.bfloat16, 2e-2, views=views)
                self.check(queries, queries, width, vwidth, torch.bfloat16, 2e-2, views=views, causal=True)
        self.check(140, 140, 512, 512, torch.bfloat16, 2e-2, views=True)
        torch.manual_seed(2)
        keep = torch.rand(2, 1, 33, 140) < 0.7
        keep[..., 0] = True
        self.check(33, 140, 9, 8, torch.bfloat16, 2e-2, mask=keep)
        self.check(33, 140, 9, 8, torch.bfloat16, 2e-2, mask=torch.randn(33, 140).bfloat16())
        for dtype in (torch.bfloat16, torch.float16): # a column into a larger tensor: rows begin at odd elements
            q = torch.randn(3, 20, 18).to(dtype)[..., 1:17]
            self.assertLess((F.scaled_dot_product_attention(q, q, q).double() - plain(*[q.double()] * 3, False, None, None)).abs().max().item(), 2e-2)

    def test_scale(self):
        keep = torch.ones(29, 40, dtype=torch.bool).tril()
        for scale in (0.3, 1.0, 0.0, -0.7):
            for mask in (None, keep, torch.randn(29, 40, dtype=torch.float64)):
                self.check(29, 40, 8, 8, mask=mask, scale=scale)
            causal = scale > 0 # PyTorch's kernel scales what causality made -inf
            self.check(29, 29, 8, 8, torch.float32, 2e-5, causal=causal, scale=scale)
            self.check(29, 29, 8, 8, torch.bfloat16, 2e-2, causal=causal, scale=scale)
            self.check(3, 29, 8, 8, torch.float32, 2e-5, causal=causal, scale=scale)

    def test_views(self):
        for width in (8, 64, 128): # rows of all heads a power of two of bytes apart
            self.check(140, 140, width, width, torch.float32, 2e-5, views=True)
            self.check(140, 140, width, width, views=True, causal=True)

    def test_masks(self):
        torch.manual_seed(1)
        for queries, keys in ((3, 40), (33, 40), (140, 530)):
            keep = torch.rand(2, 1, queries, keys) < 0.7
            keep[..., 0] = True
            self.check(queries, keys, 8, 8, mask=keep)
            self.check(queries, keys, 8, 8, mask=torch.randn(queries, keys, dtype=torch.float64))
        late = torch.ones(20, 600, dtype=torch.bool) # whole blocks of keys that do not count
        late[:, :590] = False
        self.check(20, 600, 8, 8, mask=late)

    def test_extremes(self):
        q = torch.tensor([[[1.0], [100.0], [-100.0]] * 5])
        k, v = torch.tensor([[[1.0], [-1.0], [0.0]]]), torch.tensor([[[1.0], [2.0], [4.0]]])
        y = F.scaled_dot_product_attention(q, k, v)
        self.assertEqual(y[0, 1:3].flatten().tolist(), [1.0, 2.0])
        k = torch.tensor([[[1.0], [math.nan], [0.0]]])
        self.assertTrue(F.scaled_dot_product_attention(q, k, v).isnan().all())


if __name__ == "__main__":
    unittest.main()
