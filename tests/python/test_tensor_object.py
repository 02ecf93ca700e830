"""A tensor as a Python object: identity, attributes, hash and ==, conversion to numbers and lists, len, iteration,
`in`, operators, and what it says about its own shape and memory. SPDX-License-Identifier: Apache-2.0"""
import gc
import math
import operator
import unittest
import weakref

import torch

from helper import DTYPES, Case

nan = math.nan


class Identity(Case):
    def test_gradient_is_one_object(self):
        w = torch.ones(3, requires_grad=True)
        self.assertIsNone(w.grad)
        w.sum().backward()
        g = w.grad
        self.assertIs(w.grad, g)
        g.mark = "mine"
        del g
        gc.collect()
        self.assertEqual(w.grad.mark, "mine")
        w.sum().backward()
        self.assertEqual(w.grad.mark, "mine")  # accumulated in place
        self.values(w.grad, [2.0] * 3)

    def test_data_is_another_object(self):
        w = torch.ones(3, requires_grad=True)
        self.assertIsNot(w.data, w)
        self.assertIsNot(w.data, w.data)
        self.assertEqual(w.data.data_ptr(), w.data_ptr())
        self.assertFalse(w.data.requires_grad)

    def test_assigned_gradient_is_that_object(self):
        w, g = torch.ones(3, requires_grad=True), torch.zeros(3)
        w.grad = g
        self.assertIs(w.grad, g)

    def test_in_place_returns_self(self):
        x = torch.ones(3)
        for call in (lambda: x.add_(1), lambda: x.zero_(), lambda: x.fill_(2), lambda: x.requires_grad_(),
                     lambda: x.detach_(), lambda: x.copy_(torch.zeros(3)), lambda: x.clamp_(min=0)):
            self.assertIs(call(), x)
        self.assertIs(x.contiguous(), x)
        self.assertIs(x.float(), x)
        self.assertIs(x.to(torch.float32), x)
        self.assertIsNot(x.view(3), x)
        self.assertIsNot(x.detach(), x)

    def test_out_returns_the_argument(self):
        out = torch.empty(2)
        self.assertIs(torch.add(torch.ones(2), 1, out=out), out)

    def test_saved_in_the_graph(self):
        x = torch.ones(2, requires_grad=True)
        x.name_of_mine = [1]
        y = x * x
        self.assertIs(y.grad_fn.next_functions[0][0].variable, x)

    def test_attributes(self):
        x = torch.ones(2)
        x.note = {"a": 1}
        x.note["b"] = 2
        self.assertEqual(x.note, {"a": 1, "b": 2})
        self.assertEqual(vars(x), {"note": {"a": 1, "b": 2}})
        del x.note
        self.assertFalse(hasattr(x, "note"))
        self.assertFalse(hasattr(x + 0, "note"))

    def test_attributes_outlive_the_last_name(self):
        holder = [torch.ones(2)]
        holder[0].note = "kept"
        self.assertEqual(holder[0].note, "kept")
        self.assertEqual(torch.stack(holder).shape, (1, 2))
        self.assertEqual(holder[0].note, "kept")

    def test_weak_references(self):
        x = torch.ones(2)
        r = weakref.ref(x)
        self.assertIs(r(), x)
        del x
        self.assertIsNone(r())


class Comparison(Case):
    def test_hash_is_identity(self):
        x, y = torch.ones(2), torch.ones(2)
        self.assertEqual(hash(x), hash(x))
        self.assertEqual(len({x, y, x}), 2)
        self.assertEqual({x: 1, y: 2}[y], 2)

    def test_equality_is_elementwise(self):
        x = torch.tensor([1, 2, 3])
        self.values(x == torch.tensor([1, 0, 3]), [True, False, True], torch.bool)
        self.values(x != 2, [True, False, True])
        self.values(2 <= x, [False, True, True])
        self.values(x > 2.5, [False, False, True])
        self.values(torch.tensor([nan]) == torch.tensor([nan]), [False])

    def test_other_things_are_unequal(self):
        x = torch.ones(2)
        self.assertIs(x == "a", False)
        self.assertIs(x == None, False)  # noqa: E711 (this is the point)
        self.assertIs(x != None, True)  # noqa: E711
        with self.assertRaises(TypeError):
            x < "a"

    def test_membership(self):
        x = torch.tensor([1, 2, 3])
        self.assertIn(3, x)
        self.assertNotIn(5, x)
        self.assertIn(torch.tensor(2.0), x)
        with self.raises(RuntimeError, "__contains__", "str"):
            "a" in x

    def test_truth(self):
        self.assertFalse(torch.tensor(0.0))
        self.assertTrue(torch.tensor([[2]]))
        self.assertTrue(torch.tensor(nan))
        self.assertIs(bool(torch.tensor(True)), True)
        with self.raises(RuntimeError, "Boolean value of Tensor with more than one value is ambiguous"):
            bool(torch.ones(2))
        with self.raises(RuntimeError, "no values"):
            bool(torch.zeros(0))


