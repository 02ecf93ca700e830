"""Making tensors: torch.tensor of everything, the size arguments of zeros and its kin, the new_ methods, the _like
functions, the old constructors. SPDX-License-Identifier: Apache-2.0"""
import math
import unittest

import torch

from helper import Case, needs_numpy, numpy


class FromData(Case):
    def test_inferred_dtype(self):
        for data, dtype in [(1, torch.int64), (1.0, torch.float32), (True, torch.bool), ([1, 2], torch.int64),
                            ([1, 2.0], torch.float32), ([True, 1], torch.int64), ([True, 1.5], torch.float32),
                            ([], torch.float32), ([[], []], torch.float32), (range(3), torch.int64),
                            ((1, 2), torch.int64)]:
            with self.subTest(data=data):
                x = torch.tensor(data)
                self.assertIs(x.dtype, dtype)
                self.assertEqual(x.tolist(), list(data) if isinstance(data, (range, tuple)) else data)

    def test_given_dtype(self):
        self.values(torch.tensor([1.7, -1.7], dtype=torch.int64), [1, -1], torch.int64)
        self.values(torch.tensor([0, 2, 0.5], dtype=torch.bool), [False, True, True], torch.bool)
        self.values(torch.tensor([1, 2], dtype=torch.bfloat16), [1.0, 2.0], torch.bfloat16)
        for python, dtype in [(float, torch.float64), (int, torch.int64), (bool, torch.bool)]:
            self.assertIs(torch.tensor([1], dtype=python).dtype, dtype)

    def test_shapes(self):
        self.assertEqual(torch.tensor([[[1], [2]]]).shape, (1, 2, 1))
        self.assertEqual(torch.tensor([[], []]).shape, (2, 0))
        self.assertEqual(torch.tensor(()).shape, (0,))
        self.assertEqual(torch.tensor(5).shape, ())

    def test_of_tensors(self):
        x = torch.ones(2)
        y = torch.tensor([torch.tensor(1.5), 2])
        self.values(y, [1.5, 2.0])
        with self.assertWarns(UserWarning):
            copy = torch.tensor(x)
        copy.zero_()
        self.values(x, [1.0, 1.0])
        self.assertIs(torch.as_tensor(x), x)
        self.assertIs(torch.asarray(x), x)
        self.assertIs(torch.as_tensor(x, dtype=torch.float64).dtype, torch.float64)

    def test_copies_lists(self):
        data = [1, 2]
        x = torch.as_tensor(data)
        data[0] = 9
        self.values(x, [1, 2])

    def test_requires_grad(self):
        x = torch.tensor([1.0], requires_grad=True)
        self.assertTrue(x.requires_grad and x.is_leaf)
        with self.raises(RuntimeError, "floating point"):
            torch.tensor([1], requires_grad=True)

    def test_limits(self):
        self.values(torch.tensor([2**63 - 1, -(2**63)]), [2**63 - 1, -(2**63)])
        self.assertEqual(torch.tensor(1e400).item(), math.inf)
        self.assertEqual(torch.tensor(1e39).item(), math.inf)
        for big in (1 << 63, 1 << 70, -(1 << 70)):
            with self.raises(ValueError, "overflow"):
                torch.tensor(big)
        for dtype, value in ((torch.uint8, 256), (torch.int8, 300)):
            with self.raises(RuntimeError, "overflow"):
                torch.tensor([value], dtype=dtype)
        self.values(torch.tensor([-1], dtype=torch.uint8), [255])

    def test_wrong(self):
        with self.raises(ValueError, "expected sequence of length 2 at dim 1 (got 1)"):
            torch.tensor([[1, 2], [3]])
        with self.raises(TypeError, "str"):
            torch.tensor("a")
        with self.raises(ValueError, "str"):
            torch.tensor(["a"])
        with self.assertRaises((TypeError, ValueError)):
            torch.tensor([[1], 2])
        for nothing in (None, [None], {1}, object()):
            with self.raises(RuntimeError, "could not infer dtype of"):
                torch.tensor(nothing)
        with self.raises(ValueError, "only one element tensors"):
            torch.tensor([torch.ones(2), torch.ones(2)])
        for call in (lambda: torch.tensor(), lambda: torch.tensor([1], [2]), lambda: torch.tensor([1], dtype="float32"),
                     lambda: torch.tensor([1], color=1)):
            with self.assertRaises(TypeError):
                call()

    @needs_numpy
    def test_of_numpy(self):
        self.assertIs(torch.tensor(numpy.float32(1.5)).dtype, torch.float32)
        self.assertIs(torch.tensor([numpy.float64(1.5)]).dtype, torch.float64)
        self.assertIs(torch.tensor(numpy.int32(4)).dtype, torch.int32)
        source = numpy.array([[1, 2], [3, 4]], dtype=numpy.int16)
        x = torch.tensor(source)
        source[0, 0] = 9
        self.values(x, [[1, 2], [3, 4]], torch.int16)
        self.values(torch.tensor(source.T), [[9, 3], [2, 4]])


