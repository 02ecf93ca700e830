"""Backward: its arguments, accumulation, .grad, leaves, retained gradients, in-place changes and versions, second
derivatives, gradcheck, deep graphs. SPDX-License-Identifier: Apache-2.0"""
import unittest
import warnings

import torch
from torch.autograd import gradcheck, gradgradcheck

from helper import Case


def leaf(*values, dtype=torch.float32):
    return torch.tensor(values, dtype=dtype, requires_grad=True)


class Backward(Case):
    def test_scalar_root(self):
        x = leaf(1.0, 2.0, 3.0)
        self.assertIsNone((x * x).sum().backward())
        self.values(x.grad, [2.0, 4.0, 6.0])

    def test_gradient_argument(self):
        x = leaf(1.0, 2.0)
        (x * 3).backward(torch.tensor([1.0, 10.0]))
        self.values(x.grad, [3.0, 30.0])
        (x * 3).backward(gradient=torch.tensor([1.0, 1.0]))
        self.values(x.grad, [6.0, 33.0])
        with self.raises(RuntimeError, "grad can be implicitly created only for scalar outputs"):
            (x * 3).backward()
        with self.raises(RuntimeError, "shape", "[2]", "[3]"):
            (x * 3).backward(torch.ones(3))

    def test_no_graph(self):
        for t in (torch.ones(1), torch.ones(1, requires_grad=True).detach()):
            with self.raises(RuntimeError, "does not require grad and does not have a grad_fn"):
                t.backward()

    def test_root_is_a_leaf(self):
        x = leaf(2.0)
        x.backward()
        x.backward(torch.tensor([3.0]))
        self.values(x.grad, [4.0])

    def test_accumulates(self):
        x = leaf(1.0, 2.0)
        for _ in range(3):
            (x * 2).sum().backward()
        self.values(x.grad, [6.0, 6.0])
        (x + x * x + x[0]).sum().backward()
        self.values(x.grad, [11.0, 11.0])

    def test_several_roots(self):
        x, y = leaf(1.0, 2.0), leaf(3.0)
        torch.autograd.backward([x * y, (x * x).sum()], [torch.tensor([1.0, 2.0]), None])
        self.values(x.grad, [5.0, 10.0])
        self.values(y.grad, [5.0])
        torch.autograd.backward(y * 2)
        self.values(y.grad, [7.0])

    def test_inputs(self):
        x, y = leaf(1.0), leaf(2.0)
        z = x * y
        z.backward(inputs=[x])
        self.values(x.grad, [2.0])
        self.assertIsNone(y.grad)
        (x * y).backward(inputs=y)
        self.values(y.grad, [1.0])
        middle = x * 2
        (middle * 5).backward(inputs=[middle])
        self.values(middle.grad, [5.0])
        self.values(x.grad, [2.0])
        with self.raises(RuntimeError, "empty"):
            (x * y).backward(inputs=[])

    def test_retain_graph(self):
        x = leaf(1.0, 2.0)
        y = (x * x).sum()
        y.backward(retain_graph=True)
        y.backward()
        self.values(x.grad, [4.0, 8.0])
        with self.raises(RuntimeError, "backward through the graph a second time"):
            y.backward()
        z = (x + 1).sum()  # saves nothing
        z.backward()
        z.backward()
        self.values(x.grad, [6.0, 10.0])

    def test_shared_part_of_two_graphs(self):
        x = leaf(2.0)
        shared = x * x
        (shared * 2).backward()
        with self.raises(RuntimeError, "second time"):
            (shared * 3).backward()

    def test_dtype_and_broadcast(self):
        x = leaf(1.0, 2.0, dtype=torch.float64)
        b = leaf(3.0, dtype=torch.float32)
        (x * b).sum().backward()
        self.values(x.grad, [3.0, 3.0], torch.float64)
        self.values(b.grad, [3.0], torch.float32)


