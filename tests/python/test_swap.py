"""torch.utils.swap_tensors, and modules that swap their parameters when they are converted or loaded."""
import gc
import sys
import unittest
import weakref

import torch
from torch import nn
from torch.utils import swap_tensors

from helper import Case


class Sub(torch.Tensor):
    pass


class Slots(torch.Tensor):
    __slots__ = ("one", "other")


class Swapping(Case):
    def setUp(self):
        torch.__future__.set_swap_module_params_on_conversion(True)
        self.addCleanup(torch.__future__.set_swap_module_params_on_conversion, False)


class Swap(Case):
    def test_contents(self):
        for make in (lambda: torch.arange(3), lambda: torch.ones(2, 2).t(), lambda: torch.zeros(20000), lambda: torch.ones(2).as_subclass(Sub),
                     lambda: nn.Parameter(torch.ones(1)), lambda: torch.ones(0)):
            a, b = torch.tensor([1.5, 2.5]), make()
            expected, kept = b.tolist(), [a, b]
            b.mark = "b"
            kind, dtype, stride, place = type(b), b.dtype, b.stride(), b.data_ptr() if b.numel() else None
            swap_tensors(a, b)
            self.assertIs(kept[0], a)
            self.assertEqual((type(a), a.dtype, a.stride(), a.mark, a.requires_grad), (kind, dtype, stride, "b", kind is nn.Parameter))
            self.values(a, expected)
            self.values(b, [1.5, 2.5])
            self.assertIs(type(b), torch.Tensor)
            self.assertFalse(hasattr(b, "mark"))
            if place is not None:
                self.assertEqual(a.data_ptr(), place)
            swap_tensors(a, b)
            self.values(a, [1.5, 2.5])
            self.assertEqual((type(b), b.mark), (kind, "b"))

    def test_life(self):
        """Neither object, nor what it holds, is kept or given up too early."""
        class Mark:
            pass

        before = sys.getrefcount(Sub), sys.getrefcount(torch.Tensor)
        for _ in range(50):
            a, b = torch.ones(3), torch.zeros(2).as_subclass(Sub)
            b.mark = Mark()
            there = weakref.ref(b.mark)
            swap_tensors(a, b)
            del b
            self.assertIsNotNone(there())
            self.values(a + 1, [1.0, 1.0])
            del a
            gc.collect()
            self.assertIsNone(there())
        self.assertLess(abs(sys.getrefcount(Sub) - before[0]), 10)
        self.assertLess(abs(sys.getrefcount(torch.Tensor) - before[1]), 10)

    def test_slots(self):
        a, b = torch.ones(1).as_subclass(Slots), torch.zeros(2).as_subclass(Slots)
        a.one = "a"
        b.other = "b"
        swap_tensors(a, b)
        self.assertEqual((a.other, b.one), ("b", "a"))
        self.assertFalse(hasattr(a, "one") or hasattr(b, "other"))
        self.values(b, [1.0])
        with self.raises(RuntimeError, "Cannot swap t1 and t2 if they have different slots"):
            swap_tensors(a, torch.ones(1))
        self.assertEqual(a.other, "b")

    def test_refusals(self):
        a, b = torch.ones(2), torch.zeros(2)
        there = weakref.ref(b)
        with self.raises(RuntimeError, "Cannot swap t2 because it has weakref associated with it"):
            swap_tensors(a, b)
        with self.raises(RuntimeError, "Cannot swap t1 because it has weakref"):
            swap_tensors(b, a)
        del there
        c = torch.ones(2, requires_grad=True) * 2
        d = c.exp()
        e = d * d  # d is saved for backward
        with self.raises(RuntimeError, "Expected use_count of t2 to be 1 or 2 with an AccumulateGrad node"):
            swap_tensors(a, d)
        self.values(a, [1.0, 1.0])
        self.assertEqual(d.grad_fn.name(), "ExpBackward0")
        e.sum().backward()

    def test_graph(self):
        """A backward to a leaf that was swapped is an error; what is recorded afterwards is fine."""
        w, v = torch.ones(2, requires_grad=True), torch.full((2,), 5.0)
        y = w * 2
        swap_tensors(w, v)
        with self.raises(RuntimeError, "Trying to execute AccumulateGrad node that was poisoned by swap_tensors"):
            y.sum().backward()
        w.requires_grad_()
        (w * 3).sum().backward()
        self.values(w.grad, [3.0, 3.0])

    def test_hooks(self):
        w, v, seen = torch.ones(2, requires_grad=True), torch.zeros(2), []
        w.register_hook(seen.append)
        w.grad = torch.ones(2)
        swap_tensors(w, v)
        self.assertIsNone(w.grad)
        self.values(v.grad, [1.0, 1.0])
        (v * 2).sum().backward()
        self.assertEqual([g.tolist() for g in seen], [[2.0, 2.0]])
        self.values(v.grad, [3.0, 3.0])


