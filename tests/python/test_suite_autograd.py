"""What PyTorch's test_autograd.py found missing: the order of hooks, what nodes keep, edges made of nodes, callbacks, batched cotangents, texts.
SPDX-License-Identifier: Apache-2.0"""
import unittest
import warnings

import torch
from helper import Case
from torch.autograd import Function, Variable
from torch.autograd.graph import GradientEdge
from torch.utils.checkpoint import checkpoint


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


class Hooks(Case):
    def test_of_tensors_come_before_those_of_nodes(self):
        log = []

        def of_tensor(g):
            log.append("tensor")
            return g * 3

        def of_node(gs):
            log.append("node")
            return tuple(g * 2 for g in gs)

        a = torch.tensor(1.0, requires_grad=True)
        b = a.clone()
        b.grad_fn.register_prehook(of_node)
        b.register_hook(of_tensor)
        end = b.grad_fn.next_functions[0][0]
        end.register_prehook(of_node)
        a.register_hook(of_tensor)
        b.backward(retain_graph=True)
        self.assertEqual((log, a.grad.item()), (["tensor", "node"] * 2, 36.0))
        log.clear()
        torch.autograd.grad(b, a, retain_graph=True)
        self.assertEqual(log, ["tensor", "node", "tensor"])  # nothing is accumulated
        log.clear()
        b.sum().backward(inputs=(b,))
        self.assertEqual((log, b.grad.item()), (["tensor", "node"], 3.0))

    def test_around_accumulating(self):
        for late in (False, True):
            t = torch.rand(3, requires_grad=True)
            end = t.view_as(t).grad_fn.next_functions[0][0]

            def half(x):
                x.grad.add_(0.5)

            def after(grad_in, grad_out):
                self.assertEqual(len(grad_in), 0)
                t.grad = grad_out[0] * 10 + t.grad

            steps = [lambda: t.register_hook(lambda g: g - 2), lambda: end.register_prehook(lambda gs: (gs[0] / 5,)),
                     lambda: t.register_post_accumulate_grad_hook(half), lambda: end.register_hook(after)]
            for step in reversed(steps) if late else steps:
                step()
            t.sum().backward()
            self.close(t.grad, torch.full((3,), 0.3 * 10 + 0.3))

    def test_of_functions_see_every_result(self):
        class Both(Function):
            @staticmethod
            def forward(ctx, x, k):
                return x * k, k, x + k

            @staticmethod
            def backward(ctx, first, number, last):
                return first * 2 + last, None

        seen = []

        def before(grads):
            seen.append([g is None for g in grads])
            return (grads[0] * 2, None, grads[2] * 3)

        x = leaf(1.0)
        first, k, last = Both.apply(x, 5)
        first.grad_fn.register_prehook(before)
        (first + last).sum().backward()
        self.assertEqual((seen, k, x.grad.item()), ([[False, True, False]], 5, 7.0))

    def test_retained_gradients_add_up(self):
        x = torch.rand(1, 3, requires_grad=True)
        h = x * 3
        out = (h * h).sum()
        h.retain_grad()
        for times in (2, 4):
            out.backward(retain_graph=True)
            self.close(h.grad, times * h)


