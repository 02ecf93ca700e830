"""torch.testing.assert_close: what passes, what fails, and what the failure says.
SPDX-License-Identifier: Apache-2.0"""
import collections
import unittest

import torch
from torch.testing import assert_close

from helper import Case

inf, nan = float("inf"), float("nan")


def t(*values, dtype=torch.float32):
    return torch.tensor(values, dtype=dtype)


class Tensors(Case):
    def fails(self, actual, expected, *words, **options):
        with self.raises(AssertionError, *words):
            assert_close(actual, expected, **options)

    def test_equal(self):
        for x in (t(1.0, 2.0), t(), torch.tensor(5), torch.ones(2, 0, 3), torch.tensor([True, False]), t(inf, -inf),
                  torch.ones(2, 3).t(), torch.ones(2, requires_grad=True)):
            self.assertIsNone(assert_close(x, x.clone()))

    def test_values(self):
        self.fails(t(1.0), t(1.1), "Tensor-likes are not close!", "Mismatched elements: 1 / 1 (100.0%)",
                   "Greatest absolute difference: 0.1", "at index (0,)", "up to 1e-05 allowed",
                   "Greatest relative difference: 0.0909", "up to 1.3e-06 allowed")
        self.fails(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([[1.0, 2.0], [3.0, 5.0]]), "1 / 4 (25.0%)",
                   "at index (1, 1)", "Greatest absolute difference: 1.0")
        self.fails(torch.tensor([1, 2, 3]), torch.tensor([1, 2, 4]), "not equal", "1 / 3 (33.3%)",
                   "absolute difference: 1 at index (2,)")
        self.fails(torch.tensor([True]), torch.tensor([False]), "not equal")
        self.fails(torch.tensor(1.0), torch.tensor(2.0), "Scalars are not close", "Expected 2.0 but got 1.0")

    def test_default_tolerances(self):
        for dtype, rtol, atol in [(torch.float16, 1e-3, 1e-5), (torch.bfloat16, 1.6e-2, 1e-5),
                                  (torch.float32, 1.3e-6, 1e-5), (torch.float64, 1e-7, 1e-7)]:
            large = torch.tensor([1000.0], dtype=dtype)
            assert_close(large * (1 + rtol / 2), large)
            if dtype.itemsize > 2:  # one step of the half types is about the tolerance
                self.fails(large * (1 + 3 * rtol), large)
            else:
                self.fails(large * (1 + 8 * rtol), large)
            zero = torch.zeros(1, dtype=dtype)
            assert_close(zero + atol / 2, zero)
            self.fails(zero + 3 * atol, zero)
        self.fails(torch.tensor([100]), torch.tensor([101]))

    def test_given_tolerances(self):
        assert_close(t(1.0), t(1.05), rtol=0.1, atol=0)
        assert_close(t(1.0), t(1.05), rtol=0, atol=0.1)
        self.fails(t(1.0), t(1.05), rtol=0, atol=0.01)
        assert_close(torch.tensor([100]), torch.tensor([101]), rtol=0.1, atol=0)
        for options in ({"rtol": 0.1}, {"atol": 0.1}):
            with self.raises(ValueError, "rtol", "atol"):
                assert_close(t(1.0), t(1.05), **options)

    def test_tolerance_is_relative_to_the_expected(self):
        assert_close(t(0.0), t(1.0), rtol=1.0, atol=0)
        self.fails(t(1.0), t(0.0), rtol=1.0, atol=0)

    def test_nan_and_infinity(self):
        self.fails(t(nan), t(nan))
        assert_close(t(nan, 1.0), t(nan, 1.0), equal_nan=True)
        self.fails(t(1.0, nan), t(1.0, 2.0), "1 / 2 (50.0%)", equal_nan=True)
        self.fails(t(inf), t(-inf))
        self.fails(t(inf), t(1.0))

    def test_shape(self):
        self.fails(t(1.0, 2.0), t(1.0), "shape", "torch.Size([2]) != torch.Size([1])")
        self.fails(torch.ones(1, 2), torch.ones(2), "shape")

    def test_dtype(self):
        self.fails(torch.tensor([1]), t(1.0), "dtype", "torch.int64 != torch.float32")
        assert_close(torch.tensor([1]), t(1.0), check_dtype=False)
        assert_close(t(1.0), t(1.0, dtype=torch.float64), check_dtype=False)
        self.fails(t(1.0), t(2.0, dtype=torch.float64), "not close", check_dtype=False)

    def test_stride(self):
        a, b = torch.ones(2, 3), torch.ones(3, 2).t()
        assert_close(a, b)
        self.fails(a, b, "stride", "(3, 1)", "(1, 2)", check_stride=True)

    def test_message(self):
        self.fails(t(1.0), t(2.0), "mine", msg="mine")
        self.fails(t(1.0), t(2.0), "before: Tensor-likes", msg=lambda text: "before: " + text)

    def test_large(self):
        x = torch.arange(20_480.0) * 2
        assert_close(x, torch.arange(0, 40_960.0, 2))
        y = x.clone()
        y[12_345] += 1
        self.fails(y, x, "1 / 20480", "index (12345,)")

    def test_gradients_are_left_alone(self):
        x = torch.ones(2, requires_grad=True)
        y = x * 1
        assert_close(y, torch.ones(2))
        y.sum().backward()
        self.values(x.grad, [1.0, 1.0])


