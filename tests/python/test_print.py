"""repr, str and format: the literal texts of PyTorch 2.13, print options, long tensors, subclasses.
SPDX-License-Identifier: Apache-2.0"""
import unittest

import torch
import torch.nn.functional as F

from helper import Case

inf, nan = float("inf"), float("nan")


class Named(torch.Tensor):
    pass


# Each line: an expression and the repr that PyTorch gives for it, line breaks as written.
VALUES = [
    (lambda: torch.tensor(3), "tensor(3)"),
    (lambda: torch.tensor(3.0), "tensor(3.)"),
    (lambda: torch.tensor(-0.0), "tensor(-0.)"),
    (lambda: torch.tensor(True), "tensor(True)"),
    (lambda: torch.tensor(1e-10), "tensor(1.0000e-10)"),
    (lambda: torch.tensor([1, 2, 3]), "tensor([1, 2, 3])"),
    (lambda: torch.tensor([1.0, 2.5, -3.25]), "tensor([ 1.0000,  2.5000, -3.2500])"),
    (lambda: torch.tensor([1.0, 2.0, 3.0]), "tensor([1., 2., 3.])"),
    (lambda: torch.tensor([0.1, 1000.0, 12345.678]), "tensor([1.0000e-01, 1.0000e+03, 1.2346e+04])"),
    (lambda: torch.tensor([1e-5, 1.0]), "tensor([1.0000e-05, 1.0000e+00])"),
    (lambda: torch.tensor([1e10, 1.0]), "tensor([1.0000e+10, 1.0000e+00])"),
    (lambda: torch.tensor([100000.5]), "tensor([100000.5000])"),
    (lambda: torch.tensor([123456789.0]), "tensor([1.2346e+08])"),
    (lambda: torch.tensor([inf, -inf, nan, 1.5]), "tensor([   inf,   -inf,    nan, 1.5000])"),
    (lambda: torch.tensor([nan, nan]), "tensor([nan, nan])"),
    (lambda: torch.tensor([inf, 2.0]), "tensor([inf, 2.])"),
    (lambda: torch.tensor([[1, -2], [30, 4]]), "tensor([[ 1, -2],\n        [30,  4]])"),
    (lambda: torch.tensor([[1.5, -2.0], [30.25, 4.0]]), "tensor([[ 1.5000, -2.0000],\n        [30.2500,  4.0000]])"),
    (lambda: torch.tensor([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]),
     "tensor([[[1., 2.],\n         [3., 4.]],\n\n        [[5., 6.],\n         [7., 8.]]])"),
    (lambda: torch.tensor([True, False]), "tensor([ True, False])"),
    (lambda: torch.full((3,), 7), "tensor([7, 7, 7])"),
]
DTYPES = [
    (lambda: torch.tensor([1, 2], dtype=torch.int32), "tensor([1, 2], dtype=torch.int32)"),
    (lambda: torch.tensor([1, 2], dtype=torch.uint8), "tensor([1, 2], dtype=torch.uint8)"),
    (lambda: torch.tensor([1.0, 2.0], dtype=torch.float64), "tensor([1., 2.], dtype=torch.float64)"),
    (lambda: torch.tensor([1.0, 2.0], dtype=torch.float16), "tensor([1., 2.], dtype=torch.float16)"),
    (lambda: torch.tensor([0.1, 0.2], dtype=torch.bfloat16), "tensor([0.1001, 0.2002], dtype=torch.bfloat16)"),
    (lambda: torch.tensor(2.5, dtype=torch.float64), "tensor(2.5000, dtype=torch.float64)"),
    (lambda: torch.tensor([]), "tensor([])"),
    (lambda: torch.empty(0, 3), "tensor([], size=(0, 3))"),
    (lambda: torch.empty(0, 3, dtype=torch.int64), "tensor([], size=(0, 3), dtype=torch.int64)"),
    (lambda: torch.tensor([], dtype=torch.bool), "tensor([], dtype=torch.bool)"),
    (lambda: torch.zeros(2, 0), "tensor([], size=(2, 0))"),
]
LONG = [
    (lambda: torch.arange(30), "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,\n"
                               "        18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29])"),
    (lambda: torch.arange(1001), "tensor([   0,    1,    2,  ...,  998,  999, 1000])"),
    (lambda: torch.arange(1001.0), "tensor([   0.,    1.,    2.,  ...,  998.,  999., 1000.])"),
    (lambda: torch.arange(10000).reshape(100, 100),
     "tensor([[   0,    1,    2,  ...,   97,   98,   99],\n        [ 100,  101,  102,  ...,  197,  198,  199],\n"
     "        [ 200,  201,  202,  ...,  297,  298,  299],\n        ...,\n"
     "        [9700, 9701, 9702,  ..., 9797, 9798, 9799],\n"
     "        [9800, 9801, 9802,  ..., 9897, 9898, 9899],\n        [9900, 9901, 9902,  ..., 9997, 9998, 9999]])"),
    (lambda: torch.arange(1200).reshape(2, 3, 200),
     "tensor([[[   0,    1,    2,  ...,  197,  198,  199],\n         [ 200,  201,  202,  ...,  397,  398,  399],\n"
     "         [ 400,  401,  402,  ...,  597,  598,  599]],\n\n        [[ 600,  601,  602,  ...,  797,  798,  799],\n"
     "         [ 800,  801,  802,  ...,  997,  998,  999],\n         [1000, 1001, 1002,  ..., 1197, 1198, 1199]]])"),
    (lambda: torch.arange(12.0).reshape(2, 3, 2).permute(2, 0, 1),
     "tensor([[[ 0.,  2.,  4.],\n         [ 6.,  8., 10.]],\n\n        [[ 1.,  3.,  5.],\n         [ 7.,  9., 11.]]])"),
]