class Nodes(Case):
    def test_keep_what_backward_needs(self):
        a, k = leaf(2.0, 3.0), torch.tensor([5.0, 7.0])
        b, c = a * k, a.exp()
        self.assertIs(b.grad_fn._saved_other, k)
        self.assertIsNone(b.grad_fn._saved_self)
        d = b * a
        self.assertIs(d.grad_fn._saved_other, a)
        self.assertIs(d.grad_fn._saved_self, b)
        kept = c.grad_fn._saved_result
        self.assertEqual((kept.tolist(), kept.grad_fn is c.grad_fn, kept is c), (c.tolist(), True, False))
        self.assertFalse(hasattr(b.grad_fn, "_saved_nothing"))
        d.sum().backward()
        with self.assertRaisesRegex(RuntimeError, "after they have already been freed"):
            d.grad_fn._saved_self

    def test_keep_what_hooks_give_back(self):
        with torch.autograd.graph.saved_tensors_hooks(lambda x: x.tolist(), torch.tensor):
            a = leaf(2.0, 3.0)
            y = a * a
        self.assertEqual(y.grad_fn._saved_self.tolist(), [2.0, 3.0])
        y.sum().backward()
        self.assertEqual(a.grad.tolist(), [4.0, 6.0])

    def test_kinds(self):
        a = leaf(1.0)
        f = torch._C._functions
        self.assertIsInstance((a + 1).grad_fn.next_functions[0][0], f.AccumulateGrad)
        self.assertNotIsInstance((a + 1).grad_fn, f.AccumulateGrad)
        f.UndefinedGrad()(a).backward()
        self.assertIsNone(a.grad)
        bad = f.DelayedError("late", 1)(a)
        with self.assertRaisesRegex(RuntimeError, "late"):
            (bad * 2).sum().backward()

    def test_edges_of_a_node_and_a_number(self):
        x, y = leaf(1.0, 2.0).clone(), leaf(3.0, 4.0).clone()
        ex, ey = GradientEdge(x.grad_fn, x.output_nr), GradientEdge(y.grad_fn, y.output_nr)
        out = x * y
        self.assertEqual([g.tolist() for g in torch.autograd.grad(out.sum(), (ex, ey), retain_graph=True)], [[3.0, 4.0], [1.0, 2.0]])
        (gx,) = torch.autograd.grad(GradientEdge(out.grad_fn, 0), x, grad_outputs=torch.tensor([1.0, 10.0]), retain_graph=True)
        self.assertEqual(gx.tolist(), [3.0, 40.0])
        torch.autograd.backward(out.sum(), inputs=(ex,), retain_graph=True)
        z = leaf(1.0).clone()
        with self.assertRaisesRegex(RuntimeError, "materialize_grads cannot be used when the given input is a GradientEdge"):
            torch.autograd.grad(out.sum(), (x, GradientEdge(z.grad_fn, 0)), allow_unused=True, materialize_grads=True)


