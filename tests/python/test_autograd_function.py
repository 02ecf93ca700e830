"""torch.autograd.Function, forward: what ctx offers, several outputs, arguments that are no tensors, changes in place.
SPDX-License-Identifier: Apache-2.0"""
import gc
import unittest
import warnings
import weakref

import torch
from torch.autograd import Function

from functions import Cube, Scale, SumAndProduct, leaf
from helper import Case


class Basics(Case):
    def test_forward_and_backward(self):
        x = leaf(1.0, 2.0)
        y = Cube.apply(x)
        self.values(y, [1.0, 8.0])
        self.assertTrue(y.requires_grad)
        y.sum().backward()
        self.values(x.grad, [3.0, 12.0])

    def test_name(self):
        node = Cube.apply(leaf(1.0)).grad_fn
        self.assertEqual((type(node).__name__, node.name()), ("CubeBackward", "CubeBackward"))
        self.assertIn("grad_fn=<CubeBackward>", repr(Cube.apply(leaf(1.0))))

    def test_other_arguments(self):
        x = leaf(1.0, 2.0)
        Scale.apply(x, 2.5, "a").sum().backward()
        self.values(x.grad, [2.5, 2.5])

    def test_keyword_arguments(self):
        x = leaf(1.0, 2.0)
        Scale.apply(x, name="a", factor=2.5).sum().backward()
        self.values(x.grad, [2.5, 2.5])
        Scale.apply(name="a", factor=2.0, x=x).sum().backward()
        self.values(x.grad, [4.5, 4.5])
        with self.assertRaises(TypeError):
            Scale.apply(x, 2.5)
        with self.assertRaises(TypeError):
            Scale.apply(x, 2.5, "a", colour=1)

    def test_without_gradient_nothing_is_recorded(self):
        self.assertFalse(Cube.apply(torch.ones(1)).requires_grad)
        with torch.no_grad():
            self.assertFalse(Cube.apply(leaf(1.0)).requires_grad)

    def test_forward_is_not_recorded(self):
        seen = []

        class Look(Function):
            @staticmethod
            def forward(ctx, x):
                seen.append((torch.is_grad_enabled(), x.requires_grad, (x * 2).requires_grad))
                return x * 2

            @staticmethod
            def backward(ctx, grad):
                seen.append(torch.is_grad_enabled())
                return grad

        Look.apply(leaf(1.0)).backward()
        self.assertEqual(seen, [(False, True, False), False])

    def test_large(self):
        x = torch.linspace(-1, 1, 20_480, dtype=torch.float64).requires_grad_()
        y = Cube.apply(x * 2) + 1
        y.sum().backward()
        self.close(x.grad, [24 * v * v for v in x.tolist()], 1e-12)

    def test_cannot_be_instantiated_or_called(self):
        with warnings.catch_warnings(), self.assertRaises(RuntimeError):
            warnings.simplefilter("ignore")
            Cube()(torch.ones(1))