def ones(*size):
    return torch.ones(*size, requires_grad=True)


GRAPH = [
    (lambda: ones(2), "tensor([1., 1.], requires_grad=True)"),
    (lambda: ones(2).double(), "tensor([1., 1.], dtype=torch.float64, grad_fn=<ToCopyBackward0>)"),
    (lambda: torch.ones(2, dtype=torch.float64, requires_grad=True),
     "tensor([1., 1.], dtype=torch.float64, requires_grad=True)"),
    (lambda: ones(2) * 2, "tensor([2., 2.], grad_fn=<MulBackward0>)"),
    (lambda: ones(2) + 1, "tensor([2., 2.], grad_fn=<AddBackward0>)"),
    (lambda: ones(2)[0], "tensor(1., grad_fn=<SelectBackward0>)"),
    (lambda: ones(2)[:1], "tensor([1.], grad_fn=<SliceBackward0>)"),
    (lambda: ones(2).sum(), "tensor(2., grad_fn=<SumBackward0>)"),
    (lambda: ones(2).exp(), "tensor([2.7183, 2.7183], grad_fn=<ExpBackward0>)"),
    (lambda: ones(2).relu(), "tensor([1., 1.], grad_fn=<ReluBackward0>)"),
    (lambda: ones(2).clone(), "tensor([1., 1.], grad_fn=<CloneBackward0>)"),
    (lambda: ones(2, 2) @ torch.ones(2, 2), "tensor([[2., 2.],\n        [2., 2.]], grad_fn=<MmBackward0>)"),
    (lambda: ones(2, 2).view(4), "tensor([1., 1., 1., 1.], grad_fn=<ViewBackward0>)"),
    (lambda: ones(2, 2).t(), "tensor([[1., 1.],\n        [1., 1.]], grad_fn=<TBackward0>)"),
    (lambda: torch.where(torch.tensor([True, False]), ones(2), 0.0), "tensor([1., 0.], grad_fn=<WhereBackward0>)"),
    (lambda: ones(2).detach(), "tensor([1., 1.])"),
    # one operation in torch, several here
    (lambda: F.mse_loss(ones(2), torch.zeros(2)), "tensor(1., grad_fn=<MseLossBackward0>)"),
    (lambda: F.mse_loss(ones(1), torch.zeros(1), reduction="none"), "tensor([1.], grad_fn=<MseLossBackward0>)"),
    (lambda: F.binary_cross_entropy_with_logits(ones(2) * 0, torch.ones(2)), "tensor(0.6931, grad_fn=<BinaryCrossEntropyWithLogitsBackward0>)"),
    (lambda: F.smooth_l1_loss(ones(2), torch.zeros(2)), "tensor(0.5000, grad_fn=<SmoothL1LossBackward0>)"),
    (lambda: F.huber_loss(ones(2), torch.zeros(2)), "tensor(0.5000, grad_fn=<HuberLossBackward0>)"),
    (lambda: F.l1_loss(ones(2), torch.zeros(2)), "tensor(1., grad_fn=<MeanBackward0>)"),
    (lambda: ones(2, 2).trace(), "tensor(2., grad_fn=<TraceBackward0>)"),
    (lambda: ones(2).round(decimals=1), "tensor([1., 1.], grad_fn=<RoundBackward1>)"),
    (lambda: ones(2).clamp(0, 1), "tensor([1., 1.], grad_fn=<ClampBackward1>)"),
    (lambda: F.pad(ones(1, 2), (1, 0), mode="reflect"), "tensor([[1., 1., 1.]], grad_fn=<ReflectionPad1DBackward0>)"),
    (lambda: F.pad(ones(1), (1, 0)), "tensor([0., 1.], grad_fn=<ConstantPadNdBackward0>)"),
    (lambda: F.interpolate(ones(1, 1, 1), scale_factor=2), "tensor([[[1., 1.]]], grad_fn=<UpsampleNearest1DBackward0>)"),
]
CLASSES = [
    (lambda: torch.nn.Parameter(torch.ones(2)), "Parameter containing:\ntensor([1., 1.], requires_grad=True)"),
    (lambda: torch.nn.Parameter(torch.ones(2), requires_grad=False), "Parameter containing:\ntensor([1., 1.])"),
    (lambda: torch.nn.Parameter(torch.ones(2, dtype=torch.float64)),
     "Parameter containing:\ntensor([1., 1.], dtype=torch.float64, requires_grad=True)"),
    (lambda: torch.ones(2, 2).as_subclass(Named), "Named([[1., 1.],\n       [1., 1.]])"),
    (lambda: torch.ones(2).as_subclass(Named).requires_grad_(), "Named([1., 1.], requires_grad=True)"),
    (lambda: torch.Size([2, 3]), "torch.Size([2, 3])"),
    (lambda: torch.Size([]), "torch.Size([])"),
    (lambda: torch.float32, "torch.float32"),
    (lambda: torch.bool, "torch.bool"),
    (lambda: torch.device("cpu"), "device(type='cpu')"),
    (lambda: torch.strided, "torch.strided"),
    (lambda: torch.contiguous_format, "torch.contiguous_format"),
    (lambda: torch.iinfo(torch.int8), "iinfo(min=-128, max=127, dtype=int8)"),
    (lambda: torch.ones(2, 2).max(0), "torch.return_types.max(\nvalues=tensor([1., 1.]),\nindices=tensor([0, 0]))"),
    (lambda: torch.tensor([2.0, 1.0]).sort(),
     "torch.return_types.sort(\nvalues=tensor([1., 2.]),\nindices=tensor([1, 0]))"),
    (lambda: torch.histogram(torch.ones(2), 1, range=(0, 2)), "torch.return_types.histogram(\nhist=tensor([2.]),\nbin_edges=tensor([0., 2.]))"),
    (lambda: torch.tensor([2.0, 1.0]).topk(1), "torch.return_types.topk(\nvalues=tensor([2.]),\nindices=tensor([0]))"),
]


