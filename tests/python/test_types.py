"""Size, dtype, device, layout and memory format objects, finfo and iinfo, type promotion, the default dtype.
SPDX-License-Identifier: Apache-2.0"""
import itertools
import math
import struct
import unittest

import torch

from helper import DTYPES, FLOATS, INTEGERS, Case


class Size(Case):
    def test_is_a_tuple(self):
        s = torch.zeros(2, 3).shape
        self.assertTrue(isinstance(s, tuple) and type(s) is torch.Size)
        self.assertEqual(s, (2, 3))
        self.assertNotEqual(s, [2, 3])
        self.assertEqual(hash(s), hash((2, 3)))
        self.assertLess(s, torch.Size([2, 4]))
        self.assertEqual((s.index(3), s.count(2), len(s), s[-1], list(s)), (1, 1, 2, 3, [2, 3]))

    def test_made_of(self):
        for made in (torch.Size([2, 3]), torch.Size((2, 3)), torch.Size(n for n in (2, 3)),
                     torch.Size([torch.tensor(2), 3])):
            self.assertEqual(made, (2, 3))
        self.assertEqual(torch.Size(), ())
        for wrong in ([1.5], ["a"], 2):
            with self.assertRaises(TypeError):
                torch.Size(wrong)

    def test_numel(self):
        self.assertEqual([torch.Size(s).numel() for s in ([2, 3], [], [2, 0])], [6, 1, 0])

    def test_results_are_sizes(self):
        s = torch.Size([1, 2, 3])
        for got, expected in [(s[1:], (2, 3)), (s[::2], (1, 3)), (s + (4,), (1, 2, 3, 4)), ((4,) + s, (4, 1, 2, 3)),
                              (s * 2, (1, 2, 3, 1, 2, 3)), (s[:0], ())]:
            self.assertEqual(got, expected)
            self.assertIs(type(got), torch.Size)

    def test_as_an_argument(self):
        s = torch.Size([2, 3])
        self.assertEqual(torch.zeros(s).shape, s)
        self.assertEqual(torch.zeros(*s).shape, s)
        self.assertEqual(torch.arange(6).view(s).shape, s)
        self.assertEqual(torch.ones(3).expand(s).shape, s)


class Dtype(Case):
    def test_other_names(self):
        for a, b in [("float", "float32"), ("double", "float64"), ("half", "float16"), ("long", "int64"),
                     ("int", "int32"), ("short", "int16")]:
            self.assertIs(getattr(torch, a), getattr(torch, b))

    def test_attributes(self):
        sizes = [1, 1, 1, 2, 4, 8, 2, 2, 4, 8]
        for dtype, size in zip(DTYPES, sizes):
            self.assertIsInstance(dtype, torch.dtype)
            self.assertEqual(dtype.itemsize, size)
            self.assertEqual(torch.zeros(3, dtype=dtype).element_size(), size)
            self.assertEqual(dtype.is_floating_point, dtype in FLOATS)
            self.assertEqual(dtype.is_signed, dtype not in (torch.bool, torch.uint8))
            self.assertFalse(dtype.is_complex)
            self.assertEqual(repr(dtype), "torch." + str(dtype).split(".")[1])
            self.assertIs(getattr(torch, str(dtype)[6:]), dtype)
        self.assertIs(torch.float32.to_real(), torch.float32)

    def test_as_keys(self):
        self.assertEqual(len({d: 1 for d in DTYPES}), 10)
        self.assertEqual(torch.float, torch.float32)
        self.assertNotEqual(torch.float, torch.double)

    def test_no_new_ones(self):
        with self.assertRaises(TypeError):
            torch.dtype()


