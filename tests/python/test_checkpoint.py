"""torch.utils.checkpoint: the same gradients from less memory, with the same random numbers."""
import contextlib
import unittest
import warnings

import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint, checkpoint_sequential, set_checkpoint_early_stop
from torch.utils import checkpoint as module

from functions import Square
from helper import Case, winnow_only

KINDS = (False, True)


def leaf(*shape):
    return torch.randn(*shape, dtype=torch.float64).requires_grad_()


class Gradients(Case):
    def test_same_as_without(self):
        torch.manual_seed(0)
        x, w = leaf(4, 3), leaf(3, 3)

        def f(x, w):
            return torch.tanh(x @ w).exp() @ w

        expected = torch.autograd.grad(f(x, w).sum(), (x, w))
        for kind in KINDS:
            with self.subTest(use_reentrant=kind):
                x.grad = w.grad = None
                y = checkpoint(f, x, w, use_reentrant=kind)
                self.same(y, f(x, w))
                y.sum().backward()
                self.same(x.grad, expected[0])
                self.same(w.grad, expected[1])

    def test_random_numbers(self):
        def f(x):
            return F.dropout(x, 0.5) * torch.rand(x.shape, dtype=x.dtype)

        x = torch.ones(1000, dtype=torch.float64, requires_grad=True)
        for kind in KINDS:
            with self.subTest(use_reentrant=kind):
                x.grad = None
                torch.manual_seed(5)
                y = checkpoint(f, x, use_reentrant=kind)
                after = torch.rand(3)
                y.sum().backward()
                self.same(x.grad, y.detach())  # x is 1 and y linear in it: its gradient is the factor itself
                torch.manual_seed(5)
                f(x)
                self.same(torch.rand(3), after)

    def test_state_is_not_moved_by_backward(self):
        x = leaf(10)
        for kind in KINDS:
            y = checkpoint(F.dropout, x, use_reentrant=kind)
            before = torch.get_rng_state()
            y.sum().backward()
            self.same(torch.get_rng_state(), before)

    def test_without_rng_state(self):
        x = torch.ones(1000, requires_grad=True)
        y = checkpoint(lambda x: F.dropout(x) * x, x, use_reentrant=False, preserve_rng_state=False)
        y.sum().backward()
        self.assertNotEqual(x.grad.tolist(), (2 * y).tolist())

    def test_several_results_and_other_arguments(self):
        x, y = leaf(3), leaf(3)

        def f(a, factor, b, text):
            return a * b * factor, text, (b * b).sum()

        for kind in KINDS:
            x.grad = y.grad = None
            p, text, q = checkpoint(f, x, 3.0, y, "t", use_reentrant=kind)
            self.assertEqual(text, "t")
            (p.sum() + q).backward()
            self.close(x.grad, 3 * y)
            self.close(y.grad, 3 * x + 2 * y)

    def test_keywords(self):
        x, y = leaf(3), leaf(3)
        z = checkpoint(lambda a, *, b, scale: a * b * scale, x, b=y, scale=2, use_reentrant=False)
        z.sum().backward()
        self.close(y.grad, 2 * x)

    def test_parameters_from_outside(self):
        layer = torch.nn.Linear(3, 2)
        x = torch.randn(4, 3)
        checkpoint(layer, x, use_reentrant=False).sum().backward()
        self.close(layer.weight.grad, x.sum(0).expand(2, 3))

    def test_grad_and_retained_graph(self):
        x = leaf(5)
        y = checkpoint(lambda x: x.sin().exp(), x, use_reentrant=False).sum()
        first, = torch.autograd.grad(y, x, retain_graph=True)
        second, = torch.autograd.grad(y, x)
        self.same(first, second)
        self.close(first, x.cos() * x.sin().exp())

    def test_second_derivative(self):
        x = leaf(5)
        y = checkpoint(lambda x: x.sin() * x ** 3, x, use_reentrant=False).sum()
        g, = torch.autograd.grad(y, x, create_graph=True)
        h, = torch.autograd.grad(g.sum(), x)
        z = (x.sin() * x ** 3).sum()
        e, = torch.autograd.grad(torch.autograd.grad(z, x, create_graph=True)[0].sum(), x)
        self.close(h, e, 1e-12)

    def test_gradcheck(self):
        self.assertTrue(torch.autograd.gradcheck(lambda x: checkpoint(lambda x: (x @ x).tanh(), x, use_reentrant=False), (leaf(3, 3),)))

    def test_without_recording(self):
        x = leaf(3)
        with torch.no_grad():
            for kind in KINDS:
                self.assertFalse(checkpoint(torch.sin, x, use_reentrant=kind).requires_grad)

    def test_in_place_on_a_non_leaf(self):
        x = leaf(4)
        y = checkpoint(lambda a: (a * 1).mul_(2).exp(), x * 1, use_reentrant=False)
        y.sum().backward()
        self.close(x.grad, 2 * (2 * x).exp())

    def test_custom_function(self):
        x = leaf(4)
        for kind in KINDS:
            x.grad = None
            checkpoint(lambda x: Square.apply(x.sin()), x, use_reentrant=kind).sum().backward()
            self.close(x.grad, 2 * x.sin() * x.cos())

    def test_autocast(self):
        x, w = torch.randn(4, 4, requires_grad=True), torch.randn(4, 4)
        for kind in KINDS:
            x.grad = None
            with torch.autocast("cpu", dtype=torch.bfloat16):
                y = checkpoint(lambda x: (x @ w) @ w, x, use_reentrant=kind)
            self.assertIs(y.dtype, torch.bfloat16)
            y.float().sum().backward()
            got = x.grad.clone()
            x.grad = None
            with torch.autocast("cpu", dtype=torch.bfloat16):
                y = (x @ w) @ w
            y.float().sum().backward()
            self.same(got, x.grad)


