"""Hooks: on tensors, after accumulation, on nodes; what nodes say about themselves; saved-tensor hooks; exceptions in
hooks. SPDX-License-Identifier: Apache-2.0"""
import gc
import traceback
import unittest
import weakref

import torch
from torch.autograd.graph import saved_tensors_hooks

from functions import Square
from helper import Case


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


class OnTensors(Case):
    def test_sees_the_gradient(self):
        x = leaf(1.0, 2.0)
        y = x * 2
        seen = []
        y.register_hook(lambda g: seen.append(("y", g.tolist())))
        x.register_hook(lambda g: seen.append(("x", g.tolist())))
        (y * 3).sum().backward()
        self.assertEqual(seen, [("y", [3.0, 3.0]), ("x", [6.0, 6.0])])
        self.values(x.grad, [6.0, 6.0])

    def test_replaces(self):
        x = leaf(1.0, 2.0)
        y = x * 2
        y.register_hook(lambda g: g * 10)
        x.register_hook(lambda g: g + 1)
        y.sum().backward()
        self.values(x.grad, [21.0, 21.0])

    def test_in_order_each_sees_the_last(self):
        x = leaf(1.0)
        x.register_hook(lambda g: g + 1)
        x.register_hook(lambda g: g * 10)
        (x * 2).backward()
        self.values(x.grad, [30.0])

    def test_removing(self):
        x = leaf(1.0)
        seen = []
        first = x.register_hook(lambda g: seen.append("first"))
        second = x.register_hook(lambda g: seen.append("second"))
        first.remove()
        first.remove()
        (x * 2).backward()
        self.assertEqual(seen, ["second"])
        with second:  # the handle is a context, too
            pass
        (x * 2).backward()
        self.assertEqual(seen, ["second"])

    def test_a_leaf_s_hook_sees_the_total_once(self):
        x = leaf(1.0)
        seen = []
        x.register_hook(lambda g: seen.append(g.item()))
        (x * 2 + x * 3 + x).backward()
        self.assertEqual(seen, [6.0])

    def test_replacement_is_checked(self):
        x = leaf(1.0, 2.0)
        x.register_hook(lambda g: torch.ones(3, 4))
        with self.raises(RuntimeError, "size"):
            x.sum().backward()
        y = leaf(1.0)
        y.register_hook(lambda g: "a")
        with self.raises(TypeError, "expected"):
            y.backward()

    def test_needs_a_gradient(self):
        with self.raises(RuntimeError, "doesn't require gradient"):
            torch.ones(1).register_hook(print)

    def test_with_grad(self):
        x = leaf(2.0)
        y = x * x
        y.register_hook(lambda g: g * 5)
        g, = torch.autograd.grad(y, x)
        self.values(g, [20.0])
        self.assertIsNone(x.grad)

    def test_inside_create_graph(self):
        x = leaf(3.0)
        y = x * x
        y.register_hook(lambda g: g * x)  # dy -> x dy
        g, = torch.autograd.grad(y, x, create_graph=True)
        self.values(g, [18.0])
        h, = torch.autograd.grad(g, x)  # d(2x * x)/dx
        self.values(h, [12.0])

    def test_before_an_in_place_change(self):
        x = leaf(1.0)
        y = x * 2
        seen = []
        y.register_hook(lambda g: seen.append(g.item()))
        y.mul_(5)
        y.backward()
        self.assertEqual(seen, [5.0])  # the gradient of the y that the hook was given for
        self.values(x.grad, [10.0])


class AfterAccumulation(Case):
    def test_called_with_the_leaf(self):
        x = leaf(1.0, 2.0)
        seen = []
        handle = x.register_post_accumulate_grad_hook(lambda t: seen.append((t is x, t.grad.tolist())))
        (x * 2).sum().backward()
        (x * 3).sum().backward()
        self.assertEqual(seen, [(True, [2.0, 2.0]), (True, [5.0, 5.0])])
        handle.remove()
        x.sum().backward()
        self.assertEqual(len(seen), 2)

    def test_stepping_in_backward(self):
        x = leaf(1.0)

        def step(t):
            with torch.no_grad():
                t -= 0.5 * t.grad
            t.grad = None

        x.register_post_accumulate_grad_hook(step)
        for _ in range(2):
            (x * x).backward()
        self.assertIsNone(x.grad)
        self.values(x.detach(), [0.0])

    def test_only_on_leaves(self):
        with self.raises(RuntimeError, "leaf"):
            (leaf(1.0) * 2).register_post_accumulate_grad_hook(print)
        with self.raises(RuntimeError, "require"):
            torch.ones(1).register_post_accumulate_grad_hook(print)

    def test_not_for_grad(self):
        x = leaf(1.0)
        seen = []
        x.register_post_accumulate_grad_hook(seen.append)
        torch.autograd.grad(x * 2, x)
        self.assertEqual(seen, [])