class Device(Case):
    def test_cpu(self):
        d = torch.device("cpu")
        self.assertEqual((str(d), repr(d), d.type, d.index), ("cpu", "device(type='cpu')", "cpu", None))
        self.assertEqual(d, torch.device(type="cpu"))
        self.assertEqual(hash(d), hash(torch.device("cpu")))
        self.assertEqual(torch.device(d), d)
        self.assertEqual(torch.ones(1).device, d)
        self.assertFalse(d == "cpu")

    def test_index(self):
        d = torch.device("cpu:0")
        self.assertEqual((str(d), repr(d), d.index), ("cpu:0", "device(type='cpu', index=0)", 0))
        self.assertEqual(d, torch.device("cpu", 0))
        self.assertNotEqual(d, torch.device("cpu"))

    def test_wrong(self):
        for text in ("foo", "cpu:x", "cpu:-1"):
            with self.raises(RuntimeError, "device"):
                torch.device(text)
        with self.assertRaises(TypeError):
            torch.device()

    def test_as_an_argument(self):
        for device in ("cpu", torch.device("cpu")):
            self.assertEqual(torch.zeros(2, device=device).device.type, "cpu")
            self.assertEqual(torch.tensor([1], device=device).device.type, "cpu")

    def test_layout_and_memory_format(self):
        x = torch.zeros(2, 3)
        self.assertIs(x.layout, torch.strided)
        self.assertIsInstance(torch.strided, torch.layout)
        for name in ("contiguous_format", "preserve_format", "channels_last"):
            self.assertIsInstance(getattr(torch, name), torch.memory_format)
            self.assertEqual(repr(getattr(torch, name)), "torch." + name)
        self.assertTrue(x.is_contiguous(memory_format=torch.contiguous_format))
        self.assertEqual(torch.zeros_like(x.t()).stride(), (1, 3))
        self.assertEqual(torch.zeros_like(x.t(), memory_format=torch.contiguous_format).stride(), (2, 1))
        self.assertEqual(x.t().clone(memory_format=torch.contiguous_format).stride(), (2, 1))
        self.assertEqual(x.t().clone().stride(), (1, 3))


class Limits(Case):
    def test_integers(self):
        for dtype in INTEGERS:
            info = torch.iinfo(dtype)
            bits, signed = dtype.itemsize * 8, dtype.is_signed
            self.assertEqual((info.bits, info.min, info.max),
                             (bits, -2 ** (bits - 1) if signed else 0, 2 ** (bits - signed) - 1))
            self.assertEqual(info.dtype, str(dtype)[6:])
        for wrong in (torch.float32, torch.bool):
            with self.assertRaises(TypeError):
                torch.iinfo(wrong)

    def test_floats(self):
        for dtype, mantissa, exponent in [(torch.float16, 10, 5), (torch.bfloat16, 7, 8), (torch.float32, 23, 8),
                                          (torch.float64, 52, 11)]:
            info = torch.finfo(dtype)
            top = 2 ** (exponent - 1) - 1
            largest = (2 - 2.0 ** -mantissa) * 2.0 ** top
            self.assertEqual((info.bits, info.eps, info.max, info.min, info.tiny, info.smallest_normal),
                             (1 + mantissa + exponent, 2.0 ** -mantissa, largest, -largest, *[2.0 ** (1 - top)] * 2))
        self.assertEqual(torch.finfo().dtype, "float32")
        self.assertEqual(torch.finfo(torch.float32).resolution, 1e-6)
        self.assertEqual(torch.finfo(torch.float), torch.finfo(torch.float32))
        with self.assertRaises(TypeError):
            torch.finfo(torch.int32)

    def test_they_are_true(self):
        eps = torch.finfo(torch.float32).eps
        one = torch.tensor(1.0)
        self.assertTrue(one + eps != 1)
        self.assertTrue(one + eps / 2 == 1)
        top = torch.tensor(torch.finfo(torch.float32).max)
        self.assertTrue(math.isinf((top * 2).item()))
        self.assertEqual(struct.unpack("f", struct.pack("f", top.item()))[0], top.item())
        self.assertEqual(torch.tensor(torch.iinfo(torch.int64).max).item(), 2**63 - 1)


