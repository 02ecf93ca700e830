"""Results and gradients lie in memory as PyTorch 2.13's, which wrote down its strides (oracle/layouts.py). SPDX-License-Identifier: Apache-2.0"""

import gzip
import os
import unittest

import layouts
import torch
import torch.nn.functional as F
from helper import WINNOW, Case

ONCE = True  # whether an operation waits has nothing to do with where its result lies

EXPECTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "layouts_expected.txt.gz")


with gzip.open(EXPECTED, "rt") as recorded:
    LINES = recorded.read().splitlines()


class Layouts(Case):
    def test_cat_of_nothing(self):
        image = torch.empty(3, 4, 5, 6).contiguous(memory_format=torch.channels_last)
        for _ in range(4):
            torch.cat([image, image], 1)
            self.assertEqual(torch.cat([torch.empty(0), torch.empty(0)]).stride(), (1,))

    def test_channels_last_values(self):
        """Kernels that compute plane after plane, and pad, which walks in the order of memory, give what they give row by row."""
        for shape, last in (((2, 8, 7, 9), torch.channels_last), ((2, 3, 4, 6, 5), torch.channels_last_3d), ((1, 5, 1, 3), torch.channels_last)):
            nd = len(shape) - 2
            x = torch.randn(shape, generator=torch.Generator().manual_seed(nd)).double()
            w = torch.randn(6, shape[1], *[1 if s < 3 else 3 for s in shape[2:]], generator=torch.Generator().manual_seed(3)).double()
            window = [min(2, s) for s in shape[2:]]
            conv, turned = (F.conv2d, F.conv_transpose2d) if nd == 2 else (F.conv3d, F.conv_transpose3d)
            largest, mean = (F.max_pool2d, F.avg_pool2d) if nd == 2 else (F.max_pool3d, F.avg_pool3d)
            calls = {
                "conv": lambda t: conv(t, w, padding=1),
                "conv_transpose": lambda t: turned(t, w.transpose(0, 1)[:, :2], stride=2),
                "max_pool": lambda t: largest(t, window),
                "avg_pool": lambda t: mean(t, window),
                "interpolate": lambda t: F.interpolate(t, scale_factor=2, mode="bilinear" if nd == 2 else "trilinear"),
                "pad constant": lambda t: F.pad(t, (1, 2, 0, 1, 2, 0), value=3.0),
                "pad cut": lambda t: F.pad(t, (-1, 1)),
                "pad replicate": lambda t: F.pad(t, (1, 2) * nd, mode="replicate"),
            }
            for name, f in calls.items():
                with self.subTest(name=name, shape=shape):
                    plain, other = x.clone().requires_grad_(), x.contiguous(memory_format=last).requires_grad_()
                    y, z = f(plain), f(other)
                    torch.testing.assert_close(z, y, rtol=1e-12, atol=1e-12)
                    weights = torch.arange(y.numel(), dtype=torch.float64).reshape(y.shape).sin()
                    (y * weights).sum().backward()
                    (z * weights.contiguous(memory_format=last)).sum().backward()
                    torch.testing.assert_close(other.grad, plain.grad, rtol=1e-12, atol=1e-12)

    def test_channels_last_convolutions(self):
        """1x1 kernels and depthwise ones have ways of their own where channels come last: result and all gradients, of whole channels and of some."""
        depthwise = {"groups": 35}
        for kernel, options in (
            ((6, 35, 1, 1), {}),
            ((6, 35, 1, 1), {"stride": (2, 3)}),
            ((35, 1, 3, 3), {"padding": 1, **depthwise}),
            ((35, 1, 3, 2), {"padding": (2, 1), "stride": (2, 1), **depthwise}),
            ((35, 1, 2, 3), {"padding": 2, "dilation": 2, "stride": 2, **depthwise}),
            ((35, 1, 1, 1), depthwise),
        ):
            for dtype in (torch.float64, torch.float32):
                generator = torch.Generator().manual_seed(len(options))
                x, w, b = (torch.randn(shape, generator=generator).to(dtype) for shape in ((2, 35, 9, 10), kernel, kernel[:1]))
                whole = torch.zeros(2, 40, 9, 12, dtype=dtype).contiguous(memory_format=torch.channels_last)
                whole[:, 2:37, :, 1:11] = x
                last = x.contiguous(memory_format=torch.channels_last)
                expected = self.convolved(x, w, b, options, torch.contiguous_format)
                for image, weight in ((last, w), (whole[:, 2:37, :, 1:11], w), (last, w.contiguous(memory_format=torch.channels_last))):
                    with self.subTest(kernel=kernel, options=options, dtype=dtype, strides=image.stride()):
                        for a, e in zip(self.convolved(image, weight, b, options, torch.channels_last), expected, strict=True):
                            torch.testing.assert_close(a, e, rtol=0, atol=1e-11 if dtype == torch.float64 else 2e-4)

    def convolved(self, *operands):
        x, w, b, options, form = operands
        leaves = [t.detach().requires_grad_() for t in (x, w, b)]
        y = F.conv2d(*leaves, **options)
        self.assertTrue(y.is_contiguous(memory_format=form))
        weights = torch.arange(y.numel(), dtype=torch.float64).reshape(y.shape).cos().to(y.dtype).contiguous(memory_format=form)
        return [y, *torch.autograd.grad(y, leaves, weights)]

    def test_channels_last_bits(self):
        """Pools and interpolations add up in the same order however their input lies: the same bits, the signs of zeros among them."""
        calls = {
            "nearest": lambda t: F.interpolate(t, scale_factor=1.7),
            "bilinear": lambda t: F.interpolate(t, scale_factor=2, mode="bilinear"),
            "bilinear less": lambda t: F.interpolate(t, size=(3, 5), mode="bilinear", align_corners=True),
            "antialias": lambda t: F.interpolate(t, size=(3, 2), mode="bilinear", antialias=True),
            "bicubic": lambda t: F.interpolate(t, scale_factor=1.5, mode="bicubic"),
            "area": lambda t: F.interpolate(t, size=(3, 4), mode="area"),
            "avg_pool": lambda t: F.avg_pool2d(t, 3, 2, 1, ceil_mode=True, count_include_pad=False),
            "avg_pool divisor": lambda t: F.avg_pool2d(t, (2, 3), 1, divisor_override=7),
            "adaptive_avg_pool": lambda t: F.adaptive_avg_pool2d(t, (3, 4)),
            "adaptive_max_pool": lambda t: F.adaptive_max_pool2d(t, (3, 4), return_indices=True),
            "max_pool": lambda t: F.max_pool2d(t, 2),
            "max_pool dilated": lambda t: F.max_pool2d(t, 3, 1, 1, 2),
            "max_pool wide": lambda t: F.max_pool2d(t, (17, 16), 1, 8),
            "max_pool indices": lambda t: F.max_pool2d(t, 3, 2, 1, ceil_mode=True, return_indices=True),
        }
        for channels in (3, 33, 68):
            whole = torch.randn(2, channels, 7, 9, generator=torch.Generator().manual_seed(channels)).mul(4)
            whole[whole.abs() < 0.5] = -0.0
            whole[0, 1, 2, 3], whole[1, 0, 1, 1] = float("nan"), float("inf")
            for dtype in (torch.float32, torch.float64) + ((torch.float16, torch.bfloat16) if WINNOW else ()):
                plain = whole.to(dtype)
                gaps = torch.zeros(2, channels + 3, 7, 11, dtype=dtype).contiguous(memory_format=torch.channels_last)[:, 1:-2, :, 1:-1]
                gaps.copy_(plain)
                for name, f in calls.items():
                    for other in (plain.contiguous(memory_format=torch.channels_last), gaps):
                        with self.subTest(name=name, dtype=dtype, channels=channels):
                            self.compare_bits(f, plain, other)

    def test_channels_last_bytes(self):
        """Pictures: the last pixel of a row has a way of its own, and so have three channels and four."""
        for shape in ((2, 3, 37, 53), (1, 4, 20, 40), (1, 5, 9, 31), (2, 3, 8, 1)):
            x = torch.arange(shape[0] * shape[1] * shape[2] * shape[3]).mul(7919).remainder(256).reshape(shape).to(torch.uint8)
            gaps = torch.zeros(shape[0], shape[1] + 2, shape[2], shape[3] + 1, dtype=torch.uint8).contiguous(memory_format=torch.channels_last)[:, 1:-1, :, 1:]
            gaps.copy_(x)
            for size in ((20, 90), (74, 20), (37, 60), (50, 53), (3, 2)):
                for options in ({"mode": "bilinear"}, {"mode": "bicubic"}, {"mode": "bicubic", "antialias": True}, {"mode": "nearest"}):
                    expected = F.interpolate(x, size=size, **options)
                    for other in (x.contiguous(memory_format=torch.channels_last), gaps):
                        with self.subTest(shape=shape, size=size, options=options):
                            y = F.interpolate(other, size=size, **options)
                            self.assertTrue(y.is_contiguous(memory_format=torch.channels_last) and torch.equal(y, expected))

    def compare_bits(self, f, plain, other):
        """f of the same numbers in two layouts, and its gradient."""
        x, y = plain.clone().requires_grad_(), other.detach().requires_grad_()
        results = list(zip(layouts.tensors(f(x)), layouts.tensors(f(y)), strict=True))
        weights = torch.arange(results[0][0].numel(), dtype=torch.float64).reshape(results[0][0].shape).sin().to(plain.dtype)
        for cotangent in (weights, weights.contiguous(memory_format=torch.channels_last)):
            results.append((torch.autograd.grad(results[0][0], x, cotangent, retain_graph=True)[0], torch.autograd.grad(results[0][1], y, cotangent, retain_graph=True)[0]))
        for a, b in results:
            if WINNOW:
                self.assertTrue(torch.equal(a.isnan(), b.isnan()) and torch.equal(a.nan_to_num(), b.nan_to_num()) and torch.equal(a.signbit(), b.signbit()))
            else:  # PyTorch adds up in another order there
                torch.testing.assert_close(b, a, equal_nan=True, rtol=0.05, atol=0.05)

    def test_einsum(self):
        for equation, strides in zip(layouts.EQUATIONS, LINES[-len(layouts.EQUATIONS) :], strict=True):
            self.assertEqual(layouts.einsum_strides(equation), strides, equation)

    def test_as_recorded(self):
        cases = list(layouts.cases())
        self.assertEqual(len(LINES), len(cases) + len(layouts.EQUATIONS), "run oracle/layouts.py")
        expected = [line.split("\t") for line in LINES[: len(cases)]]
        wrong = {}
        for (shape, form, expression), (result, gradient) in zip(cases, expected, strict=True):
            got = layouts.outcome(shape, form, expression)
            if got[0] != result and not open_result(shape, form, expression):
                wrong.setdefault(expression, f"{shape} {form}: {got[0]} instead of {result}")
            elif got[1] != gradient and expression not in OPEN_GRADIENTS and not open_result(shape, form, expression):
                wrong.setdefault(expression, f"{shape} {form}: gradient {got[1]} instead of {gradient}")
        self.assertFalse(wrong, "\n" + "\n".join(f"{e}: {w}" for e, w in wrong.items()))


