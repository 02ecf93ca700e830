"""How long things live: no memory leaks, exact reference counts, the cycle collector, finalisers.
SPDX-License-Identifier: Apache-2.0"""
import gc
import sys
import unittest
import weakref

import torch

from helper import Case, resident_bytes

F = torch.nn.functional
CALLS = 5000


class Memory(Case):
    def test_training_does_not_leak(self):
        torch.manual_seed(0)
        x, y = torch.randn(8, 4), torch.randn(8, 2)
        weights = [(torch.randn(n, m) * 0.3).requires_grad_() for n, m in ((16, 4), (2, 16))]
        biases = [torch.zeros(n, requires_grad=True) for n in (16, 2)]

        def step():
            hidden = F.relu(F.linear(x, weights[0], biases[0]))
            loss = F.mse_loss(F.linear(hidden, weights[1], biases[1]), y)
            loss.backward()
            with torch.no_grad():
                for p in weights + biases:
                    p -= 0.05 * p.grad
                    p.grad = None
            return loss.item()

        first = step()
        for _ in range(1000):
            step()
        before = resident_bytes()
        for _ in range(9000):
            last = step()
        self.assertLess(resident_bytes() - before, 2 << 20)
        self.assertLess(last, first)

    def test_large_tensors_go_at_once(self):
        x = torch.ones(1 << 20)
        before = resident_bytes()
        for _ in range(60):
            y = x * 2 + 1  # 4 MiB each
            y = y[::2].sum()
        self.assertLess(resident_bytes() - before, 100 << 20)
        self.assertEqual(y.item(), 3.0 * (1 << 19))

    def test_errors_do_not_leak(self):
        x = torch.ones(3)

        def fail():
            for wrong in (lambda: x + torch.ones(4), lambda: x[5], lambda: torch.add("a", x), lambda: x.view(7),
                          lambda: x.sum(dim=9), lambda: torch.cat([x, 1]), lambda: x.backward(),
                          lambda: torch.tensor([[1], [1, 2]])):
                try:
                    wrong()
                except (RuntimeError, IndexError, TypeError, ValueError):
                    pass

        for _ in range(500):
            fail()
        before = resident_bytes()
        for _ in range(3000):
            fail()
        self.assertLess(resident_bytes() - before, 2 << 20)

    def test_hooks_functions_and_views_do_not_leak(self):
        class Twice(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a):
                ctx.save_for_backward(a)
                return a * 2

            @staticmethod
            def backward(ctx, grad):
                return grad * 2

        def once():
            a = torch.ones(100, requires_grad=True)
            b = Twice.apply(a).view(10, 10)[2:]
            b.register_hook(lambda g: g * 1)
            b.grad_fn.register_hook(lambda gin, gout: None)
            b.sum().backward()
            a.note = a.grad

        for _ in range(300):
            once()
        before = resident_bytes()
        for _ in range(3000):
            once()
        self.assertLess(resident_bytes() - before, 2 << 20)