class Sizes(Case):
    def test_every_way_to_say_it(self):
        for make in (torch.zeros, torch.ones, torch.empty, torch.rand, torch.randn):
            for x in (make(2, 3), make((2, 3)), make([2, 3]), make(size=(2, 3)), make(torch.Size([2, 3])),
                      make(torch.tensor(2), 3)):
                self.assertEqual(x.shape, (2, 3))
                self.assertTrue(x.is_contiguous())
            self.assertEqual(make(()).shape, ())
            self.assertEqual(make(0, 4).shape, (0, 4))
            self.assertEqual(make(5).shape, (5,))

    def test_options(self):
        x = torch.zeros(2, dtype=torch.float64, layout=torch.strided, device="cpu", requires_grad=True)
        self.assertTrue(x.dtype is torch.float64 and x.requires_grad and x.is_leaf)
        self.assertIs(torch.ones(2, dtype=None).dtype, torch.float32)
        self.values(torch.ones(2, pin_memory=False), [1.0, 1.0])

    def test_wrong(self):
        for size in (2.5, "a", [2, "a"], None, True):
            with self.subTest(size=size), self.assertRaises(TypeError):
                torch.zeros(size)
        with self.raises(RuntimeError, "negative"):
            torch.zeros(-1)
        with self.raises(RuntimeError, "floating point"):
            torch.zeros(2, dtype=torch.int64, requires_grad=True)
        with self.assertRaises(RuntimeError):
            torch.zeros(1 << 40, 1 << 40)


class Ranges(Case):
    def test_arange(self):
        self.values(torch.arange(4), [0, 1, 2, 3], torch.int64)
        self.values(torch.arange(2, 5), [2, 3, 4], torch.int64)
        self.values(torch.arange(5, 0, -2), [5, 3, 1], torch.int64)
        self.values(torch.arange(1, 2.5, 0.5), [1.0, 1.5, 2.0], torch.float32)
        self.values(torch.arange(3.0), [0.0, 1.0, 2.0], torch.float32)
        self.values(torch.arange(3, dtype=torch.float64), [0.0, 1.0, 2.0], torch.float64)
        self.values(torch.arange(start=1, end=3), [1, 2], torch.int64)
        self.assertEqual(torch.arange(0).shape, (0,))
        self.assertTrue(torch.arange(3.0, requires_grad=True).requires_grad)
        for wrong in ((0, 5, 0), (0, 5, -1)):
            with self.assertRaises(RuntimeError):
                torch.arange(*wrong)

    def test_linspace_eye_full(self):
        self.values(torch.linspace(0, 1, 5), [0.0, 0.25, 0.5, 0.75, 1.0])
        self.values(torch.linspace(3, 3, steps=1), [3.0])
        self.values(torch.eye(2, 3), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
        self.values(torch.full((2,), 1), [1, 1], torch.int64)
        self.values(torch.full([2], 1.0), [1.0, 1.0], torch.float32)
        self.values(torch.full((2,), True), [True, True], torch.bool)
        self.values(torch.full((), 1.5), 1.5)
        self.values(torch.full((1,), fill_value=2, dtype=torch.int8), [2], torch.int8)


class Like(Case):
    def test_functions(self):
        x = torch.ones(3, 2, dtype=torch.float64).t()
        for make, value in ((torch.zeros_like, 0), (torch.ones_like, 1)):
            y = make(x)
            self.assertEqual((y.shape, y.stride(), y.dtype), (x.shape, x.stride(), x.dtype))
            self.assertEqual(y.sum().item(), value * 6)
            self.assertIs(make(x, dtype=torch.int32).dtype, torch.int32)
            self.assertTrue(make(x, requires_grad=True).requires_grad)
        self.assertFalse(torch.zeros_like(torch.ones(1, requires_grad=True)).requires_grad)
        self.values(torch.full_like(torch.tensor([1, 2]), 2.5), [2, 2], torch.int64)
        self.assertEqual(torch.empty_like(x).stride(), x.stride())
        self.assertEqual(torch.rand_like(x).dtype, torch.float64)

    def test_methods(self):
        d, i = torch.ones(2, dtype=torch.float64), torch.tensor([1, 2])
        self.values(d.new_zeros(2, 1), [[0.0], [0.0]], torch.float64)
        self.values(i.new_ones([2]), [1, 1], torch.int64)
        self.values(i.new_full((2,), 3.7), [3, 3], torch.int64)
        self.values(d.new_full((1,), 3.5), [3.5], torch.float64)
        self.values(d.new_tensor([1, 2]), [1.0, 2.0], torch.float64)
        self.values(i.new_tensor([1.5]), [1], torch.int64)
        self.assertEqual(d.new_empty(torch.Size([2, 0])).shape, (2, 0))
        self.assertIs(d.new_zeros(2, dtype=torch.int8).dtype, torch.int8)
        self.assertTrue(d.new_zeros(2, requires_grad=True).requires_grad)
        self.assertEqual(d.new_empty_strided((2, 3), (1, 2)).stride(), (1, 2))
        with self.assertRaises(TypeError):
            d.new_zeros()


class OldConstructors(Case):
    def test_tensor_class(self):
        self.values(torch.Tensor([1, 2]), [1.0, 2.0], torch.float32)
        self.assertEqual(torch.Tensor(2, 3).shape, (2, 3))
        self.assertEqual(torch.Tensor(3).shape, (3,))
        self.assertEqual(torch.Tensor().shape, (0,))
        x = torch.ones(2)
        self.assertEqual(torch.Tensor(x).data_ptr(), x.data_ptr())

    def test_typed(self):
        self.values(torch.LongTensor([1, 2]), [1, 2], torch.int64)
        self.values(torch.BoolTensor([1, 0]), [True, False], torch.bool)
        self.assertEqual(torch.FloatTensor(2).shape, (2,))
        self.assertIs(torch.DoubleTensor([1]).dtype, torch.float64)
        self.assertIsInstance(torch.ones(1), torch.FloatTensor)
        self.assertNotIsInstance(torch.ones(1), torch.LongTensor)


if __name__ == "__main__":
    unittest.main()