class Nodes(Case):
    def test_names(self):
        x = torch.ones(2, 2, requires_grad=True)
        for make, name in [(lambda: x * 2, "Mul"), (lambda: x + x, "Add"), (lambda: x @ x, "Mm"),
                           (lambda: x.exp(), "Exp"), (lambda: x.sum(), "Sum"), (lambda: x[0], "Select"),
                           (lambda: x.view(4), "View"), (lambda: x.relu(), "Relu"), (lambda: x.t(), "T"),
                           (lambda: torch.cat([x, x]), "Cat"), (lambda: torch.tanh(x), "Tanh"),
                           (lambda: x.softmax(0), "Softmax"), (lambda: -x, "Neg"), (lambda: x / x, "Div")]:
            node = make().grad_fn
            self.assertEqual((type(node).__name__, node.name()), (name + "Backward0", name + "Backward0"))

    def test_next_functions(self):
        x, y = leaf(1.0), leaf(2.0)
        z = (x * y) + torch.ones(1)
        (product, n), (nothing, _) = z.grad_fn.next_functions
        self.assertEqual((product.name(), n, nothing), ("MulBackward0", 0, None))
        (to_x, _), (to_y, _) = product.next_functions
        self.assertEqual(to_x.name(), "torch::autograd::AccumulateGrad")
        self.assertTrue(to_x.variable is x and to_y.variable is y)
        self.assertEqual(to_x.next_functions, ())

    def test_output_number(self):
        x = leaf(1.0, 2.0)
        a, b = x.unbind()
        self.assertEqual((a.output_nr, b.output_nr), (0, 1))
        self.assertEqual((a + b).grad_fn.next_functions[1][1], 1)

    def test_identity(self):
        y = leaf(1.0) * 2
        self.assertIs(y.grad_fn, y.grad_fn)
        self.assertEqual(len({y.grad_fn, y.grad_fn}), 1)
        y.grad_fn.metadata["mine"] = 1
        self.assertEqual(y.grad_fn.metadata["mine"], 1)

    def test_walking_the_graph(self):
        x = leaf(1.0)
        y = ((x * 2).exp() + x).sum()
        names, queue = [], [y.grad_fn]
        while queue:
            node = queue.pop(0)
            names.append(node.name())
            queue += [n for n, _ in node.next_functions if n is not None]
        self.assertEqual(names, ["SumBackward0", "AddBackward0", "ExpBackward0", "torch::autograd::AccumulateGrad",
                                 "MulBackward0", "torch::autograd::AccumulateGrad"])

    def test_post_hook(self):
        x = leaf(1.0, 2.0)
        y = x * 2
        seen = []
        handle = y.grad_fn.register_hook(lambda gin, gout: seen.append((gin[0].tolist(), gin[1], gout[0].tolist())))
        (y * 3).sum().backward(retain_graph=True)
        self.assertEqual(seen, [([6.0, 6.0], None, [3.0, 3.0])])
        handle.remove()
        y.sum().backward()
        self.assertEqual(len(seen), 1)

    def test_post_hook_replaces(self):
        x = leaf(1.0, 2.0)
        y = x * 2
        y.grad_fn.register_hook(lambda gin, gout: (gin[0] * 100, None))
        y.sum().backward()
        self.values(x.grad, [200.0, 200.0])

    def test_prehook(self):
        x = leaf(1.0)
        y = x * 2
        seen = []
        y.grad_fn.register_prehook(lambda gout: seen.append(gout[0].item()))
        y.grad_fn.register_prehook(lambda gout: (gout[0] * 7,))
        (y * 3).backward()
        self.assertEqual(seen, [3.0])
        self.values(x.grad, [42.0])

    def test_hooks_of_a_leaf_s_node(self):
        x = leaf(1.0)
        node = (x * 1).grad_fn.next_functions[0][0]
        seen = []
        node.register_prehook(lambda gout: seen.append(gout[0].item()))
        node.register_hook(lambda gin, gout: seen.append(x.grad.item()))
        (x * 4).backward()
        self.assertEqual(seen, [4.0, 4.0])