class Grad(Case):
    def test_plain(self):
        x, y = leaf(1.0, 2.0), leaf(3.0)
        gx, gy = torch.autograd.grad((x * y).sum(), [x, y])
        self.values(gx, [3.0, 3.0])
        self.values(gy, [3.0])
        self.assertTrue(x.grad is None and y.grad is None)
        self.assertFalse(gx.requires_grad)
        result = torch.autograd.grad((x * y).sum(), x)
        self.assertTrue(isinstance(result, tuple) and len(result) == 1)

    def test_several_outputs(self):
        x = leaf(1.0, 2.0)
        g, = torch.autograd.grad([x * 2, x * 3], x, [torch.ones(2), torch.tensor([1.0, 0.0])])
        self.values(g, [5.0, 2.0])
        g, = torch.autograd.grad(x * 2, x, grad_outputs=torch.tensor([1.0, 4.0]))
        self.values(g, [2.0, 8.0])
        with self.raises(RuntimeError, "scalar outputs"):
            torch.autograd.grad(x * 2, x)

    def test_unused(self):
        x, y = leaf(1.0), leaf(2.0)
        with self.raises(RuntimeError, "appears to not have been used in the graph"):
            torch.autograd.grad(x * 2, [x, y])
        g, none = torch.autograd.grad(x * 2, [x, y], allow_unused=True)
        self.values(g, [2.0])
        self.assertIsNone(none)
        _, zero = torch.autograd.grad(x * 2, [x, y], materialize_grads=True)
        self.values(zero, [0.0])
        with self.raises(RuntimeError, "does not require grad"):
            torch.autograd.grad(x * 2, torch.ones(1))

    def test_of_a_middle_value(self):
        x = leaf(2.0)
        y = x * x
        g, = torch.autograd.grad(y * y, y)
        self.values(g, [8.0])

    def test_second_order(self):
        x = leaf(1.0, 2.0)
        g, = torch.autograd.grad((x ** 3).sum(), x, create_graph=True)
        self.values(g, [3.0, 12.0])
        self.assertTrue(g.requires_grad)
        h, = torch.autograd.grad(g.sum(), x)
        self.values(h, [6.0, 12.0])

    def test_gradient_penalty(self):
        w = leaf(1.0, -2.0)
        x = torch.tensor([3.0, 4.0], requires_grad=True)
        g, = torch.autograd.grad((w * x * x).sum(), x, create_graph=True)
        (g * g).sum().backward()  # g = 2wx, d(g.g)/dw = 8wx^2
        self.values(w.grad, [72.0, -256.0])

    def test_third_order_through_exp(self):
        x = leaf(0.5, dtype=torch.float64)
        value = torch.exp(2 * x)
        for _ in range(3):
            value, = torch.autograd.grad(value, x, create_graph=True)
        self.close(value, [8 * 2.718281828459045], 1e-12)


