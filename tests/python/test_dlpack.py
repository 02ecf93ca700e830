"""DLPack in both directions, and Python's buffer protocol where it is offered. SPDX-License-Identifier: Apache-2.0"""
import gc
import unittest

import torch

from helper import Case, needs_numpy, numpy as np, resident_bytes, winnow_only

MANY = 20_480


class Capsules(Case):
    def test_device(self):
        self.assertEqual(tuple(torch.ones(2).__dlpack_device__()), (1, 0))

    def test_from_a_tensor(self):
        x = torch.arange(6.0).reshape(2, 3)
        for y in (torch.from_dlpack(x), torch.from_dlpack(x.__dlpack__()),
                  torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(x))):
            self.same(y, x)
            self.assertEqual(y.data_ptr(), x.data_ptr())
            y.add_(1)
        self.assertEqual(x[0, 0].item(), 3.0)

    def test_every_dtype(self):
        for dtype in (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16,
                      torch.bfloat16, torch.float32, torch.float64):
            x = torch.tensor([1, 0], dtype=dtype)
            self.same(torch.from_dlpack(x.__dlpack__()), x)

    def test_layouts(self):
        x = torch.arange(24).reshape(2, 3, 4)
        for y in (x.permute(2, 0, 1), x[1, ::2], torch.tensor(5), torch.zeros(0, 3), x.expand(2, 2, 3, 4)):
            z = torch.from_dlpack(y.__dlpack__())
            self.same(z, y)
            if y.numel():
                self.assertEqual(z.stride(), y.stride())

    def test_once_only(self):
        capsule = torch.ones(2).__dlpack__()
        torch.from_dlpack(capsule)
        with self.raises(RuntimeError, "capsule"):
            torch.from_dlpack(capsule)

    def test_unused_capsules_are_freed(self):
        torch.ones(100_000).__dlpack__()
        before = resident_bytes()
        for _ in range(1000):
            torch.ones(100_000).__dlpack__()  # 400 MB if they were not
        self.assertLess(resident_bytes() - before, 40 << 20)

    def test_capsule_outlives_the_tensor(self):
        capsule = (torch.arange(float(MANY)) + 1).__dlpack__()
        gc.collect()
        self.assertEqual(torch.from_dlpack(capsule)[-1].item(), MANY)

    def test_wrong(self):
        with self.raises(BufferError, "gradient"):
            torch.ones(2, requires_grad=True).__dlpack__()
        with self.assertRaises((RuntimeError, AttributeError, TypeError)):
            torch.from_dlpack(5)


@needs_numpy
class WithNumpy(Case):
    def test_from_numpy(self):
        for name in ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"):
            a = np.array([[1, 0], [0, 1]], dtype=name)
            x = torch.from_dlpack(a)
            self.values(x, [[1, 0], [0, 1]], getattr(torch, name))
            self.assertEqual(x.data_ptr(), a.ctypes.data)

    def test_to_numpy(self):
        x = torch.arange(6.0).reshape(2, 3)
        a = np.from_dlpack(x)
        self.assertEqual((a.tolist(), a.ctypes.data), (x.tolist(), x.data_ptr()))
        x.add_(1)
        self.assertEqual(a[0, 0], 1.0)
        self.assertEqual(np.from_dlpack(x.t()).strides, (4, 12))
        self.assertEqual(np.from_dlpack(torch.tensor([True])).tolist(), [True])
        self.assertEqual(np.from_dlpack(torch.zeros(2, 0)).shape, (2, 0))

    def test_of_what_waits(self):
        x = torch.arange(float(MANY)) * 2
        a = np.from_dlpack(x)
        self.assertEqual(a[-1], 2.0 * (MANY - 1))
        before = x + 1
        x.zero_()
        self.assertEqual(a.sum(), 0.0)
        self.assertEqual(before[1].item(), 3.0)

    def test_lifetimes(self):
        a = np.from_dlpack(torch.arange(float(MANY)) + 1)
        x = torch.from_dlpack(np.arange(float(MANY)) + 1)
        gc.collect()
        torch.zeros(MANY).add_(3)
        np.zeros(MANY)
        self.assertEqual((a[-1], x[-1].item()), (MANY, MANY))

    @winnow_only
    def test_negative_strides(self):
        with self.assertRaises((ValueError, BufferError, RuntimeError)):  # PyTorch aborts the process here
            torch.from_dlpack(np.arange(6.0)[::-1])


@winnow_only
class Buffer(Case):
    """PyTorch's tensors offer no buffer; where winnow's do, it must be right."""

    def view(self, x):
        try:
            return memoryview(x)
        except TypeError:
            return self.skipTest("no buffer protocol, as in PyTorch")

    def test_contents(self):
        view = self.view(torch.arange(6.0).reshape(2, 3))
        self.assertEqual((view.format, view.shape, view.strides, view.itemsize), ("f", (2, 3), (12, 4), 4))
        self.assertEqual(view.tolist(), [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])

    def test_shares(self):
        x = torch.zeros(4, dtype=torch.int64)
        view = self.view(x)
        view[1] = 5
        x.add_(1)
        self.assertEqual(view.tolist(), [1, 6, 1, 1])
        self.values(x, [1, 6, 1, 1])

    def test_gradient(self):
        self.view(torch.zeros(1))
        with self.assertRaises((BufferError, RuntimeError, TypeError)):
            memoryview(torch.ones(2, requires_grad=True))


if __name__ == "__main__":
    unittest.main()