class Modules(Swapping):
    def test_setting(self):
        self.assertTrue(torch.__future__.get_swap_module_params_on_conversion())

    def test_conversion(self):
        m = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
        old, weights = list(m.parameters()), [p.tolist() for p in m.parameters()]
        m(torch.randn(4, 2)).sum().backward()
        grads = [p.grad for p in old]
        old[0].mark = "weight"
        m.double()
        for p, q, g, w in zip(m.parameters(), old, grads, weights):
            self.assertIs(p, q)
            self.assertIs(p.grad, g)
            self.assertEqual((p.dtype, p.grad.dtype, type(p), p.requires_grad), (torch.float64, torch.float64, nn.Parameter, True))
            self.assertEqual(p.tolist(), w)
        self.assertFalse(hasattr(old[0], "mark"))  # it went with what the parameter was
        self.assertIs(m[1].running_mean.dtype, torch.float64)
        m(torch.randn(4, 2, dtype=torch.float64)).sum().backward()

    def test_between_forward_and_backward(self):
        m = nn.Linear(2, 3)
        y = m(torch.randn(2, 2))
        m.half()
        with self.raises(RuntimeError, "poisoned by swap_tensors"):
            y.sum().backward()
        y = m.float()(torch.ones(2, 2))
        y.sum().backward()
        self.values(m.weight.grad, [[2.0, 2.0]] * 3)

    def test_what_cannot_be_swapped(self):
        m = nn.Linear(2, 3)
        there, grad = weakref.ref(m.weight), torch.ones(3, 2)
        m.weight.grad = grad
        with self.raises(RuntimeError, "_apply(): Couldn't swap Linear.weight") as caught:
            m.double()
        self.assertIn("has weakref", str(caught.exception.__cause__))
        self.assertIs(m.weight.grad, grad)
        self.assertIs(m.weight.dtype, torch.float32)
        self.assertIsNotNone(there())

    def test_loading(self):
        for assign in (False, True):
            m, source = nn.BatchNorm1d(2).double(), nn.BatchNorm1d(2)
            with torch.no_grad():
                source.weight.copy_(torch.tensor([3.0, 4.0]))
                source.running_mean.fill_(7)
            source.weight.requires_grad_(False)
            old = {**dict(m.named_parameters()), **dict(m.named_buffers())}
            m.load_state_dict(source.state_dict(), assign=assign)
            new = {**dict(m.named_parameters()), **dict(m.named_buffers())}
            for name in old:
                self.assertIs(old[name], new[name])
            self.values(m.weight, [3.0, 4.0], torch.float32 if assign else torch.float64)
            self.values(m.running_mean, [7.0, 7.0])
            self.assertTrue(m.weight.requires_grad and isinstance(m.weight, nn.Parameter))
            self.assertEqual(m.weight.data_ptr() == source.weight.data_ptr(), assign)

    def test_module_load(self):
        class Doubles(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                if func is torch.Tensor.module_load:
                    mine, given = args
                    return (given * 2).detach() if type(given) is not cls else given
                return super().__torch_function__(func, types, args, kwargs or {})

        m = nn.Linear(1, 1, bias=False)
        m.weight = nn.Parameter(torch.ones(1, 1).as_subclass(Doubles))
        m.load_state_dict({"weight": torch.full((1, 1), 4.0)})
        self.assertEqual(m.weight.tolist(), [[8.0]])
        n = nn.Linear(1, 1, bias=False)
        with self.raises(RuntimeError, 'While swapping the parameter named "weight"', "module_load returned one of self or other"):
            n.load_state_dict({"weight": torch.full((1, 1), 4.0).as_subclass(Doubles)})
        x = torch.ones(2)
        self.assertIsNot(x.module_load(torch.zeros(2)), x)
        self.values(x, [0.0, 0.0])
        y = torch.full((2,), 3.0)
        self.assertEqual(x.module_load(y, assign=True).data_ptr(), y.data_ptr())


if __name__ == "__main__":
    unittest.main()