class Leaves(Case):
    def test_which_are(self):
        x = leaf(1.0)
        self.assertTrue(x.is_leaf and torch.ones(1).is_leaf and x.detach().is_leaf and x.data.is_leaf)
        self.assertFalse((x * 2).is_leaf)
        self.assertFalse(x.view(1).is_leaf)
        self.assertIsNone(x.grad_fn)
        self.assertIsNotNone((x * 2).grad_fn)

    def test_requires_grad(self):
        x = torch.ones(2)
        self.assertIs(x.requires_grad_(), x)
        self.assertTrue(x.requires_grad)
        x.requires_grad = False
        self.assertFalse((x * 2).requires_grad)
        x.requires_grad_(True)
        with self.raises(RuntimeError, "leaf"):
            (x * 2).requires_grad_(False)
        with self.raises(RuntimeError, "floating point"):
            torch.ones(2, dtype=torch.int64).requires_grad_()
        self.assertTrue((x * 2).requires_grad_().requires_grad)

    def test_detach(self):
        x = leaf(1.0, 2.0)
        y = x * 3
        z = y.detach()
        self.assertFalse(z.requires_grad)
        z[0] = 100
        self.values(y, [100.0, 6.0])
        self.assertIs(y.detach_(), y)
        self.assertTrue(y.is_leaf and not y.requires_grad and y.grad_fn is None)

    def test_grad_of_a_non_leaf(self):
        x = leaf(1.0)
        y = x * 2
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.assertIsNone(y.grad)
        with self.assertWarns(UserWarning):
            y.grad

    def test_retain_grad(self):
        x = leaf(1.0, 2.0)
        y = x * 2
        y.retain_grad()
        y.retain_grad()
        self.assertTrue(y.retains_grad)
        (y * y).sum().backward()
        self.values(y.grad, [4.0, 8.0])
        self.values(x.grad, [8.0, 16.0])
        x.retain_grad()  # no effect on a leaf
        self.assertFalse(x.retains_grad)
        with self.raises(RuntimeError, "requires_grad=False"):
            torch.ones(1).retain_grad()

    def test_assigning_grad(self):
        x = leaf(1.0, 2.0)
        g = torch.tensor([5.0, 5.0])
        x.grad = g
        (x * 2).sum().backward()
        self.values(x.grad, [7.0, 7.0])
        x.grad = None
        self.assertIsNone(x.grad)
        x.grad = torch.zeros(2)
        del x.grad
        self.assertIsNone(x.grad)
        with self.raises(RuntimeError, "grad", "tensor"):
            x.grad = torch.ones(3)
        with self.raises(RuntimeError, "grad", "tensor"):
            x.grad = torch.ones(2, dtype=torch.float64)
        with self.raises(TypeError):
            x.grad = [1.0, 1.0]
        with self.raises(RuntimeError, "own grad"):
            x.grad = x

    def test_zeroing_grad_in_place(self):
        x = leaf(1.0)
        x.sum().backward()
        g = x.grad
        g.zero_()
        (x * 4).sum().backward()
        self.assertIs(x.grad, g)
        self.values(g, [4.0])

    def test_data(self):
        x = leaf(1.0, 2.0)
        x.data = torch.tensor([10.0, 20.0])
        self.values(x, [10.0, 20.0])
        self.assertTrue(x.requires_grad and x.is_leaf)
        (x * x).sum().backward()
        self.values(x.grad, [20.0, 40.0])
        x.data.mul_(2)
        self.values(x, [20.0, 40.0])
        with self.raises((RuntimeError, TypeError)):
            x.data = "a"

    def test_data_is_not_watched(self):
        """Changes through .data, its views, or of what stands behind it: backward takes what it finds."""
        def scale(x): x.data.mul_(2)
        def first(x): x.data[0] = 7
        def clip(x): x.data.clamp_(max=2)
        def other(x): x.data = torch.full((3,), 5.0)
        def both(x): x.data = x.data * 3; x.data.view(-1)[1:].add_(1)

        for change in (scale, first, clip, other, both):
            x = leaf(1.0, 2.0, 3.0)
            loss = (x * x).sum()
            version = x._version
            change(x)
            self.assertEqual(x._version, version)
            loss.backward()
            self.values(x.grad, (2 * x.detach()).tolist())
        x = leaf(1.0, 2.0, 3.0)
        loss = (x * x).sum()
        x.detach().mul_(2)
        with self.raises(RuntimeError, "modified by an inplace operation"):
            loss.backward()
        y = x.data
        loss = (y * x).sum()
        y.add_(1)
        with self.raises(RuntimeError, "modified by an inplace operation"):
            loss.backward()
        x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
        loss = (y * y).sum()
        x.data = y                      # y is not changed by it
        loss.backward()
        self.values(y.grad, [6.0, 8.0])
        self.assertEqual(x.data_ptr(), y.data_ptr())

    def test_other_data_counts_as_before(self):
        """x.data = y: x counts its own changes and those of its views of before, and y does not."""
        x = torch.zeros(4)
        x.add_(1)
        view, y = x[1:], torch.ones(2, 3)
        x.data = y
        self.assertEqual((x._version, view._version, y._version), (1, 1, 0))
        x.add_(1)
        self.assertEqual((x._version, view._version, y._version), (2, 2, 0))
        view.add_(1)
        self.assertEqual((x._version, view._version), (3, 3))
        y.add_(1)
        self.assertEqual((x._version, y._version), (3, 1))
        x[0].mul_(2)  # a view of now
        self.assertEqual((x._version, y.tolist()[0]), (4, [6.0] * 3))
        x.resize_(6).resize_(6)  # one change
        x.set_(torch.ones(6))
        self.assertEqual(x._version, 6)
        w = torch.ones(2, requires_grad=True)
        z, product = torch.ones(2), w * w
        w.data = z
        z.mul_(3)  # w's memory, but not through w
        product.sum().backward()
        self.values(w.grad, [6.0, 6.0])
        product = w * w
        with torch.no_grad():
            w.add_(1)
        with self.raises(RuntimeError, "modified by an inplace operation"):
            product.sum().backward()
        product = w * w
        w.data = torch.ones(3)
        with self.assertRaises(RuntimeError):  # of another shape than the gradient's
            product.sum().backward()