class Runs(Case):
    """How often, and how far, the function runs."""

    def test_count(self):
        for kind in KINDS:
            runs = []

            def f(x):
                runs.append(torch.is_grad_enabled())
                return x.sin().exp().tanh()

            checkpoint(f, leaf(3), use_reentrant=kind).sum().backward()
            self.assertEqual(runs, [not kind, True])

    def test_early_stop(self):
        for early in (True, False):
            trace = []

            def f(x):
                y = x.sin().exp()
                trace.append("end")
                return y + 1

            y = checkpoint(f, leaf(3), use_reentrant=False, early_stop=early)
            y.sum().backward()
            self.assertEqual(len(trace), 1 if early else 2)
            trace.clear()
            with set_checkpoint_early_stop(early):
                y = checkpoint(f, leaf(3), use_reentrant=False)
            y.sum().backward()
            self.assertEqual(len(trace), 1 if early else 2)

    def test_nested(self):
        for early in (True, False):
            x = leaf(4)

            def inner(x):
                return x.sin().exp()

            def outer(x):
                y = checkpoint(inner, x.tanh(), use_reentrant=False)
                return checkpoint(inner, y.cos(), use_reentrant=False).cos()

            with set_checkpoint_early_stop(early):
                y = checkpoint(outer, x, use_reentrant=False)
            self.same(y, outer(x))
            got, = torch.autograd.grad(y.sum(), x)
            plain = inner(inner(x.tanh()).cos()).cos()
            self.same(got, torch.autograd.grad(plain.sum(), x)[0])

    def test_nested_three_deep(self):
        x = leaf(4)
        f = torch.sin
        for _ in range(3):
            def f(x, g=f):
                return checkpoint(lambda x: g(x).tanh() * x, x, use_reentrant=False)
        got, = torch.autograd.grad(f(x).sum(), x)
        y = x.sin()
        for _ in range(3):
            y = y.tanh() * x
        self.close(got, torch.autograd.grad(y.sum(), x)[0], 1e-12)

    def test_nested_reentrant(self):
        x = leaf(4)
        y = checkpoint(lambda x: checkpoint(torch.sin, x.exp(), use_reentrant=True).exp(), x, use_reentrant=True)
        y.sum().backward()
        z = x.detach().requires_grad_()
        z.exp().sin().exp().sum().backward()
        self.close(x.grad, z.grad, 1e-12)

    def test_contexts(self):
        seen = []

        @contextlib.contextmanager
        def note(name):
            seen.append(name)
            yield

        y = checkpoint(lambda x: x.sin().exp(), leaf(3), use_reentrant=False, context_fn=lambda: (note("forward"), note("again")))
        self.assertEqual(seen, ["forward"])
        y.sum().backward()
        self.assertEqual(seen, ["forward", "again"])


class Sequential(Case):
    def test_values(self):
        torch.manual_seed(1)
        model = torch.nn.Sequential(*[torch.nn.Linear(5, 5) for _ in range(7)])
        x = torch.randn(2, 5, requires_grad=True)
        model(x).sum().backward()
        expected = [p.grad.clone() for p in model.parameters()] + [x.grad]
        for kind in KINDS:
            for functions in (model, list(model)):
                model.zero_grad()
                x.grad = None
                checkpoint_sequential(functions, 3, x, use_reentrant=kind).sum().backward()
                for g, e in zip([p.grad for p in model.parameters()] + [x.grad], expected):
                    self.close(g, e, 1e-6)