class Repr(Case):
    def check(self, cases):
        for make, expected in cases:
            with self.subTest(expected=expected):
                self.assertEqual(repr(make()), expected)
                self.assertEqual(str(make()), "cpu" if "device" in expected else expected)

    def test_values(self):
        self.check(VALUES)

    def test_dtypes_and_empty(self):
        self.check(DTYPES)

    def test_long(self):
        self.check(LONG)

    def test_graph(self):
        self.check(GRAPH)

    def test_classes(self):
        self.check(CLASSES)

    def test_default_dtype_is_not_named(self):
        self.addCleanup(torch.set_default_dtype, torch.get_default_dtype())
        torch.set_default_dtype(torch.float64)
        self.assertEqual(repr(torch.ones(2)), "tensor([1., 1.])")
        self.assertEqual(repr(torch.ones(2, dtype=torch.float32)), "tensor([1., 1.], dtype=torch.float32)")

    def test_what_waits_is_computed(self):
        x = torch.arange(20_000.0) * 2 + 1
        self.assertEqual(repr(x), "tensor([1.0000e+00, 3.0000e+00, 5.0000e+00,  ..., 3.9995e+04, 3.9997e+04,\n"
                                  "        3.9999e+04])")

    def test_attributes_and_in_place(self):
        x = ones(2) * 2
        x.add_(1)
        self.assertEqual(repr(x), "tensor([3., 3.], grad_fn=<AddBackward0>)")
        y = torch.zeros(3)
        y[0] = ones(1)[0]
        self.assertEqual(repr(y), "tensor([1., 0., 0.], grad_fn=<CopySlices>)")