class Context(Case):
    def test_needs_input_grad(self):
        seen = []

        class Three(Function):
            @staticmethod
            def forward(ctx, a, b, n):
                seen.append(ctx.needs_input_grad)
                return a * b * n

            @staticmethod
            def backward(ctx, grad):
                seen.append(ctx.needs_input_grad)
                return (grad if ctx.needs_input_grad[0] else None), (grad if ctx.needs_input_grad[1] else None), None

        x = leaf(2.0)
        Three.apply(torch.ones(1), x, 3).backward()
        self.assertEqual(seen, [(False, True, False)] * 2)
        self.values(x.grad, [1.0])

    def test_saved_tensors(self):
        x, constant = leaf(2.0), torch.ones(1)
        seen = []

        class Save(Function):
            @staticmethod
            def forward(ctx, x, constant):
                y = x * 2
                ctx.save_for_backward(x, constant, None, y)
                ctx.plain = [1]
                return y

            @staticmethod
            def backward(ctx, grad):
                seen.append(ctx.saved_tensors)
                self.assertEqual(ctx.plain, [1])
                return grad, None

        y = Save.apply(x, constant)
        y.backward()
        (sx, sc, none, sy), = seen
        self.assertTrue(sx is x and sc is constant and none is None)
        self.values(sy, [4.0])
        with self.raises(RuntimeError, "second time"):
            y.backward()

    def test_saved_and_changed(self):
        x = leaf(1.0)
        middle = x * 2
        y = Cube.apply(middle)
        middle.add_(1)
        with self.raises(RuntimeError, "modified by an inplace operation"):
            y.backward()

    def test_mark_non_differentiable(self):
        class SortLike(Function):
            @staticmethod
            def forward(ctx, x):
                values, indices = x.sort()
                ctx.mark_non_differentiable(indices)
                ctx.save_for_backward(indices)
                return values, indices

            @staticmethod
            def backward(ctx, grad, grad_indices):
                indices, = ctx.saved_tensors
                return torch.zeros_like(grad).scatter_(0, indices, grad)

        x = leaf(3.0, 1.0, 2.0)
        values, indices = SortLike.apply(x)
        self.assertTrue(values.requires_grad and not indices.requires_grad)
        (values * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
        self.values(x.grad, [3.0, 1.0, 2.0])

    def test_mark_dirty(self):
        class Double(Function):
            @staticmethod
            def forward(ctx, x):
                x.mul_(2)
                ctx.mark_dirty(x)
                return x

            @staticmethod
            def backward(ctx, grad):
                return grad * 2

        x = leaf(1.0, 2.0)
        y = x * 3
        z = Double.apply(y)
        self.assertIs(z, y)
        self.values(y, [6.0, 12.0])
        self.assertGreater(y._version, 0)
        self.assertIn("Double", type(y.grad_fn).__name__)
        y.sum().backward()
        self.values(x.grad, [6.0, 6.0])
        with self.raises(RuntimeError, "leaf"):
            Double.apply(x)
        x = leaf(1.0, 2.0)
        with torch.no_grad():  # changed, but the result has no gradient, and x keeps its own
            z = Double.apply(x)
        self.values(x, [2.0, 4.0])
        self.assertEqual((z.requires_grad, x.requires_grad, z is x, z.data_ptr() == x.data_ptr()), (False, True, False, True))
        y = torch.ones(2)
        with torch.no_grad():
            self.assertIs(Double.apply(y), y)

    def test_set_materialize_grads(self):
        seen = []

        class Two(Function):
            materialize = True

            @classmethod
            def make(cls, flag):
                cls.materialize = flag
                return cls

            @staticmethod
            def forward(ctx, x):
                ctx.set_materialize_grads(Two.materialize)
                return x * 1, x * 2

            @staticmethod
            def backward(ctx, a, b):
                seen.append(b)
                return a

        x = leaf(1.0)
        Two.make(True).apply(x)[0].backward()
        Two.make(False).apply(x)[0].backward()
        self.values(seen[0], [0.0])
        self.assertIsNone(seen[1])

    def test_freed_with_the_graph(self):
        held = []

        class Keeps(Function):
            @staticmethod
            def forward(ctx, x):
                ctx.big = torch.ones(3)
                held.append(weakref.ref(ctx.big))
                return x * 1

            @staticmethod
            def backward(ctx, grad):
                return grad

        y = Keeps.apply(leaf(1.0))
        self.assertIsNotNone(held[0]())
        del y
        gc.collect()
        self.assertIsNone(held[0]())


class Outputs(Case):
    def test_several(self):
        a, b = leaf(2.0), leaf(5.0)
        s, p = SumAndProduct.apply(a, b)
        self.assertEqual((s.item(), p.item()), (7.0, 10.0))
        (s * 10 + p).backward()
        self.values(a.grad, [15.0])
        self.values(b.grad, [12.0])

    def test_one_of_several(self):
        a, b = leaf(2.0), leaf(5.0)
        SumAndProduct.apply(a, b)[1].backward()
        self.values(a.grad, [5.0])

    def test_other_values_pass_through(self):
        class Mixed(Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2, "text", None, 5

            @staticmethod
            def backward(ctx, *grads):
                return grads[0] * 2

        x = leaf(1.0)
        y, text, none, five = Mixed.apply(x)
        self.assertEqual((text, none, five), ("text", None, 5))
        y.backward()
        self.values(x.grad, [2.0])

    def test_input_as_output(self):
        class Same(Function):
            @staticmethod
            def forward(ctx, x):
                return x

            @staticmethod
            def backward(ctx, grad):
                return grad * 7

        x = leaf(1.0)
        y = Same.apply(x)
        self.assertIsNot(y, x)
        y.backward()
        self.values(x.grad, [7.0])

    def test_view_as_output(self):
        class Reshape(Function):
            @staticmethod
            def forward(ctx, x):
                ctx.shape = x.shape
                return x.view(-1)

            @staticmethod
            def backward(ctx, grad):
                return grad.view(ctx.shape)

        x = torch.ones(2, 3, requires_grad=True)
        (Reshape.apply(x) * torch.arange(6.0)).sum().backward()
        self.values(x.grad, [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])


if __name__ == "__main__":
    unittest.main()