class Errors(Case):
    def test_arguments(self):
        x = leaf(3)
        with self.raises(ValueError, "Unexpected keyword arguments: foo"):
            checkpoint(torch.sin, x, use_reentrant=True, foo=1)
        with self.raises(ValueError, "context_fn", "use_reentrant=False"):
            checkpoint(torch.sin, x, use_reentrant=True, context_fn=lambda: 1)
        with self.raises(ValueError, "determinism_check", "but got x"):
            checkpoint(torch.sin, x, use_reentrant=False, determinism_check="x")
        with self.assertWarnsRegex(UserWarning, "use_reentrant parameter should be passed explicitly"):
            checkpoint(torch.sin, x)
        with self.assertWarnsRegex(UserWarning, "None of the inputs have requires_grad"):
            checkpoint(torch.sin, x.detach(), use_reentrant=True)

    def _twice(self, first, second, **options):
        runs = []

        def f(x):
            runs.append(1)
            return first(x) if len(runs) == 1 else second(x)

        checkpoint(f, leaf(3), use_reentrant=False, **options).sum().backward()

    def test_not_deterministic(self):
        with self.raises(module.CheckpointError, "different number", "forward: 2", "recomputation: 1"):
            self._twice(lambda x: x.sin().exp(), lambda x: x.sin())
        with self.raises(module.CheckpointError, "different metadata", "position 0"):
            self._twice(lambda x: x.sin().exp(), lambda x: x.sum().sin().exp())
        with self.raises(module.CheckpointError, "more tensors during recomputation"):
            self._twice(lambda x: x.sin(), lambda x: x.sin().exp(), early_stop=False)
        self._twice(lambda x: x.sin(), lambda x: x.sin().exp())  # the second is not looked at

    def test_no_check(self):
        # winnow's engine itself refuses another shape from a hook; the strides are nobody's matter
        self._twice(lambda x: x.sin(), lambda x: x.flip(0).flip(0).sin(), determinism_check="none")

    def test_error_inside(self):
        def f(x):
            raise KeyError("mine")

        for kind in KINDS:
            with self.assertRaises(KeyError):
                checkpoint(f, leaf(2), use_reentrant=kind)
        x = leaf(2)
        torch.sin(x).sum().backward()  # no hooks are left behind
        self.close(x.grad, x.cos())

    def test_error_in_the_second_run(self):
        with self.assertRaises(KeyError):
            def fail(x):
                raise KeyError("mine")

            self._twice(torch.sin, fail)

    def test_backward_twice(self):
        for kind in KINDS:
            y = checkpoint(lambda x: x.sin().exp(), leaf(3), use_reentrant=kind).sum()
            y.backward()
            with self.raises(RuntimeError, "second time"):
                y.backward()

    def test_changed_argument(self):
        x = leaf(3) * 1
        y = checkpoint(lambda x: x.sin().exp(), x, use_reentrant=False)
        with torch.no_grad():
            x.mul_(2)
        with self.raises(RuntimeError, "modified by an inplace operation"):
            y.sum().backward()


@winnow_only
class Memory(Case):
    def held(self, kind):
        """Bytes that a chain of eight blocks holds between forward and backward, and the highest during both."""
        from winnow import _C

        x = torch.ones(1 << 18, requires_grad=True)

        def block(x):
            for _ in range(4):
                x = x.sin().exp().tanh()
            return x

        before = _C._stats()["allocated"]
        _C._reset_peaks()
        y = x
        for _ in range(8):
            y = block(y) if kind is None else checkpoint(block, y, use_reentrant=kind)
        loss = y.sum()
        loss.item()
        held = _C._stats()["allocated"] - before
        loss.backward()
        x.grad.sum().item()
        return held, _C._stats()["allocated_peak"] - before

    def test_memory_falls(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            plain = self.held(None)
            for kind in KINDS:
                held, peak = self.held(kind)
                self.assertLess(held, plain[0] / 4, (kind, held, plain))
                self.assertLess(peak, plain[1] / 2, (kind, peak, plain))

    def test_nothing_stays(self):
        from winnow import _C

        def run():
            x = torch.ones(1 << 16, requires_grad=True)
            for kind in KINDS:
                checkpoint(lambda x: checkpoint(lambda x: x.sin().exp(), x * 2, use_reentrant=kind).exp(), x, use_reentrant=kind).sum().backward()

        run()
        before = _C._stats()["handles"]
        run()
        self.assertLessEqual(_C._stats()["handles"], before)


if __name__ == "__main__":
    unittest.main()