class Numbers(Case):
    def fails(self, actual, expected, *words, **options):
        with self.raises(AssertionError, *words):
            assert_close(actual, expected, **options)

    def test_python_numbers(self):
        for a, b in [(1, 1), (1.0, 1.0 + 1e-8), (True, True), (nan, nan)]:
            assert_close(a, b, equal_nan=True)
        self.fails(1, 2, "Scalars are not equal", "Expected 2 but got 1")
        self.fails(1.0, 1.001, "Scalars are not close")
        self.fails(1, 1.0, "type")
        assert_close(1, 1.0, check_dtype=False)
        assert_close(1.0, 1.05, rtol=0.1, atol=0)

    def test_none(self):
        assert_close(None, None)
        self.fails(None, 1)

    def test_what_cannot_be_compared(self):
        for a, b in [("a", "a"), (torch.tensor(1.0), 1.0), (object(), object())]:
            with self.assertRaises(TypeError):
                assert_close(a, b)


class Containers(Case):
    def fails(self, actual, expected, *words, **options):
        with self.raises(AssertionError, *words):
            assert_close(actual, expected, **options)

    def test_sequences(self):
        assert_close([t(1.0), 2], [t(1.0), 2])
        assert_close((1,), [1])
        self.fails([1, 2], [1, 3], "Expected 3 but got 2", "item [1]")
        self.fails([1], [1, 2], "length", "1 != 2")
        self.fails([t(1.0), [t(2.0)]], [t(1.0), [t(3.0)]], "not close", "item [1][0]")

    def test_mappings(self):
        assert_close({"a": t(1.0), "b": [1]}, {"b": [1], "a": t(1.0)})
        assert_close(collections.OrderedDict(a=1), {"a": 1})
        self.fails({"a": 1}, {"b": 1}, "keys", "Missing keys in the actual mapping: ['b']",
                   "Additional keys in the actual mapping: ['a']")
        self.fails({"a": torch.tensor(1.0)}, {"a": torch.tensor(2.0)}, "item ['a']")
        self.fails({"a": [t(1.0), {"c": t(2.0)}]}, {"a": [t(1.0), {"c": t(9.0)}]}, "item ['a'][1]['c']")

    def test_options_reach_inside(self):
        assert_close([t(1.0)], [t(1.05)], rtol=0.1, atol=0)
        assert_close({"a": t(nan)}, {"a": t(nan)}, equal_nan=True)
        assert_close([torch.tensor([1])], [t(1.0)], check_dtype=False)


if __name__ == "__main__":
    unittest.main()