class InPlace(Case):
    def test_leaf(self):
        x = leaf(1.0)
        for change in (lambda: x.add_(1), lambda: x.zero_(), lambda: x[:1].mul_(2), lambda: x.copy_(torch.ones(1))):
            with self.raises(RuntimeError, "leaf", "in-place operation"):
                change()
        with self.raises(RuntimeError, "leaf", "in-place operation"):
            x += 1
        self.values(x, [1.0])

    def test_version_of_what_backward_needs(self):
        x = leaf(1.0, 2.0)
        for needed, change in [(lambda y: y * y, lambda y: y.add_(1)), (lambda y: y.exp(), None),
                               (lambda y: y.sin(), lambda y: y[0].zero_())]:
            y = x * 1
            z = needed(y)
            (change or (lambda y, z=z: z.mul_(2)))(y)
            with self.raises(RuntimeError, "modified by an inplace operation", "version"):
                z.sum().backward()

    def test_what_backward_does_not_need(self):
        x = leaf(1.0, 2.0)
        y = x * 3
        z = y + 1
        y.zero_()
        z.mul_(2)
        z.sum().backward()
        self.values(x.grad, [6.0, 6.0])

    def test_version_counter(self):
        x = torch.ones(3)
        self.assertEqual(x._version, 0)
        x.add_(1)
        x[0] = 5
        self.assertEqual(x._version, 2)
        y = x.view(3)
        y.zero_()
        self.assertEqual((x._version, y._version, x.detach()._version, x.clone()._version), (3, 3, 3, 0))

    def test_view_of_a_result(self):
        x = leaf(1.0, 2.0, 3.0)
        y = x * 2
        part = y[1:]
        part.mul_(10)
        self.assertIn("CopySlices", type(y.grad_fn).__name__)
        (y * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
        self.values(x.grad, [2.0, 40.0, 60.0])

    def test_views_made_without_grad(self):
        x = leaf(1.0, 2.0)
        y = x * 1
        with torch.no_grad():
            view = y[:1]
        with self.raises(RuntimeError, "no_grad mode"):
            view.mul_(2)
        first, _ = (x * 1).unbind()
        with self.raises(RuntimeError, "multiple views"):
            first.mul_(2)

    def test_out_does_not_differentiate(self):
        x = leaf(1.0)
        with self.raises(RuntimeError, "out=", "automatic differentiation"):
            torch.add(x, 1, out=torch.empty(1))
        with torch.no_grad():
            self.values(torch.add(x, 1, out=torch.empty(1)), [2.0])


class Checks(Case):
    def test_gradcheck(self):
        x = torch.tensor([0.5, 1.5, -0.7], dtype=torch.float64, requires_grad=True)
        y = torch.tensor([[1.0], [2.0]], dtype=torch.float64, requires_grad=True)
        self.assertTrue(gradcheck(lambda a: torch.tanh(a) * a, (x,)))
        self.assertTrue(gradcheck(lambda a, b: (a * b).sum(1), (x, y)))
        self.assertTrue(gradcheck(lambda a: (a.exp(), a.sin()), x))
        self.assertTrue(gradgradcheck(lambda a: a ** 3, (x,)))

    def test_gradcheck_fails(self):
        class Wrong(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, grad):
                return grad * 3

        x = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True)
        with self.raises(RuntimeError, "jacobian mismatch"):
            gradcheck(Wrong.apply, (x,))
        self.assertFalse(gradcheck(Wrong.apply, (x,), raise_exception=False))
        with self.raises(ValueError, "requires_grad"):
            gradcheck(torch.exp, (torch.ones(2, dtype=torch.float64),))

    def test_gradgradcheck_fails(self):
        class Hidden(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x ** 3

            @staticmethod
            def backward(ctx, grad):
                x, = ctx.saved_tensors
                return grad * 3 * x.detach() ** 2  # right, but its own derivative is gone

        x = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True)
        self.assertTrue(gradcheck(Hidden.apply, (x,)))
        self.assertFalse(gradgradcheck(Hidden.apply, (x,), raise_exception=False))


class Texts(Case):
    """What a gradient reads of its operation's strings is there when the program's own are gone."""

    def test_names_that_are_made_anew(self):
        calls = {
            "reflect": (lambda x, how: torch.nn.functional.pad(x, (1, 1, 1, 1), mode=how), 48.0),
            "replicate": (lambda x, how: torch.nn.functional.pad(x, (1, 1, 1, 1), mode=how), 48.0),
            "amax": (lambda x, how: x.reshape(-1).scatter_reduce(0, torch.zeros(24, dtype=torch.int64), x.reshape(-1), how), None),
            "reduced": (lambda x, how: torch.linalg.qr(x[0], how)[1], None),
        }
        for how, (f, want) in calls.items():
            with self.subTest(how):
                x = torch.rand(1, 4, 6, requires_grad=True)
                y = f(x, "".join(list(how)))
                others = ["".join(["x"] * len(how)) for _ in range(1000)]
                y.sum().backward()
                self.assertEqual(len(others), 1000)
                self.assertTrue(x.grad.isfinite().all())
                if want:
                    self.assertAlmostEqual(x.grad.sum().item(), want, places=4)


class Deep(Case):
    DEPTH = 100_000

    def test_chain(self):
        x = leaf(1.0)
        y = x
        for _ in range(self.DEPTH):
            y = y + 1
        self.assertEqual(y.item(), self.DEPTH + 1)
        y.backward()
        self.values(x.grad, [1.0])

    def test_chain_that_is_dropped(self):
        x = leaf(1.0)
        y = x
        for _ in range(self.DEPTH):
            y = y * 1
        del y
        self.assertIsNone(x.grad)
        (x * 2).backward()
        self.values(x.grad, [2.0])

    def test_wide(self):
        x = leaf(1.0)
        torch.stack([x * i for i in range(1000)]).sum().backward()
        self.values(x.grad, [499_500.0])


if __name__ == "__main__":
    unittest.main()