class References(Case):
    def unchanged(self, objects, call):
        """Thousands of calls leave the reference counts of the objects as they were (from Python 3.12 on None, True and False have none)."""
        objects = [o for o in objects if sys.getrefcount(o) < 1 << 30]
        call()
        gc.collect()
        before = [sys.getrefcount(o) for o in objects]
        for _ in range(CALLS):
            call()
        gc.collect()
        self.assertEqual([sys.getrefcount(o) for o in objects], before)

    def test_arguments_and_results(self):
        x, size, name, index, dtype = torch.ones(3), (3, 1), "ij->i", [0, 1], torch.float64
        m = torch.ones(3, 3)
        self.unchanged([x, torch.Tensor, None], lambda: x + x)
        self.unchanged([x, size], lambda: x.view(size))
        self.unchanged([m, name], lambda: torch.einsum(name, m))
        self.unchanged([x, index, None], lambda: x[index])
        self.unchanged([x, dtype], lambda: x.to(dtype))
        self.unchanged([x, size], lambda: torch.zeros(size))
        self.unchanged([x, True], lambda: bool(x[0] > 0))
        self.unchanged([x], x.tolist)
        self.unchanged([x], lambda: [row for row in x])
        self.unchanged([x, m], lambda: torch.cat([x, m[0]], dim=0))
        self.unchanged([x], lambda: torch.add(input=x, other=x, alpha=2))

    def test_in_place_and_out(self):
        x, out = torch.ones(3), torch.empty(3)
        self.unchanged([x], lambda: x.add_(1))
        self.unchanged([x, out], lambda: torch.mul(x, 2, out=out))
        self.unchanged([x, out], lambda: x.copy_(out))
        slot = slice(0, 1)
        self.unchanged([x, slot], lambda: x.__setitem__(slot, 5))

    def test_attributes(self):
        x = torch.ones(3, requires_grad=True)
        x.sum().backward()
        g, shape = x.grad, x.shape
        self.unchanged([x, g], lambda: x.grad)
        self.unchanged([x, shape, torch.Size], lambda: x.shape)
        self.unchanged([x, x.dtype], lambda: x.dtype)
        self.unchanged([x, x.device], lambda: x.device)
        self.unchanged([x, g], lambda: setattr(x, "grad", g))
        self.unchanged([x], lambda: x.data)
        y = x * 2
        self.unchanged([y, y.grad_fn], lambda: y.grad_fn)

    def test_failing_calls(self):
        x, y, bad, key = torch.ones(3), torch.ones(4), "text", [7]

        def failing(call):
            def run():
                try:
                    call()
                except (RuntimeError, IndexError, TypeError, ValueError):
                    return
                raise AssertionError("no error")
            return run

        for call in (lambda: x + y, lambda: torch.add(x, bad), lambda: torch.add(bad, x), lambda: x.sum(dim=bad),
                     lambda: x[key], lambda: x[1.5], lambda: x.view(key), lambda: torch.cat([x, bad]),
                     lambda: x.__setitem__(key, y), lambda: torch.tensor([x, bad]), lambda: torch.add(x, y, alpha=bad),
                     lambda: torch.add(x, y, foo=bad), lambda: x.to(bad), lambda: torch.zeros(bad),
                     lambda: torch.add(x, x, out=bad)):
            self.unchanged([x, y, bad, key], failing(call))

    def test_backward(self):
        x = torch.ones(3, requires_grad=True)
        x.sum().backward()
        calls = []

        def hook(grad):
            calls.append(1)
            return None

        def run():
            y = x * 2
            y.register_hook(hook)
            y.sum().backward()

        self.unchanged([x, x.grad, hook], run)
        self.assertEqual(len(calls), CALLS + 1)


class Collector(Case):
    def collected(self, make):
        alive = make()
        gc.collect()
        self.assertIsNone(alive())

    def test_cycle_through_an_attribute(self):
        def make():
            x = torch.ones(2)
            x.me = [x]
            return weakref.ref(x)

        self.collected(make)

    def test_cycle_through_a_hook(self):
        def make():
            x = torch.ones(2, requires_grad=True)
            x.register_hook(lambda g: x)
            return weakref.ref(x)

        self.collected(make)

    def test_cycle_through_two_tensors(self):
        def make():
            x, y = torch.ones(2), torch.ones(2)
            x.other, y.other = y, x
            return weakref.ref(x)

        self.collected(make)

    def test_tracked(self):
        self.assertTrue(gc.is_tracked(torch.ones(2)))

    def test_finaliser_may_use_tensors(self):
        seen = []

        class Last:
            def __init__(self, x):
                self.x = x

            def __del__(self):
                seen.append((self.x + 1).tolist())

        x = torch.ones(2)
        x.last = Last(torch.zeros(2))
        del x
        gc.collect()
        self.assertEqual(seen, [[1.0, 1.0]])


if __name__ == "__main__":
    unittest.main()