class Exceptions(Case):
    class Mine(Exception):
        pass

    def broken_hook(self, *gradients):
        raise self.Mine("from the hook")

    def check(self, run):
        try:  # assertRaises would drop the traceback
            run()
        except self.Mine as error:
            self.assertEqual(error.args, ("from the hook",))
            functions = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
            self.assertEqual((functions[0], functions[-1]), ("check", "broken_hook"))
        else:
            self.fail("no exception arrived")

    def test_in_every_kind_of_hook(self):
        x = leaf(1.0)
        y = x * 2
        y.register_hook(self.broken_hook)
        self.check(y.backward)
        x = leaf(1.0)
        x.register_post_accumulate_grad_hook(self.broken_hook)
        self.check((x * 2).backward)
        for register in ("register_hook", "register_prehook"):
            y = leaf(1.0) * 2
            getattr(y.grad_fn, register)(self.broken_hook)
            self.check(y.backward)

    def test_afterwards_everything_works(self):
        x = leaf(1.0)
        handle = x.register_hook(self.broken_hook)
        y = x * 2
        self.check(lambda: y.backward(retain_graph=True))
        self.assertIsNone(x.grad)
        handle.remove()
        y.backward()
        self.values(x.grad, [2.0])

    def test_keyboard_interrupt(self):
        def interrupt(g):
            raise KeyboardInterrupt

        x = leaf(1.0)
        x.register_hook(interrupt)
        with self.assertRaises(KeyboardInterrupt):
            (x * 2).backward()


class Lifetime(Case):
    def test_released_with_the_graph(self):
        class Callable:
            def __call__(self, *arguments):
                return None

        for attach in (lambda y, h: y.register_hook(h), lambda y, h: y.grad_fn.register_hook(h),
                       lambda y, h: y.grad_fn.register_prehook(h)):
            hook = Callable()
            alive = weakref.ref(hook)
            y = leaf(1.0) * 2
            attach(y, hook)
            del hook
            gc.collect()
            self.assertIsNotNone(alive())
            del y
            gc.collect()
            self.assertIsNone(alive())

    def test_released_when_removed(self):
        hook = type("Hook", (), {"__call__": lambda self, g: None})()
        alive = weakref.ref(hook)
        x = leaf(1.0)
        handle = x.register_hook(hook)
        handle.remove()
        del hook
        gc.collect()
        self.assertIsNone(alive())


class SavedTensors(Case):
    def test_pack_and_unpack(self):
        events = []

        def pack(t):
            events.append(("pack", t.tolist()))
            return t * 2

        def unpack(t):
            events.append(("unpack", t.tolist()))
            return t / 2

        x = leaf(1.0, 2.0)
        with saved_tensors_hooks(pack, unpack):
            y = x.exp().sin()
        self.assertEqual([kind for kind, _ in events], ["pack", "pack"])
        y.sum().backward()
        self.assertEqual([kind for kind, _ in events], ["pack", "pack", "unpack", "unpack"])
        self.close(x.grad, (torch.cos(torch.exp(x)) * torch.exp(x)).detach())

    def test_anything_may_be_kept(self):
        shelf = {}

        def pack(t):
            shelf[len(shelf)] = t.detach().tolist()
            return len(shelf) - 1

        x = leaf(1.0, 2.0)
        with saved_tensors_hooks(pack, lambda key: torch.tensor(shelf[key])):
            y = x * x
        y.sum().backward()
        self.values(x.grad, [2.0, 4.0])

    def test_nesting_and_end(self):
        x = leaf(2.0)
        names = []
        with saved_tensors_hooks(lambda t: names.append("outer") or t, lambda t: t):
            with saved_tensors_hooks(lambda t: names.append("inner") or t, lambda t: t):
                x.exp()
            x.exp()
        x.exp()
        self.assertEqual(names, ["inner", "outer"])

    def test_errors_arrive(self):
        def fail(t):
            raise KeyError("pack")

        x = leaf(1.0)
        with self.assertRaises(KeyError), saved_tensors_hooks(fail, lambda t: t):
            x.exp()
        with saved_tensors_hooks(lambda t: t, lambda t: "a"):
            y = x.exp()
        with self.assertRaises((RuntimeError, TypeError)):
            y.backward()

    def test_in_a_function(self):
        seen = []
        x = leaf(3.0)
        with saved_tensors_hooks(lambda t: seen.append("pack") or t, lambda t: seen.append("unpack") or t):
            y = Square.apply(x)
        y.backward()
        self.assertEqual(seen, ["pack", "unpack"])
        self.values(x.grad, [6.0])


if __name__ == "__main__":
    unittest.main()
