"""Subclasses of Tensor: what operations on them return, __torch_function__, constructors; Parameter.
SPDX-License-Identifier: Apache-2.0"""
import unittest

import torch
from torch.nn import Parameter

from helper import Case


class Plain(torch.Tensor):
    """Adds a method and nothing else."""

    def double_sum(self):
        return 2 * self.sum()


class Other(torch.Tensor):
    pass


class Below(Plain):
    pass


class Logged(torch.Tensor):
    """Writes down which functions it sees."""
    calls = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append((getattr(func, "__name__", "?"), kwargs or {}))
        return super().__torch_function__(func, types, args, kwargs or {})


class Duck:
    """No tensor at all, but operations ask it."""

    def __init__(self, value):
        self.value = value

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return ("asked", func.__name__, [type(a).__name__ for a in args], dict(kwargs or {}))


def plain(*values):
    return torch.tensor(values).as_subclass(Plain)


class Kept(Case):
    def test_results_have_the_class(self):
        x = plain(1.0, 2.0)
        for y in (x + 1, 1 + x, x * torch.ones(2), torch.ones(2) * x, torch.exp(x), x.sum(), x[0], x.view(2, 1),
                  x.clone(), x.detach(), x.data, torch.zeros_like(x), x.new_zeros(3), torch.stack([x, x]),
                  torch.where(x > 1, x, 0.0), x.max(0)[0], x.max(0).indices, x.to(torch.float64), x.unbind()[1],
                  x.split(1)[0], x == 2):
            self.assertIs(type(y), Plain)
        self.assertEqual(x.double_sum().item(), 6.0)
        self.assertEqual((x + 1).double_sum().item(), 10.0)

    def test_in_place_and_attributes(self):
        x = plain(1.0, 2.0)
        x.note = "a"
        y = x.add_(1)
        self.assertIs(y, x)
        self.assertEqual((type(x), x.note), (Plain, "a"))

    def test_of_two_related_classes_the_lower_one(self):
        x, y = plain(1.0), torch.ones(1).as_subclass(Below)
        self.assertIs(type(x + y), Below)
        self.assertIs(type(y + x), Below)

    def test_unrelated_classes_do_not_mix(self):
        with self.assertRaises(TypeError):
            plain(1.0) + torch.ones(1).as_subclass(Other)

    def test_back_to_a_tensor(self):
        x = plain(1.0)
        self.assertIs(type(x.as_subclass(torch.Tensor)), torch.Tensor)
        self.assertEqual(x.as_subclass(torch.Tensor).data_ptr(), x.data_ptr())
        with self.raises(TypeError, "Tensor"):
            x.as_subclass(int)

    def test_gradients(self):
        x = plain(1.0, 2.0).requires_grad_()
        (x * x).sum().backward()
        self.values(x.grad, [2.0, 4.0])
        leaf = torch.ones(2, requires_grad=True)
        (leaf.as_subclass(Plain) * 3).sum().backward()
        self.values(leaf.grad, [3.0, 3.0])

    def test_what_is_no_tensor_stays(self):
        x = plain(1.0, 2.0)
        self.assertIs(type(x.tolist()), list)
        self.assertIs(type(x.shape), torch.Size)
        self.assertIs(type(x[0].item()), float)

    def test_constructor(self):
        self.values(Plain([1, 2]), [1.0, 2.0], torch.float32)
        self.assertEqual(Plain(2, 3).shape, (2, 3))
        self.assertIs(type(Plain(torch.ones(2))), Plain)

    def test_own_new(self):
        class Unit(torch.Tensor):
            @staticmethod
            def __new__(cls, data, unit):
                return torch.as_tensor(data, dtype=torch.float32).as_subclass(cls)

            def __init__(self, data, unit):
                super().__init__()
                self.unit = unit

        x = Unit([1, 2], "m")
        self.assertEqual((x.unit, x.tolist(), type(x)), ("m", [1.0, 2.0], Unit))
        self.assertFalse(hasattr(x + 1, "unit"))