class Backward(Case):
    def test_callbacks_come_at_the_end(self):
        log = []

        class Asks(Function):
            @staticmethod
            def forward(ctx, x):
                return x.clone()

            @staticmethod
            def backward(ctx, grad):
                queue = Variable._execution_engine.queue_callback
                queue(lambda: (log.append("first"), queue_again()))
                inner = torch.ones(1, requires_grad=True)
                with torch.enable_grad():
                    (inner * 2).backward()
                log.append("backward")
                return grad

        def queue_again():
            log.append("added")

        leaf(1.0)
        Asks.apply(leaf(1.0)).backward()
        self.assertEqual(log, ["backward", "first", "added"])
        with self.assertRaisesRegex(RuntimeError, "Final callbacks can only be installed during backward pass"):
            Variable._execution_engine.queue_callback(log.clear)

        class Fails(Asks):
            @staticmethod
            def backward(ctx, grad):
                Variable._execution_engine.queue_callback(log.clear)
                raise ValueError("stop")

        with self.assertRaises(ValueError):
            Fails.apply(leaf(1.0)).backward()
        leaf(1.0).backward()
        self.assertEqual(len(log), 3)

    def test_which_one_runs(self):
        numbers, keeps = [], []

        class Looks(Function):
            @staticmethod
            def forward(ctx, x):
                return x.clone()

            @staticmethod
            def backward(ctx, grad):
                numbers.append(torch._C._current_graph_task_id())
                keeps.append(torch._C._autograd._get_current_graph_task_keep_graph())
                return grad

        out = Looks.apply(leaf(1.0))
        with torch.autograd.set_multithreading_enabled(False):
            self.assertFalse(torch.autograd.is_multithreading_enabled())
            out.backward(retain_graph=True)
        self.assertTrue(torch.autograd.is_multithreading_enabled())
        out.backward()
        self.assertEqual((numbers[1] - numbers[0], keeps, torch._C._current_graph_task_id()), (1, [True, False], -1))

    def test_warns_of_a_cycle(self):
        def warned(f):
            with warnings.catch_warnings(record=True) as given:
                warnings.simplefilter("always")
                f()
            return any("Using backward() with create_graph=True" in str(w.message) for w in given)

        b = leaf(1.0)
        was = torch.is_warn_always_enabled()
        torch.set_warn_always(True)
        try:
            self.assertTrue(warned(lambda: (b * b).backward(create_graph=True)))
            self.assertFalse(warned(lambda: torch.autograd.grad((b * b).sum(), b, create_graph=True)))
        finally:
            torch.set_warn_always(was)
            b.grad = None

    def test_view_of_what_had_no_gradient(self):
        a, b = torch.tensor([2.0, 5.0]), leaf(3.0)
        part = a.narrow(0, 1, 1).mul_(b)
        part.sum().backward()
        self.assertEqual((b.grad.tolist(), a.tolist(), a.grad_fn is None), ([5.0], [2.0, 15.0], False))
        c = leaf(2.0)
        a = torch.tensor([2.0, 5.0])
        a[:1].mul_(c)
        a[1:].mul_(c)
        (a * torch.tensor([1.0, 10.0])).sum().backward()
        self.assertEqual(c.grad.tolist(), [52.0])

    def test_pieces(self):
        for f in (lambda t: t.split(1), lambda t: t.chunk(3), lambda t: t.unbind()):
            pieces = f(torch.randn(3, 3, requires_grad=True) * 2)
            with self.assertRaisesRegex(RuntimeError, "Output 0 of .* is a view and is being modified inplace. This view is the output of a function "
                                                      "that returns multiple views."):
                pieces[0].mul_(pieces[1])
        for f in (lambda t: t.unsafe_split(1), lambda t: t.unsafe_split_with_sizes((1, 1, 1)), lambda t: t.unsafe_chunk(3)):
            a = torch.ones(3, 3, requires_grad=True)
            first, second, _ = f(a * 2)
            first.mul_(3)
            first.sum().backward()
            self.assertEqual(a.grad.tolist(), [[6.0] * 3, [0.0] * 3, [0.0] * 3])

    def test_data_stays(self):
        x = leaf(1.0)
        with self.assertRaisesRegex(RuntimeError, "Deleting tensor data is not allowed"):
            del x.data
        self.assertRaises(TypeError, setattr, x, "data", None)


class Repeated(Case):
    def test_a_result_twice(self):
        class Twice(Function):
            @staticmethod
            def forward(ctx, x):
                y = x * 2
                return y, y

            @staticmethod
            def backward(ctx, first, second):
                return first * 2 + second * 2

        x = leaf(1.0, 2.0)
        first, second = Twice.apply(x)
        (first + second).sum().backward()
        self.assertEqual(x.grad.tolist(), [4.0, 4.0])

    def test_results_without_gradient_get_zeros_unless_told(self):
        for told in (False, True):
            seen = []

            class Two(Function):
                @staticmethod
                def forward(ctx, x):
                    first, second = x.clone(), x.clone()
                    ctx.mark_non_differentiable(second)
                    if told:
                        ctx._materialize_non_diff_grads = False
                    return first, second

                @staticmethod
                def backward(ctx, first, second):
                    seen.append(second)
                    return first

            Two.apply(leaf(1.0))[0].backward()
            self.assertEqual([None] if told else [[0.0]], [s if s is None else s.tolist() for s in seen])

    def test_strict_hessian(self):
        with self.assertRaisesRegex(RuntimeError, "Output 0 of the user-provided function does not require gradients"):
            torch.autograd.functional.hessian(lambda x: x.detach().sum(), torch.ones(2), strict=True)
        for f in (torch.autograd.functional.jacobian, torch.autograd.functional.hessian):
            with self.assertRaisesRegex(RuntimeError, "not supported together"):
                f(lambda x: (x * x).sum(), torch.ones(2), strict=True, vectorize=True)


