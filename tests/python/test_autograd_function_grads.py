"""torch.autograd.Function, backward: wrong gradients, exceptions, second derivatives, once_differentiable,
setup_context. SPDX-License-Identifier: Apache-2.0"""
import unittest

import torch
from torch.autograd import Function, gradcheck, gradgradcheck
from torch.autograd.function import once_differentiable

from functions import Cube, Scale, SumAndProduct, leaf
from helper import Case


class Gradients(Case):
    def make(self, result):
        class Returns(Function):
            @staticmethod
            def forward(ctx, a, b):
                return a * b

            @staticmethod
            def backward(ctx, grad):
                return result(grad)

        return Returns

    def test_none(self):
        a, b = leaf(2.0), leaf(3.0)
        self.make(lambda g: (g, None)).apply(a, b).backward()
        self.values(a.grad, [1.0])
        self.assertIsNone(b.grad)

    def test_too_many_nones_are_fine(self):
        a, b = leaf(2.0), leaf(3.0)
        self.make(lambda g: (g, g, None, None)).apply(a, b).backward()
        self.values(b.grad, [1.0])

    def test_wrong_number(self):
        for result in (lambda g: g, lambda g: (g, g, g)):
            with self.raises(RuntimeError, "incorrect number of gradients", "expected 2"):
                self.make(result).apply(leaf(2.0), leaf(3.0)).backward()

    def test_wrong_shape_and_type(self):
        with self.raises(RuntimeError, "shape"):
            self.make(lambda g: (torch.ones(5), None)).apply(leaf(2.0, 1.0), leaf(3.0)).sum().backward()
        with self.assertRaises((RuntimeError, TypeError)):
            self.make(lambda g: ("a", None)).apply(leaf(2.0), leaf(3.0)).backward()

    def test_broadcast_and_dtype_are_adjusted(self):
        a, b = leaf(2.0, 3.0), leaf(3.0)
        self.make(lambda g: (g.double(), g)).apply(a, b).sum().backward()
        self.values(a.grad, [1.0, 1.0], torch.float32)
        self.values(b.grad, [2.0])

    def test_exception(self):
        def fail(grad):
            raise KeyError("in backward")

        with self.raises(KeyError, "in backward"):
            self.make(fail).apply(leaf(2.0), leaf(3.0)).backward()
        with self.raises(ZeroDivisionError):
            Scale.apply(leaf(1.0), 1, 2).backward(gradient=torch.ones(1) / (1 // 0))

    def test_no_backward(self):
        class Forward(Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

        y = Forward.apply(leaf(1.0))
        with self.raises(NotImplementedError, "backward"):
            y.backward()


class Twice(Case):
    def test_double_backward(self):
        x = leaf(2.0, 3.0, dtype=torch.float64)
        g, = torch.autograd.grad(Cube.apply(x).sum(), x, create_graph=True)
        g.sum().backward()
        self.values(x.grad, [12.0, 18.0])

    def test_checks(self):
        x = leaf(0.5, -1.5, dtype=torch.float64)
        y = leaf(2.0, 3.0, dtype=torch.float64)
        self.assertTrue(gradcheck(Cube.apply, (x,)))
        self.assertTrue(gradgradcheck(Cube.apply, (x,)))
        self.assertTrue(gradcheck(SumAndProduct.apply, (x, y)))
        self.assertTrue(gradgradcheck(SumAndProduct.apply, (x, y)))

    def test_saved_results(self):
        """A result that is saved has its history in backward, also where forward made it as a view, or with a graph of its own; an input that comes back
        unchanged keeps the input's."""
        class Square(Function):
            @staticmethod
            def forward(ctx, x, kind):
                y = x.detach() * x.detach() if kind < 2 else x * x
                if kind == 1:
                    y = torch.cat([y, y])[:y.numel()]
                elif kind == 3:
                    y = y[:]
                ctx.save_for_backward(y)
                return y

            @staticmethod
            def backward(ctx, grad):
                return 2 * grad * ctx.saved_tensors[0].sqrt(), None

        class Same(Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x, x * x

            @staticmethod
            def backward(ctx, g, h):
                return g + 2 * h * ctx.saved_tensors[0]

        for kind in range(4):
            x = leaf(1.0, 2.0, 3.0)
            first, = torch.autograd.grad(Square.apply(x, kind).sum(), x, create_graph=True)
            self.values(first, [2.0, 4.0, 6.0])
            second, = torch.autograd.grad(first.sum(), x)
            self.values(second, [2.0, 2.0, 2.0])
        first, = torch.autograd.grad(Same.apply(x)[1].sum(), x, create_graph=True)
        second, = torch.autograd.grad(first.sum(), x)
        self.values(second, [2.0, 2.0, 2.0])

    def test_once_differentiable(self):
        class Once(Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x ** 2

            @staticmethod
            @once_differentiable
            def backward(ctx, grad):
                x, = ctx.saved_tensors
                assert not torch.is_grad_enabled()
                return 2 * x * grad

        x = leaf(3.0)
        Once.apply(x).backward()
        self.values(x.grad, [6.0])
        g, = torch.autograd.grad(Once.apply(x), x, grad_outputs=leaf(1.0), create_graph=True)
        with self.raises(RuntimeError, "once_differentiable"):
            g.backward()

    def test_function_in_backward(self):
        class Outer(Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x ** 4 / 4

            @staticmethod
            def backward(ctx, grad):
                x, = ctx.saved_tensors
                return Cube.apply(x) * grad

        x = leaf(2.0, dtype=torch.float64)
        g, = torch.autograd.grad(Outer.apply(x), x, create_graph=True)
        self.values(g, [8.0])
        h, = torch.autograd.grad(g, x)
        self.values(h, [12.0])

    def test_backward_inside_forward_and_backward(self):
        class Nested(Function):
            @staticmethod
            def forward(ctx, x):
                with torch.enable_grad():
                    inner = x.detach().requires_grad_()
                    (inner ** 2).sum().backward()
                ctx.save_for_backward(inner.grad)
                return x.sum()

            @staticmethod
            def backward(ctx, grad):
                with torch.enable_grad():
                    inner = torch.ones(1, requires_grad=True)
                    (inner * 3).backward()
                return ctx.saved_tensors[0] * grad * inner.grad

        x = leaf(1.0, 2.0)
        Nested.apply(x).backward()
        self.values(x.grad, [6.0, 12.0])


class SetupContext(Case):
    def test_two_parts(self):
        class Parts(Function):
            @staticmethod
            def forward(x, n):
                return x * n, x + n

            @staticmethod
            def setup_context(ctx, inputs, output):
                x, n = inputs
                ctx.n = n
                ctx.save_for_backward(x, *output)

            @staticmethod
            def backward(ctx, a, b):
                assert len(ctx.saved_tensors) == 3
                return a * ctx.n + b, None

        x = leaf(1.0, 2.0)
        p, q = Parts.apply(x, 5)
        (p + q).sum().backward()
        self.values(x.grad, [6.0, 6.0])


if __name__ == "__main__":
    unittest.main()
