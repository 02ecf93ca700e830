"""Converting tensors: .to in all its overloads, .float() and its kin, .type(), rounding of values, layouts, gradients
through a conversion. SPDX-License-Identifier: Apache-2.0"""
import itertools
import math
import unittest

import torch

from helper import DTYPES, FLOATS, INTEGERS, Case

METHODS = {"float": torch.float32, "double": torch.float64, "half": torch.float16, "bfloat16": torch.bfloat16,
           "long": torch.int64, "int": torch.int32, "short": torch.int16, "char": torch.int8, "byte": torch.uint8,
           "bool": torch.bool}


class To(Case):
    def test_dtype(self):
        x = torch.ones(2, 3)
        for y in (x.to(torch.float64), x.to(dtype=torch.float64), x.to("cpu", torch.float64),
                  x.to(torch.device("cpu"), torch.float64), x.to(device="cpu", dtype=torch.float64),
                  x.to(torch.float64, non_blocking=True), x.to(torch.float64, False, True),
                  x.to("cpu", torch.float64, False, True), x.to(torch.zeros(1, dtype=torch.float64)), x.to(float)):
            self.values(y, [[1.0] * 3] * 2, torch.float64)

    def test_nothing_to_do_is_the_same_object(self):
        x = torch.ones(2, 3)
        for y in (x.to(torch.float32), x.to("cpu"), x.to(torch.device("cpu")), x.to(), x.to(None), x.to(dtype=None),
                  x.to(x), x.cpu(), x.to(memory_format=torch.contiguous_format), x.float(), x.type(torch.float32),
                  x.type_as(x)):
            self.assertIs(y, x)

    def test_copy(self):
        x = torch.ones(2)
        for y in (x.to(torch.float32, copy=True), x.to("cpu", copy=True), x.to(x, copy=True),
                  x.to(torch.float32, False, True)):
            y.zero_()
        self.values(x, [1.0, 1.0])

    def test_strides_are_kept(self):
        x = torch.arange(6.0).reshape(2, 3).t()
        self.assertEqual(x.to(torch.float64).stride(), (1, 3))
        self.assertEqual(x.to(torch.float64, memory_format=torch.contiguous_format).stride(), (2, 1))
        self.values(x.to(torch.int64), [[0, 3], [1, 4], [2, 5]])

    def test_wrong(self):
        x = torch.ones(2)
        with self.raises(RuntimeError, "device"):
            x.to("float64")
        for call in (lambda: x.to(torch.float64, "cpu"), lambda: x.to(foo=1), lambda: x.to([1]),
                     lambda: x.to(torch.float64, torch.int8)):
            with self.assertRaises(TypeError):
                call()


class Methods(Case):
    def test_names(self):
        x = torch.tensor([0.0, 1.0, 2.0])
        for name, dtype in METHODS.items():
            y = getattr(x, name)()
            self.assertIs(y.dtype, dtype)
            self.assertEqual(y.tolist(), [False, True, True] if dtype is torch.bool else [0, 1, 2])
            self.assertIs(getattr(y, name)(), y)

    def test_type(self):
        x = torch.ones(2)
        names = ["Bool", "Byte", "Char", "Short", "Int", "Long", "Half", "BFloat16", "Float", "Double"]
        for dtype, name in zip(DTYPES, names):
            self.assertEqual(x.to(dtype).type(), f"torch.{name}Tensor")
            self.assertIs(x.type(dtype).dtype, dtype)
            self.assertIs(x.type(f"torch.{name}Tensor").dtype, dtype)
            self.assertIs(x.type_as(torch.zeros(1, dtype=dtype)).dtype, dtype)
        self.assertIs(x.type(torch.LongTensor).dtype, torch.int64)
        with self.raises(ValueError, "invalid type"):
            x.type("foo")


class Values(Case):
    def test_every_pair(self):
        for a, b in itertools.product(DTYPES, DTYPES):
            y = torch.tensor([0, 1, 1, 0], dtype=a).to(b)
            self.assertIs(y.dtype, b)
            self.assertEqual(y.tolist(), [0, 1, 1, 0], (a, b))

    def test_large_enough_to_wait(self):
        for dtype in INTEGERS + FLOATS:
            x = (torch.arange(20_480) % 100).to(dtype)
            self.assertEqual(x.to(torch.float64).sum().item(), sum(i % 100 for i in range(20_480)))

    def test_truncation(self):
        x = torch.tensor([1.7, -1.7, 0.5, -0.5])
        for dtype in (torch.int8, torch.int16, torch.int32, torch.int64):
            self.values(x.to(dtype), [1, -1, 0, 0])
        self.values(x.bool(), [True] * 4)
        self.values(torch.tensor([math.nan, 0.0, -0.0]).bool(), [True, False, False])

    def test_integers_wrap(self):
        x = torch.tensor([300, -1, 65536 + 7])
        self.values(x.to(torch.uint8), [44, 255, 7])
        self.values(x.to(torch.int8), [44, -1, 7])
        self.values(x.to(torch.int16), [300, -1, 7])
        self.values(torch.tensor([2**40 + 5]).to(torch.int32), [5])

    def test_rounding_to_half(self):
        x = torch.tensor([2049.0, 2051.0, 65519.0, 65520.0, 1e-8, math.nan])
        self.values(x.half(), [2048.0, 2052.0, 65504.0, math.inf, 0.0, math.nan])
        self.values(torch.tensor([257.0, 259.0, 1.0 / 3]).bfloat16(), [256.0, 260.0, 0.333984375])
        self.values(torch.tensor([0.1], dtype=torch.float64).float(), [0.10000000149011612])
        self.values(torch.tensor([1e39], dtype=torch.float64).float(), [math.inf])

    def test_large_integers(self):
        self.values(torch.tensor([2**53 + 1]).double(), [float(2**53)])
        self.values(torch.tensor([2**24 + 1]).float(), [float(2**24)])

    def test_one_far_from_the_others(self):
        """int64 is converted in runs (AVX2), which go another way where one number is large."""
        single = {2**51 - 1: 2.0**51, -2**51 - 1: -2.0**51, 2**62 + 2**38 + 1: 2.0**62 + 2.0**39}  # rounded once
        for far in (2**51, -2**51, -2**63, *single):
            numbers = [7 * i - 300 for i in range(100)]
            numbers[40] = far
            x = torch.tensor(numbers)
            self.values(x.double(), [float(i) for i in numbers])
            self.values(x.float(), [single.get(i, float(i)) for i in numbers])
            self.assertEqual(x.double().long()[:40].tolist(), numbers[:40])
            self.assertEqual(x.double().long()[40].item(), int(float(far)))
        halves = [i + 0.75 for i in range(-50, 50)]
        for dtype in FLOATS:
            for to in (torch.int64, torch.int32, torch.int16, torch.int8):
                self.values(torch.tensor(halves).to(dtype).to(to), [int(i) for i in halves])


class Gradient(Case):
    def test_through_a_conversion(self):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x.double()
        self.assertTrue(y.requires_grad)
        (y * y).sum().backward()
        self.values(x.grad, [2.0, 4.0], torch.float32)

    def test_integers_cut_it(self):
        x = torch.ones(2, requires_grad=True)
        self.assertFalse(x.long().requires_grad)
        self.assertFalse(x.bool().requires_grad)

    def test_half_and_back(self):
        x = torch.tensor([1.0, 3.0], requires_grad=True)
        (x.half().float() * x.bfloat16().double()).sum().backward()
        self.values(x.grad, [2.0, 6.0])


if __name__ == "__main__":
    unittest.main()