class Promotion(Case):
    def test_table(self):
        """bool < integers < floats; among floats and among integers the larger one; half and bfloat16 make float."""
        def expected(a, b):
            if a == b:
                return a
            if {a, b} == {torch.float16, torch.bfloat16}:
                return torch.float32
            kind = [2 if d in FLOATS else 1 if d in INTEGERS else 0 for d in (a, b)]
            if kind[0] != kind[1]:
                return a if kind[0] > kind[1] else b
            if torch.uint8 in (a, b) and torch.int8 in (a, b):
                return torch.int16
            return a if a.itemsize > b.itemsize else b

        for a, b in itertools.product(DTYPES, DTYPES):
            self.assertIs(torch.promote_types(a, b), expected(a, b), (a, b))
            self.assertIs((torch.ones(2, dtype=a) * torch.ones(2, dtype=b)).dtype, expected(a, b), (a, b))
            self.assertIs(torch.result_type(torch.ones(2, dtype=a), torch.ones(1, dtype=b)), expected(a, b))

    def test_numbers_and_tensors_without_dimensions_are_weak(self):
        i, x = torch.tensor([1, 2]), torch.ones(2)
        for a, b, expected in [(i, 1.5, torch.float32), (i, torch.tensor(1.5, dtype=torch.float64), torch.float64),
                               (x, torch.tensor(1.0, dtype=torch.float64), torch.float32),
                               (x, torch.tensor(7), torch.float32), (torch.ones(2, dtype=torch.uint8), -1, torch.uint8),
                               (torch.tensor([True]), 1, torch.int64),
                               (torch.ones(2, dtype=torch.float16), 1.5, torch.float16), (True, x, torch.float32),
                               (torch.tensor(1, dtype=torch.int8), torch.tensor(1, dtype=torch.int32), torch.int32)]:
            with self.subTest(a=a, b=b):
                self.assertIs(torch.result_type(a, b), expected)
                self.assertIs((a * b).dtype, expected)
        self.assertIs(torch.result_type(1, 2), torch.int64)
        self.assertIs(torch.result_type(1, 2.0), torch.float32)

    def test_division_and_functions_of_integers(self):
        i = torch.tensor([1, 2])
        for y in (i / 2, i / i, torch.exp(i), i.sqrt(), torch.sigmoid(torch.tensor([True]))):
            self.assertIs(y.dtype, torch.float32)
        self.assertIs((i // 2).dtype, torch.int64)
        self.assertIs(torch.ones(2, dtype=torch.int8).sum().dtype, torch.int64)
        self.assertIs(torch.tensor([True, True]).sum().dtype, torch.int64)
        self.assertIs((i > 1).dtype, torch.bool)

    def test_can_cast(self):
        for a, b, expected in [(torch.float32, torch.int32, False), (torch.int32, torch.float32, True),
                               (torch.int64, torch.int8, True), (torch.int8, torch.uint8, True),
                               (torch.int8, torch.bool, False), (torch.float64, torch.float16, True),
                               (torch.bool, torch.float32, True)]:
            self.assertIs(torch.can_cast(a, b), expected, (a, b))

    def test_wrong(self):
        with self.raises(TypeError, "dtype"):
            torch.promote_types(1, torch.int32)


NARROW = {torch.uint8: [0, 5, 200, 255], torch.int8: [-128, -5, 0, 7, 127], torch.int16: [-32768, -5, 0, 300, 32767], torch.int32: [-2**31, -5, 0, 300, 2**31 - 1]}
FAR = [-1, -3, -7, -200, -300, 128, 200, 255, 256, 1000, -129, 40000, -40000, 70000, 2**31, 2**33 + 5, -2**40, 2**63 - 1, -2**63]


class OutOfRange(Case):
    """A number beside an integer tensor that the tensor's dtype cannot hold: modulo its range, or an error."""

    def pairs(self):
        for dtype, values in NARROW.items():
            limits = torch.iinfo(dtype)
            for number in FAR:
                wrapped = (number - limits.min) % (limits.max - limits.min + 1) + limits.min
                yield torch.tensor(values, dtype=dtype), number, wrapped

    def test_wraps(self):
        with_numbers = ("eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "mul", "bitwise_and", "bitwise_or", "bitwise_xor", "isin")
        with_tensors = with_numbers[:-1] + ("maximum", "minimum", "fmax", "fmin", "clamp_min", "clamp_max")
        for x, number, wrapped in self.pairs():
            for names, far, near in ((with_numbers, number, wrapped), (with_tensors, torch.tensor(number), torch.tensor(wrapped, dtype=x.dtype))):
                for name in names:
                    f = getattr(torch, name)
                    self.assertListEqual(f(x, far).tolist(), f(x, near).tolist(), f"{name}({x}, {far})")
            if x.dtype is torch.int8 and 0 <= number <= 255:
                self.assertListEqual(torch.maximum(x, torch.tensor(number, dtype=torch.uint8)).tolist(), torch.maximum(x, torch.tensor(wrapped, dtype=x.dtype)).tolist())
            self.assertListEqual((number > x).tolist(), (wrapped > x).tolist())
            self.assertListEqual(x.clone().lt_(number).tolist(), x.clone().lt_(wrapped).tolist())

    def test_division(self):
        for x, number, wrapped in self.pairs():
            for name in ("floor_divide", "remainder", "fmod"):
                f = getattr(torch, name)
                for far in (number, torch.tensor(number)):
                    if wrapped == 0:
                        with self.raises(RuntimeError, "ZeroDivisionError"):
                            f(x, far)
                    elif wrapped != -1:  # the smallest number by -1 is a trap of the processor in PyTorch
                        self.assertListEqual(f(x, far).tolist(), f(x, wrapped).tolist(), f"{name}({x}, {far})")

    def test_refused(self):
        for x, number, _ in self.pairs():
            limits = torch.iinfo(x.dtype)
            if (-limits.max if limits.min == 0 else limits.min) <= number <= limits.max:
                continue
            first = x == x[0]
            for f in (lambda: torch.where(first, x, number), lambda: torch.where(first, number, x), lambda: torch.clamp(x, min=number),
                      lambda: torch.clamp(x, max=number), lambda: x.clamp_min(number), lambda: x.clone().clamp_max_(number),
                      lambda: x.masked_fill(first, number), lambda: x.masked_fill(first, torch.tensor(number)), lambda: x.clone().fill_(number),
                      lambda: torch.full_like(x, number), lambda: torch.tensor([number], dtype=x.dtype)) + ((lambda: x ** number,) if number > 0 else ()):
                with self.raises(RuntimeError, "without overflow"):
                    f()

    def test_floats_refused(self):
        for dtype, values in ((torch.uint8, (-1.0, -0.5, 255.5, 256.0)), (torch.int8, (-128.5, 127.5, 300.0)), (torch.int64, (1e30, -1e30))):
            for v in values + (float("inf"), float("nan")):
                with self.raises(RuntimeError, "without overflow"):
                    torch.tensor([v], dtype=dtype)
            self.assertEqual(torch.tensor([2.9], dtype=dtype).tolist(), [2])
        with self.raises(RuntimeError, "without overflow"):
            torch.zeros(2, dtype=torch.uint8).fill_(-0.5)


class Default(Case):
    def setUp(self):
        self.addCleanup(torch.set_default_dtype, torch.get_default_dtype())

    def test_float32(self):
        self.assertIs(torch.get_default_dtype(), torch.float32)

    def test_double(self):
        torch.set_default_dtype(torch.float64)
        self.assertIs(torch.get_default_dtype(), torch.float64)
        for made in (torch.tensor(1.5), torch.zeros(2), torch.arange(3.0), torch.tensor([1, 2]) / 2, torch.rand(2),
                     torch.full((1,), 1.0)):
            self.assertIs(made.dtype, torch.float64)
        self.assertIs(torch.tensor([1]).dtype, torch.int64)
        self.assertIs(torch.result_type(1, 2.0), torch.float64)
        self.assertIs((torch.ones(2, dtype=torch.float32) * 1.5).dtype, torch.float32)

    def test_half(self):
        torch.set_default_dtype(torch.float16)
        self.assertIs(torch.tensor(1.5).dtype, torch.float16)

    def test_wrong(self):
        for wrong in (torch.int32, torch.bool, "float32"):
            with self.raises(TypeError, "floating-point"):
                torch.set_default_dtype(wrong)
        self.assertIs(torch.get_default_dtype(), torch.float32)


if __name__ == "__main__":
    unittest.main()