class Numbers(Case):
    def test_int_float(self):
        self.assertEqual((int(torch.tensor(3.7)), int(torch.tensor(-3.7)), int(torch.tensor([3]))), (3, -3, 3))
        self.assertIs(type(int(torch.tensor(True))), int)
        self.assertEqual(float(torch.tensor([[2]])), 2.0)
        self.assertIs(type(float(torch.tensor(2))), float)
        self.assertEqual(int(torch.tensor(2**62 + 1)), 2**62 + 1)

    def test_int_float_errors(self):
        for convert in (int, float):
            with self.raises((ValueError, RuntimeError), "only one element tensors"):
                convert(torch.ones(2))
        with self.raises(OverflowError, "infinity"):
            int(torch.tensor(math.inf))
        with self.raises(ValueError, "NaN"):
            int(torch.tensor(nan))

    def test_index(self):
        self.assertEqual(operator.index(torch.tensor(3)), 3)
        self.assertEqual([10, 20, 30][torch.tensor([1])], 20)
        self.assertEqual("abc"[torch.tensor(-1)], "c")
        self.assertEqual(list(range(torch.tensor(3))), [0, 1, 2])
        for wrong in (torch.tensor(3.0), torch.tensor([1, 2])):
            with self.raises(TypeError, "only integer tensors of a single element"):
                operator.index(wrong)

    def test_item(self):
        for dtype in DTYPES:
            kind = bool if dtype is torch.bool else float if dtype.is_floating_point else int
            item = torch.tensor([[1]], dtype=dtype).item()
            self.assertIs(type(item), kind)
            self.assertEqual(item, 1)
        self.assertEqual(torch.tensor(0.1).item(), 0.10000000149011612)
        for wrong in (torch.ones(2), torch.ones(0)):
            with self.raises(RuntimeError, "cannot be converted to Scalar", f"{wrong.numel()} elements"):
                wrong.item()

    def test_tolist(self):
        self.assertEqual(torch.tensor([[1, 2], [3, 4]]).tolist(), [[1, 2], [3, 4]])
        self.assertEqual(torch.arange(6).reshape(2, 3).t().tolist(), [[0, 3], [1, 4], [2, 5]])
        self.assertEqual(torch.zeros(2, 0).tolist(), [[], []])
        self.assertEqual(torch.zeros(0, 2).tolist(), [])
        self.assertEqual(torch.tensor(2.5).tolist(), 2.5)
        self.assertIs(type(torch.tensor([True]).tolist()[0]), bool)
        self.assertIs(type(torch.tensor([1.0], dtype=torch.bfloat16).tolist()[0]), float)


class Container(Case):
    def test_len(self):
        self.assertEqual((len(torch.ones(3, 2)), len(torch.ones(0, 5))), (3, 0))
        with self.raises(TypeError, "0-d"):
            len(torch.tensor(1))

    def test_iteration(self):
        rows = list(torch.arange(6).reshape(3, 2))
        self.assertEqual([r.tolist() for r in rows], [[0, 1], [2, 3], [4, 5]])
        a, b = torch.tensor([1.0, 2.0])
        self.assertEqual((a.shape, b.item()), ((), 2.0))
        with self.raises(TypeError, "0-d"):
            iter(torch.tensor(1))
        self.assertEqual([x.item() for x in reversed(torch.arange(3))], [2, 1, 0])
        self.assertEqual(sum(torch.ones(4)).item(), 4.0)

    def test_rows_of_an_iteration_are_views(self):
        x = torch.zeros(2, 2)
        for i, row in enumerate(x):
            row += i + 1
        self.values(x, [[1.0, 1.0], [2.0, 2.0]])

    def test_splitting(self):
        x = torch.arange(10)
        self.assertEqual([p.tolist() for p in x.split(4)], [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]])
        self.assertEqual([p.tolist() for p in x.split([3, 7])], [[0, 1, 2], [3, 4, 5, 6, 7, 8, 9]])
        self.assertEqual([len(p) for p in torch.chunk(x, 3)], [4, 4, 2])
        self.assertIsInstance(x.split(4), tuple)
        self.assertEqual(len(torch.unbind(torch.ones(3, 2), dim=1)), 2)


