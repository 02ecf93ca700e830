"""What PyTorch's own test_reductions.py found: out= and texts of any, all, nanmean, histc and histograms, NumPy's type of int64.
SPDX-License-Identifier: Apache-2.0"""

import unittest

import torch
from helper import Case, needs_numpy, numpy


class Reductions(Case):
    def fails(self, text, f):
        with self.assertRaisesRegex(RuntimeError, text):
            f()

    def test_out_of_any_and_all(self):
        for f in (torch.any, torch.all):
            for dtype in (torch.float32, torch.int64):
                self.fails(f"{f.__name__} only supports bool tensor for result, got", lambda f=f, dtype=dtype: f(torch.ones(2, 3), 0, out=torch.empty(3, dtype=dtype)))
            for own in (torch.uint8, torch.bool, torch.float32):
                for dtype in (torch.uint8, torch.bool):
                    out = torch.empty(3, dtype=dtype)
                    self.assertIs(f(torch.tensor([[2, 0, 1]], dtype=own), 0, out=out), out)
                    self.assertEqual(out.tolist(), [1, 0, 1])
            self.assertEqual(f(torch.ones(2, dtype=torch.uint8)).dtype, torch.uint8)

    def test_means_of_integers(self):
        for dtype in (torch.int32, torch.uint8, torch.bool):
            self.fails(r"nanmean\(\): expected input to have floating point or complex dtype but got \w+", lambda dtype=dtype: torch.nanmean(torch.ones(3, dtype=dtype)))

    def test_histograms_that_are_refused(self):
        x, double = torch.ones(4), torch.ones(4, dtype=torch.float64)
        for dtype in (torch.int64, torch.float32):
            self.fails("max must be larger than min", lambda dtype=dtype: torch.histc(torch.ones(3, dtype=dtype), 4, min=5, max=1))
        self.fails("input tensor and bins tensors should have the same dtype", lambda: torch.histogram(x, double[0]))
        self.fails("bins tensor should have one dimension", lambda: torch.histogram(x, torch.ones(2, 2)))
        self.fails("bins tensor should have at least 1 element", lambda: torch.histogram(x, torch.ones(0)))
        self.fails("same shape as the input tensor excluding its innermost dimension", lambda: torch.histogram(x.view(2, 2), 1, weight=torch.ones(1)))
        self.fails(r"range \[nan, nan\] is not finite", lambda: torch.histogram(x * float("nan"), 2))

    def test_histograms_of_no_dimension(self):
        for size in ((5, 0), (2, 3, 0)):
            hist, edges = torch.histogramdd(torch.ones(size), 3)
            self.assertEqual((hist.item(), hist.shape, tuple(edges)), (0, (), ()))
        self.assertTrue(torch.histogramdd(torch.ones(5, 0), 3, density=True).hist.isnan())

    def test_shared_storages(self):
        x = torch.ones(4)
        self.assertTrue(torch._C._is_alias_of(x, x[:2]))
        self.assertFalse(torch._C._is_alias_of(x, x.clone()))
        out = torch.empty(1)
        self.assertTrue(torch._C._is_alias_of(torch.mean(x, 0, True, out=out), out))

    @needs_numpy
    def test_types_of_numpy(self):
        for name in ("int8", "int16", "int32", "int64", "uint8", "float16", "float32", "float64"):
            for t in (torch.ones(2, dtype=getattr(torch, name)), torch.ones((), dtype=getattr(torch, name))):
                self.assertIs(t.numpy().dtype.type, getattr(numpy, name))
                self.assertIs(numpy.asarray(t).dtype.type, getattr(numpy, name))
        self.assertIsInstance(torch.arange(3).numpy()[1], numpy.int64)


if __name__ == "__main__":
    unittest.main()