class Format(Case):
    def test_specification(self):
        self.assertEqual(format(torch.tensor(1.23456), ".3f"), "1.235")
        self.assertEqual(format(torch.tensor(3), "04d"), "0003")
        self.assertEqual(f"{ones(2)[0]:8.2f}|", "    1.00|")
        self.assertEqual("%.2f %d %s" % (torch.tensor(2.0), torch.tensor(2), torch.tensor(2)), "2.00 2 tensor(2)")
        with self.assertRaises(TypeError):
            format(torch.ones(2), ".3f")

    def test_without_specification(self):
        self.assertEqual(f"{torch.tensor(2.5)}", "2.5")  # a tensor without dimensions is written as its number
        self.assertEqual(f"{torch.tensor(True)}", "True")
        self.assertEqual(f"{torch.ones(2)}", "tensor([1., 1.])")


class Options(Case):
    def setUp(self):
        self.addCleanup(torch.set_printoptions, profile="default")

    def check(self, value, expected, **options):
        torch.set_printoptions(profile="default")
        torch.set_printoptions(**options)
        self.assertEqual(repr(value), expected)

    def test_precision(self):
        self.check(torch.tensor([1.23456789, -2.0]), "tensor([ 1.23, -2.00])", precision=2)
        self.check(torch.tensor([1.23456789, -2.0]), "tensor([ 1.234568, -2.000000])", precision=6)

    def test_threshold_and_edge_items(self):
        self.check(torch.arange(20), "tensor([ 0,  1,  2,  ..., 17, 18, 19])", threshold=10)
        self.check(torch.arange(20), "tensor([ 0,  ..., 19])", threshold=10, edgeitems=1)

    def test_line_width(self):
        self.check(torch.arange(10), "tensor([0, 1, 2, 3,\n        4, 5, 6, 7,\n        8, 9])", linewidth=20)

    def test_scientific(self):
        self.check(torch.tensor([1.5, 200.0]), "tensor([1.5000e+00, 2.0000e+02])", sci_mode=True)
        self.check(torch.tensor([1e-6, 1e6]), "tensor([      0.0000, 1000000.0000])", sci_mode=False)

    def test_profiles(self):
        self.check(torch.tensor([1.23456, 2.0]), "tensor([1.23, 2.00])", profile="short")
        self.assertNotIn("...", self.full(torch.arange(1500)))

    @staticmethod
    def full(value):
        torch.set_printoptions(profile="full")
        return repr(value)


if __name__ == "__main__":
    unittest.main()