class Operators(Case):
    def test_arithmetic_and_reflected(self):
        x = torch.tensor([1.0, 2.0, 4.0])
        for got, expected in [(x + 1, [2, 3, 5]), (1 + x, [2, 3, 5]), (x - 1, [0, 1, 3]), (1 - x, [0, -1, -3]),
                              (x * 2, [2, 4, 8]), (2 * x, [2, 4, 8]), (x / 2, [0.5, 1, 2]), (2 / x, [2, 1, 0.5]),
                              (x // 2, [0, 1, 2]), (9 // x, [9, 4, 2]), (x % 3, [1, 2, 1]), (7 % x, [0, 1, 3]),
                              (x ** 2, [1, 4, 16]), (2 ** x, [2, 4, 16]), (-x, [-1, -2, -4]), (+x, [1, 2, 4]),
                              (abs(-x), [1, 2, 4]), (x @ x, 21)]:
            self.values(got, expected)

    def test_integers(self):
        i = torch.tensor([5, 6, 7])
        self.values(i & 3, [1, 2, 3])
        self.values(8 | i, [13, 14, 15])
        self.values(i ^ i, [0, 0, 0])
        self.values(~i, [-6, -7, -8])
        self.values(i / 2, [2.5, 3.0, 3.5], torch.float32)
        self.values(i // -2, [-3, -3, -4], torch.int64)

    def test_refused(self):
        with self.raises(RuntimeError, "bool"):
            -torch.tensor([True])
        with self.raises(RuntimeError, "bool"):
            torch.tensor([True]) - torch.tensor([True])
        with self.assertRaises(TypeError):
            ~torch.tensor([1.0])
        with self.assertRaises(TypeError):
            torch.ones(2) + "a"
        with self.assertRaises(TypeError):
            torch.ones(1) * object()

    def test_augmented_on_an_integer_name(self):
        x = 1
        x += torch.ones(2)
        self.values(x, [2.0, 2.0])


class About(Case):
    def test_shape(self):
        x = torch.zeros(2, 3, 4)
        self.assertEqual(x.shape, torch.Size([2, 3, 4]))
        self.assertEqual((x.size(), x.size(1), x.size(-1), x.size(dim=0)), (x.shape, 3, 4, 2))
        self.assertEqual((x.stride(), x.stride(0), x.stride(-1)), ((12, 4, 1), 12, 1))
        self.assertEqual((x.dim(), x.ndim, x.ndimension()), (3, 3, 3))
        self.assertEqual((x.numel(), x.nelement(), torch.numel(x)), (24, 24, 24))
        with self.raises(IndexError, "dimension out of range"):
            x.size(3)

    def test_memory(self):
        x = torch.arange(12.0).reshape(3, 4)
        y = x[1:, 2]
        self.assertEqual((x.element_size(), x.double().element_size(), (x > 1).element_size()), (4, 8, 1))
        self.assertEqual(y.storage_offset(), 6)
        self.assertEqual(y.data_ptr(), x.data_ptr() + 6 * 4)
        self.assertEqual((x.itemsize, x.nbytes), (4, 48))
        self.assertTrue(x.is_contiguous())
        self.assertFalse(x.t().is_contiguous())
        self.assertTrue(torch.zeros(0, 3).t().is_contiguous())
        self.assertEqual(x.untyped_storage().nbytes(), 48)
        self.assertEqual(x.untyped_storage().data_ptr(), y.untyped_storage().data_ptr())
        self.assertTrue(torch.is_storage(x.untyped_storage()))
        self.assertFalse(torch.is_storage(x))

    def test_assert(self):
        torch._assert(torch.ones(1) > 0, "no")
        with self.raises(AssertionError, "five"):
            torch._assert(3 == 5, "five")

    def test_transposes(self):
        x = torch.arange(6).reshape(2, 3)
        for y in (x.T, x.mT, x.H, x.mH, x.t()):
            self.values(y, [[0, 3], [1, 4], [2, 5]])
            self.assertEqual(y.data_ptr(), x.data_ptr())
        self.assertEqual(torch.zeros(2, 3, 4).mT.shape, (2, 4, 3))
        with self.assertRaises(RuntimeError):
            torch.zeros(3).mT

    def test_kind(self):
        x = torch.zeros(2)
        self.assertEqual((x.dtype, x.device, x.layout), (torch.float32, torch.device("cpu"), torch.strided))
        self.assertTrue(x.is_floating_point() and torch.is_floating_point(x) and not x.is_complex())
        self.assertFalse(torch.zeros(2, dtype=torch.int64).is_floating_point())
        self.assertTrue(torch.tensor(-1).is_signed() and not torch.tensor(1, dtype=torch.uint8).is_signed())
        self.assertFalse(x.is_cuda or x.is_sparse or x.is_quantized or x.is_meta)
        self.assertTrue(torch.is_tensor(x) and not torch.is_tensor([1]))

    def test_documentation(self):
        names = dir(torch.ones(1))
        for name in ("add", "add_", "backward", "grad", "shape", "__getitem__", "T"):
            self.assertIn(name, names)
        self.assertTrue(torch.Tensor.add.__doc__ and torch.add.__doc__ and torch.Tensor.backward.__doc__)
        self.assertIn("add", dir(torch))
        self.assertTrue(callable(torch.Tensor.add) and torch.Tensor.add(torch.ones(1), 1).item() == 2)


if __name__ == "__main__":
    unittest.main()