def open_result(shape, form, expression):
    """What does not yet lie as PyTorch's."""
    return (shape in ((1, 6), (6, 1)) and form == "order10" and expression in OPEN_LINES) or expression in OPEN_RESULTS


# The stride of a dimension of size 1.
OPEN_RESULTS = ("torch.stack([x,x],0)",)
# The same of a row or column whose strides are (1, 1): beside numbers PyTorch orders dimensions of size 1 by them.
OPEN_LINES = set(
    """
x+1
x>0
torch.where(x>0,x,0)
torch.where(x>0,x,-x)
F.hardtanh(x)
x.clamp(0,1)
x.nan_to_num()
x.fmod(2)
x.index_fill(0,torch.tensor([0]),1)
x.renorm(2,0,1.0)
x.div(2,rounding_mode='floor')
torch.atleast_3d(x)
F.normalize(x,dim=0)
""".strip().split("\n")
)
# Gradients that nothing but torch.autograd.grad and hooks see so: a leaf's .grad lies as the leaf does.
OPEN_GRADIENTS = set(
    """
x.bernoulli(0.5)
F.scaled_dot_product_attention(x,x,x)
F.scaled_dot_product_attention(x,x,x,is_causal=True)
F.scaled_dot_product_attention(x,x,x,attn_mask=torch.ones(6,6,dtype=torch.bool))
torch.einsum('bhid,bhjd->bhij',x,x)
x.amax(0)
x.masked_select(x>0)
x.nansum(0)
x.copysign(x)
x.take(torch.zeros(x.shape,dtype=torch.int64).contiguous())
F.interpolate(x,scale_factor=2,mode='bicubic')
F.pixel_shuffle(x,2) if x.shape[1]==4 else x
F.pixel_unshuffle(x,2)
F.channel_shuffle(x,2) if x.shape[1]==4 else x
x.amax((1,))
F.interpolate(x,scale_factor=2)
torch.einsum('bij,bkj->bik',x,x)
torch.einsum('ij,jk->ki',x,x)
torch.linalg.qr(x)
torch.linalg.solve(x+9*torch.eye(6),x)
torch.linalg.pinv(x)
torch.linalg.matrix_exp(x)
torch.linalg.det(x)
x@x
x@x.t()
x.t()@x
torch.mm(x,x)
F.linear(x,x)
F.linear(x,x,x[0])
torch.linalg.cholesky(x@x.t()+9*torch.eye(6))
torch.cov(x)
torch.tensordot(x,x,1)
torch.nn.functional.pad(x,(1,1))
torch.nn.functional.pad(x,(1,1,1,1)) if x.dim()>1 else x
""".strip().split("\n")
)

if __name__ == "__main__":
    unittest.main()
