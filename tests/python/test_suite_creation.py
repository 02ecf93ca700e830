"""What PyTorch's own tests of creation ask for, one by one: errors in its words, warnings, bounds of random integers, bits of linspace, memory of others.
SPDX-License-Identifier: Apache-2.0"""
import os
import tempfile
import unittest
import warnings

import torch
from helper import Case, needs_numpy, numpy


def warned(call):
    """The texts of the warnings that the call gives, all of them."""
    before = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            call()
    finally:
        torch.set_warn_always(before)
    return [str(w.message) for w in given]


class Ramps(Case):
    def test_range_includes_the_end(self):
        self.assertEqual(len(warned(lambda: torch.range(0, 3))), 1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.assertEqual(torch.range(0, 3).tolist(), [0, 1, 2, 3])
            self.assertEqual(torch.range(1, 0, -0.5).tolist(), [1, 0.5, 0])
            self.assertEqual(torch.range(0, 3, out=torch.zeros(2, 2)).shape, (2, 2))
            with self.raises(RuntimeError, "step must be nonzero"):
                torch.range(0, 1, 0)

    def test_out_with_as_many_elements_keeps_its_shape(self):
        for call in (lambda out: torch.arange(0, 4, out=out), lambda out: torch.linspace(0, 3, 4, out=out)):
            x = torch.zeros(2, 3)
            call(x.narrow(1, 1, 2))
            self.assertEqual(x.tolist(), [[0, 0, 1], [0, 2, 3]])
        self.assertEqual(torch.logspace(0, 3, 4, base=2, out=torch.zeros(2, 2)).tolist(), [[1, 2], [4, 8]])

    def test_out_of_another_size(self):
        self.assertIn("The out tensor will be resized to a tensor of shape (5,)", warned(lambda: torch.arange(5, out=torch.zeros(3)))[0])
        self.assertEqual(warned(lambda: torch.zeros(5, out=torch.zeros(3))), [])

    def test_bits(self):
        self.assertEqual(torch.linspace(-100, 100, 97, dtype=torch.int32).tolist()[36], -24)  # one rounding, not two
        self.assertEqual(torch.linspace(7, -3, 1000, dtype=torch.float64).tolist()[129], 5.708708708708708)
        self.assertEqual(torch.linspace(0, 100, 3000, dtype=torch.float16).tolist()[1], 0.0333251953125)
        self.assertEqual(torch.logspace(0, 6, 49, 2, dtype=torch.float64).tolist(), [2.0 ** (i / 8) for i in range(49)])
        self.assertEqual(torch.arange(1, 10, 0.3, dtype=torch.float64).tolist()[13], 4.8999999999999995)

    def test_errors(self):
        with self.raises(RuntimeError, "invalid size, possible overflow?"):
            torch.arange(1.175494351e-38, 3.402823466e+38)
        with self.raises(RuntimeError, "m must be greater or equal to 0, got -1"):
            torch.eye(2, -1)
        with self.raises(RuntimeError, "Trying to create tensor with negative dimension -2: [3, -2]"):
            torch.empty(3, -2)
        with self.raises(RuntimeError, "dimensionality of sizes (1) must match dimensionality of strides (0)"):
            torch.zeros(2).new_empty_strided((2,), ())


class Out(Case):
    def test_dtype(self):
        for make in (torch.zeros, torch.ones, torch.empty):
            with self.raises(RuntimeError, "dtype Long does not match dtype of out parameter (Float)"):
                make(3, dtype=torch.int64, out=torch.zeros(3))
            self.assertIs(make(3, out=torch.zeros(3, dtype=torch.int8)).dtype, torch.int8)
        self.assertTrue(torch.empty(3, out=torch.zeros(0), requires_grad=True).requires_grad)

    def test_layout(self):
        with self.assertRaisesRegex(RuntimeError, "layout .* does not match layout of out parameter"):
            torch.zeros(3, layout=torch.sparse_coo, out=torch.zeros(3))

    def test_integers_require_no_gradient(self):
        for call in (lambda: torch.zeros(3, dtype=torch.int64, requires_grad=True), lambda: torch.tensor(3, requires_grad=True),
                     lambda: torch.zeros(3).new_ones(2, dtype=torch.bool, requires_grad=True)):
            with self.raises(RuntimeError, "Only Tensors of floating point and complex dtype can require gradients"):
                call()


class Random(Case):
    def test_integers_out_of_bounds(self):
        for dtype, low, high, text in ((torch.uint8, -1, 5, "from is out of bounds for unsigned char"), (torch.uint8, 0, 257, "to - 1 is out of bounds for unsigned char"),
                                       (torch.bool, 0, 3, "to - 1 is out of bounds for bool"), (torch.int16, 5, 2, "random_ expects 'from' to be less than 'to', but got from=5 >= to=2")):
            with self.raises(RuntimeError, text):
                torch.empty(3, dtype=dtype).random_(low, high)
        self.assertEqual(torch.empty(300, dtype=torch.uint8).random_(255, 256).unique().tolist(), [255])

    def test_floats_beyond_their_precision(self):
        self.assertIn("to - 1 is out of bounds [-(2^24), 2^24]", warned(lambda: torch.empty(3).random_(0, 2**25))[0])
        self.assertEqual(len(warned(lambda: torch.empty(3, dtype=torch.float16).random_(-5000, 5000))), 2)
        self.assertEqual(warned(lambda: torch.empty(3).random_(0, 2**24)), [])

    def test_from_on(self):
        x = torch.empty(2000, dtype=torch.int8).random_(100, None)
        self.assertEqual((x.min().item(), x.max().item()), (100, 127))
        self.assertTrue(torch.empty(50, dtype=torch.int64).random_(-2**63, None).min() < 0)
        with self.raises(RuntimeError, "from is out of bounds for signed char"):
            torch.empty(3, dtype=torch.int8).random_(128, None)

    def test_randperm(self):
        with self.raises(RuntimeError, "n cannot be greater than 2049 for Half type."):
            torch.randperm(2050, dtype=torch.float16)
        with self.raises(RuntimeError, "value cannot be converted to type uint8"):
            torch.randperm(257, dtype=torch.uint8)
        self.assertEqual(torch.randperm(256, dtype=torch.uint8).sort().values.tolist(), list(range(256)))

    def test_uniform_and_normal(self):
        with self.raises(RuntimeError, "uniform_ expects to return a [from, to) range, but found from=2 > to=1"):
            torch.empty(3).uniform_(2, 1)
        with self.raises(RuntimeError, "uniform_ expects to-from <= std::numeric_limits<Float>::max()"):
            torch.empty(3).uniform_(-3e38, 3e38)
        for mean in (0, torch.tensor(0.0)):
            with self.raises(RuntimeError, "normal expects all elements of std >= 0.0"):
                torch.normal(mean, torch.tensor(-1.0))
        with self.raises(RuntimeError, "normal expects std >= 0.0, but found std -1"):
            torch.normal(torch.tensor(0.0), -1)
        self.assertIs(torch.normal(torch.zeros(3), torch.ones(3, dtype=torch.float64)).dtype, torch.float32)


class Numbers(Case):
    def test_ints_beyond_64_bits(self):
        self.assertEqual(torch.tensor(2**64, dtype=torch.float64).item(), 2.0**64)
        self.assertEqual(torch.tensor([2**70, 1.5, 3]).tolist(), [2.0**70, 1.5, 3])
        self.assertEqual(torch.tensor([2**64, 0], dtype=torch.bool).tolist(), [True, False])
        for dtype in (None, torch.int32):
            with self.raises((ValueError, RuntimeError), "Overflow when unpacking long long"):
                torch.tensor([1, 2**63], dtype=dtype)

    def test_no_numbers(self):
        for data in ("abc", b"abc", [0, "abc"], [[1], ["abc"]]):
            with self.raises(TypeError, "new(): invalid data type"):
                torch.as_tensor(data)
        loop = [0]
        loop.append(loop)
        for data in (loop, [[1, 2], loop]):
            with self.raises(TypeError, "self-referential lists are incompatible"):
                torch.tensor(data)

        class Unreadable:
            def __len__(self):
                return 3

            def __getitem__(self, i):
                raise TypeError

        with self.raises(ValueError, "could not determine the shape of object type 'Unreadable'"):
            torch.tensor(Unreadable())

    def test_legacy_constructor(self):
        for call in (lambda: torch.Tensor(2, device="cuda"), lambda: torch.FloatTensor(device="cuda")):
            with self.raises(RuntimeError, "legacy constructor expects device type: cpu but device type: cuda was passed"):
                call()
        with self.raises(RuntimeError, "Legacy tensor constructor"):
            torch.Tensor(torch.tensor([1]), device="cpu")


class Memory(Case):
    def test_frombuffer(self):
        with self.raises(ValueError, "object does not implement Python buffer protocol."):
            torch.frombuffer([1, 2], dtype=torch.int8)
        with self.raises(ValueError, "both buffer length (4) and count (0) must not be 0"):
            torch.frombuffer(bytearray(4), dtype=torch.int8, count=0)
        with self.raises(ValueError, "buffer length (3 bytes) after offset (1 bytes) must be a multiple of element size (4)"):
            torch.frombuffer(bytearray(4), dtype=torch.int32, offset=1)
        self.assertIn("The given buffer is not writable", warned(lambda: torch.frombuffer(b"abcd", dtype=torch.int8))[0])

    def test_asarray_of_a_buffer(self):
        buffer = bytearray(8)
        x = torch.asarray(buffer, dtype=torch.int32)
        buffer[0] = 5
        self.assertEqual(x.tolist(), [5, 0])
        y = torch.asarray(buffer, dtype=torch.int32, copy=True)
        buffer[0] = 6
        self.assertEqual(y.tolist(), [5, 0])

    def test_asarray_of_a_capsule(self):
        x = torch.arange(3)
        y = torch.asarray(torch.utils.dlpack.to_dlpack(x), copy=False)
        self.assertEqual(y.data_ptr(), x.data_ptr())
        z = torch.asarray(torch.utils.dlpack.to_dlpack(x), copy=True)
        self.assertNotEqual(z.data_ptr(), x.data_ptr())

    def test_asarray_without_copies(self):
        with self.raises(ValueError, "can't alias tensor with dtype 'Long' into dtype 'Float'."):
            torch.asarray(torch.arange(3), dtype=torch.float32, copy=False)
        with self.raises(ValueError, "can't alias arbitrary sequence into a tensor."):
            torch.asarray([1, 2], copy=False)

    def test_asarray_and_gradients(self):
        x = torch.ones(3, requires_grad=True)
        self.assertIsNone(torch.asarray(x * 2, requires_grad=False).grad_fn)
        self.assertIsNotNone(torch.asarray(x * 2, requires_grad=True).grad_fn)
        self.assertIn("unspecified requires_grad", warned(lambda: torch.asarray(x * 2))[0])

    @needs_numpy
    def test_asarray_of_numpy(self):
        with self.raises(RuntimeError, "can't alias NumPy scalars."):
            torch.asarray(numpy.float64(0.5), copy=False)
        a = numpy.arange(3.0)
        torch.asarray(a, copy=False)[0] = 7
        self.assertEqual(a[0], 7)
        torch.asarray(a, copy=True)[0] = 8
        self.assertEqual(a[0], 7)

    def test_from_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "data")
            with open(path, "wb") as file:
                file.write(bytes([1, 2, 3, 4]))
            private = torch.from_file(path, shared=False, size=4, dtype=torch.int8)
            private[0] = 9
            shared = torch.from_file(path, shared=True, size=4, dtype=torch.int8)
            shared[1] = 8
            self.assertEqual(private.tolist()[0], 9)
            with open(path, "rb") as file:
                self.assertEqual(list(file.read()), [1, 8, 3, 4])
            self.assertEqual(torch.from_file(path, shared=True, size=6, dtype=torch.int8).tolist()[2:], [3, 4, 0, 0])
            with self.raises(RuntimeError, "size <6> is smaller than the required mapping size <24>"):
                torch.from_file(path, size=6)
            with self.raises(RuntimeError, "unable to open file", "in read-only mode: No such file or directory (2)"):
                torch.from_file(path + "s", size=6)


class Warnings(Case):
    def test_set_warn_always(self):
        self.assertFalse(torch.is_warn_always_enabled())
        for _ in range(2):
            self.assertIn("torch.meshgrid: in an upcoming release", warned(lambda: torch.meshgrid(torch.tensor([1, 2])))[0])
        with self.raises(RuntimeError, "expects a bool, but got int"):
            torch.set_warn_always(1)


if __name__ == "__main__":
    unittest.main()