class Intercepted(Case):
    def setUp(self):
        Logged.calls.clear()

    def names(self):
        return [name for name, _ in Logged.calls]

    def test_functions_and_methods(self):
        x = torch.ones(2).as_subclass(Logged)
        Logged.calls.clear()
        y = torch.add(x, 1)
        self.assertIs(type(y), Logged)
        x.mul(2)
        torch.cat([x, torch.ones(1)])
        torch.sum(x, dim=0, keepdim=True)
        self.assertEqual(self.names(), ["add", "mul", "cat", "sum"])
        self.assertEqual(Logged.calls[3][1], {"dim": 0, "keepdim": True})

    def test_a_plain_tensor_first(self):
        x = torch.ones(2).as_subclass(Logged)
        Logged.calls.clear()
        torch.mul(torch.ones(2), x)
        torch.where(torch.tensor([True, False]), torch.ones(2), x)
        self.assertEqual(self.names(), ["mul", "where"])

    def test_self_is_an_argument_of_methods(self):
        x, duck = torch.ones(2), Duck(1)
        for got, name, kinds, words in ((x.add(duck), "add", ["Tensor", "Duck"], {}), (x.mul_(duck), "mul_", ["Tensor", "Duck"], {}),
                                        (x.addcmul(duck, x), "addcmul", ["Tensor", "Duck", "Tensor"], {}),
                                        (x.add(other=duck, alpha=2), "add", ["Tensor"], {"other": duck, "alpha": 2})):
            self.assertEqual(got, ("asked", name, kinds, words))

    def test_disabled(self):
        class Quiet(torch.Tensor):
            __torch_function__ = torch._C._disabled_torch_function_impl

        x = torch.ones(2).as_subclass(Quiet)
        self.assertIs(type(x + 1), torch.Tensor)

    def test_not_a_tensor(self):
        d = Duck(1)
        self.assertEqual(torch.add(d, 2), ("asked", "add", ["Duck", "int"], {}))
        self.assertEqual(torch.sum(d, dim=1), ("asked", "sum", ["Duck"], {"dim": 1}))
        self.assertEqual(torch.ones(2).add(d)[:2], ("asked", "add"))
        self.assertEqual(torch.nn.functional.relu(d)[:2], ("asked", "relu"))

    def test_refusing(self):
        class Refuses(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                return NotImplemented

        with self.assertRaises(TypeError):
            torch.add(torch.ones(2).as_subclass(Refuses), 1)


class Parameters(Case):
    def test_class(self):
        p = Parameter(torch.ones(2))
        self.assertIsInstance(p, torch.Tensor)
        self.assertIsInstance(p, Parameter)
        self.assertTrue(issubclass(Parameter, torch.Tensor))
        self.assertIs(type(p), Parameter)
        self.assertNotIsInstance(torch.ones(2, requires_grad=True), Parameter)
        self.assertIs(torch.nn.Parameter, torch.nn.parameter.Parameter)

    def test_defaults(self):
        p = Parameter(torch.ones(2))
        self.assertTrue(p.requires_grad and p.is_leaf)
        self.assertFalse(Parameter(torch.ones(2), requires_grad=False).requires_grad)
        self.assertFalse(Parameter(torch.ones(2, dtype=torch.int64), False).requires_grad)
        with self.raises(RuntimeError, "floating point"):
            Parameter(torch.ones(2, dtype=torch.int64))
        self.assertEqual(Parameter().shape, (0,))

    def test_shares_memory(self):
        x = torch.ones(2)
        p = Parameter(x)
        x.add_(1)
        self.values(p, [2.0, 2.0])
        self.assertFalse(x.requires_grad)
        self.assertEqual(p.data_ptr(), x.data_ptr())

    def test_made_of_a_result_it_is_a_leaf(self):
        w = torch.ones(2, requires_grad=True)
        p = Parameter(w * 2)
        self.assertTrue(p.is_leaf)
        p.sum().backward()
        self.assertIsNone(w.grad)
        self.values(p.grad, [1.0, 1.0])

    def test_results_are_plain_tensors(self):
        p = Parameter(torch.ones(2))
        for y in (p * 2, p[0], p.data, p.detach(), p.clone(), p.view(2, 1), torch.zeros_like(p)):
            self.assertIs(type(y), torch.Tensor)

    def test_in_place_stays_the_parameter(self):
        p = Parameter(torch.ones(2))
        with torch.no_grad():
            self.assertIs(p.mul_(3), p)
            p -= 1
        self.assertIs(type(p), Parameter)
        self.values(p, [2.0, 2.0])
        p.data = torch.zeros(3)
        self.assertIs(type(p), Parameter)
        self.assertEqual(p.shape, (3,))

    def test_subclass(self):
        class Special(Parameter):
            pass

        s = Special(torch.ones(2))
        self.assertTrue(type(s) is Special and isinstance(s, Parameter) and s.requires_grad)

    def test_of_a_subclass(self):
        p = Parameter(plain(1.0, 2.0))
        self.assertTrue(isinstance(p, Plain) and isinstance(p, Parameter))
        self.assertNotIsInstance(plain(1.0), Parameter)


if __name__ == "__main__":
    unittest.main()