class Mutation(Case):
    def test_of_what_is_saved(self):
        with torch.autograd.graph.allow_mutation_on_saved_tensors() as ctx:
            a = leaf(0.5, 2.0)
            b = a.clone()
            first = (b**2).sum()
            again = (b**2).sum()
            b.sin_()
            self.assertEqual(len(list(ctx.cloned.items())), 1)
            (first + again).backward()
            self.assertEqual((a.grad.tolist(), len(list(ctx.cloned.items()))), ([2.0, 8.0], 0))
            with self.assertRaisesRegex(RuntimeError, "contexts cannot be nested"):
                with torch.autograd.graph.allow_mutation_on_saved_tensors():
                    pass
            late = (a.clone()**2).sum()
        with self.assertRaisesRegex(AssertionError, "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context"):
            late.backward()


class Checks(Case):
    def test_batched_cotangents(self):
        x = torch.rand(3, dtype=torch.float64, requires_grad=True)
        for fast in (False, True):
            self.assertTrue(torch.autograd.gradcheck(lambda x: (x.sin(), x * x), (x,), check_batched_grad=True, fast_mode=fast))
            self.assertTrue(torch.autograd.gradgradcheck(lambda x: x.sin(), (x,), check_batched_grad=True, fast_mode=fast))

    def test_absent_cotangents(self):
        class Wrong(Function):
            @staticmethod
            def forward(ctx, x):
                ctx.set_materialize_grads(False)
                return x.clone(), x.clone()

            @staticmethod
            def backward(ctx, first, second):
                if first is None or second is None:
                    g = first if second is None else second
                    if g is None or not g.any():  # what the check for absence gives, and no other
                        raise RuntimeError("absent")
                    return g
                return first + second

        x = torch.ones(1, dtype=torch.float64, requires_grad=True)
        with self.assertWarnsRegex(UserWarning, "New undefined gradient support checking feature"):
            with self.assertRaisesRegex(RuntimeError, "Expected backward function to handle undefined output grads"):
                torch.autograd.gradcheck(Wrong.apply, (x,))


class Checkpoints(Case):
    def test_gradients_inside_and_of_gradients(self):
        def f(x):
            return x.sin().exp().sin()

        def g(x):
            (ga,) = torch.autograd.grad(f(x), x, create_graph=True)
            return x.sin() * ga

        def twice(h, x):
            (first,) = torch.autograd.grad(h(x), x, create_graph=True)
            (second,) = torch.autograd.grad(first, x)
            return first.item(), second.item()

        def again(h):
            return lambda x: checkpoint(h, x, use_reentrant=False)

        x = torch.tensor(0.7, requires_grad=True)
        for h in (f, g):
            for with_checkpoints in (again(h), again(again(h)), lambda x: again(h)(again(torch.sin)(x.asin()))):
                for got, expected in zip(twice(with_checkpoints, x), twice(h, x)):
                    self.assertAlmostEqual(got, expected, places=4)

    def test_reentrant_ones_only_accumulate(self):
        a = torch.randn(2, 2, requires_grad=True)
        with self.assertRaisesRegex(RuntimeError, "torch.utils.checkpoint is incompatible"):
            torch.autograd.grad(checkpoint(torch.exp, a, use_reentrant=True).sum(), (a,))
        checkpoint(torch.exp, a, use_reentrant=True).sum().backward()
        self.close(a.grad, a.exp())

    def test_what_needs_no_gradient_comes_back_itself(self):
        seen = []

        class Keeps(Function):
            @staticmethod
            def forward(ctx, x, y):
                ctx.save_for_backward(y)
                return x.clone()

            @staticmethod
            def backward(ctx, g):
                seen.extend(ctx.saved_tensors)
                return g, None

        b = torch.tensor(1.0)
        checkpoint(Keeps.apply, leaf(1.0), b, use_reentrant=False).backward()
        self.assertIs(seen[0], b)


if __name__ == "__main__":
    unittest.main()
