"""no_grad, enable_grad, set_grad_enabled and inference_mode: as contexts, as decorators, nested, left by exceptions,
one for each thread. SPDX-License-Identifier: Apache-2.0"""
import asyncio
import threading
import unittest

import torch

from helper import Case


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


def records():
    """Is an operation recorded right now?"""
    return (leaf(1.0) * 2).requires_grad


class Contexts(Case):
    def test_no_grad(self):
        self.assertTrue(torch.is_grad_enabled() and records())
        with torch.no_grad():
            self.assertFalse(torch.is_grad_enabled() or records())
        self.assertTrue(torch.is_grad_enabled() and records())

    def test_nested(self):
        with torch.no_grad():
            with torch.enable_grad():
                self.assertTrue(records())
                with torch.no_grad():
                    self.assertFalse(records())
                self.assertTrue(records())
            self.assertFalse(records())
            with torch.no_grad():
                pass
            self.assertFalse(records())
        self.assertTrue(records())

    def test_left_by_an_exception(self):
        for context in (torch.no_grad, torch.inference_mode, lambda: torch.set_grad_enabled(False)):
            with self.assertRaises(KeyError), context():
                raise KeyError
            self.assertTrue(records() and not torch.is_inference_mode_enabled())

    def test_one_object_again(self):
        context = torch.no_grad()
        for _ in range(2):
            with context:
                self.assertFalse(records())
            self.assertTrue(records())

    def test_set_grad_enabled(self):
        with torch.set_grad_enabled(False):
            self.assertFalse(records())
            with torch.set_grad_enabled(True):
                self.assertTrue(records())
            self.assertFalse(records())
        self.assertTrue(records())

    def test_set_grad_enabled_as_a_call(self):
        try:
            torch.set_grad_enabled(False)
            self.assertFalse(records())
            with torch.enable_grad():
                self.assertTrue(records())
            self.assertFalse(records())
        finally:
            torch.set_grad_enabled(True)
        self.assertTrue(records())

    def test_what_is_made_inside_is_a_leaf(self):
        x = leaf(1.0)
        with torch.no_grad():
            y = x * 2
            z = leaf(5.0)
        self.assertTrue(y.is_leaf and not y.requires_grad and z.requires_grad)
        (x * y).backward()
        self.values(x.grad, [2.0])

    def test_backward_works_inside(self):
        x = leaf(3.0)
        y = x * x
        with torch.no_grad():
            y.backward()
        self.values(x.grad, [6.0])

    def test_exit_through_a_return(self):
        def inner():
            with torch.no_grad():
                return records()

        self.assertFalse(inner())
        self.assertTrue(records())


class Decorators(Case):
    def test_functions(self):
        @torch.no_grad()
        def evaluate(a, *, b=2):
            """Its own text."""
            return a, b, records()

        @torch.enable_grad()
        def train():
            return records()

        @torch.no_grad
        def without_parentheses():
            return records()

        @torch.inference_mode()
        def infer():
            return torch.is_inference_mode_enabled(), records()

        self.assertEqual(evaluate(1, b=3), (1, 3, False))
        self.assertEqual((evaluate.__name__, evaluate.__doc__), ("evaluate", "Its own text."))
        with torch.no_grad():
            self.assertTrue(train())
        self.assertFalse(without_parentheses())
        self.assertEqual(infer(), (True, False))
        self.assertTrue(records())

    def test_recursion(self):
        @torch.no_grad()
        def down(n):
            self.assertFalse(records())
            if n:
                down(n - 1)
            self.assertFalse(records())

        down(5)
        self.assertTrue(records())

    def test_generators(self):
        @torch.no_grad()
        def rows():
            for _ in range(2):
                got = yield records()
                self.assertEqual(got, None)

        seen = []
        for inside in rows():
            seen.append((inside, records()))
        self.assertEqual(seen, [(False, True)] * 2)

    def test_methods(self):
        class Model:
            @torch.no_grad()
            def predict(self):
                return records()

        self.assertFalse(Model().predict())


class Inference(Case):
    def test_tensors_of_it(self):
        with torch.inference_mode():
            self.assertTrue(torch.is_inference_mode_enabled())
            x = torch.ones(2)
            y = leaf(1.0) * 2
        self.assertTrue(x.is_inference() and y.is_inference() and not y.requires_grad)
        self.assertFalse(torch.ones(1).is_inference() or torch.is_inference_mode_enabled())
        self.values(x + 1, [2.0, 2.0])

    def test_outside_they_are_restricted(self):
        with torch.inference_mode():
            x = torch.ones(2)
        with self.raises(RuntimeError, "inference tensor"):
            x.add_(1)
        with self.raises(RuntimeError, "inference tensor"):
            leaf(1.0, 2.0) * x
        with self.raises(RuntimeError, "inference tensor"):
            x.requires_grad_()
        (leaf(1.0, 2.0) * x.clone()).sum().backward()

    def test_inside_everything_may_change(self):
        outside = torch.ones(2)
        with torch.inference_mode():
            x = torch.zeros(2)
            x.add_(1)
            outside.mul_(3)
            x[0] = 5
        self.values(outside, [3.0, 3.0])
        self.values(x, [5.0, 1.0])

    def test_switched_off(self):
        with torch.inference_mode(False):
            self.assertTrue(records())
        with torch.inference_mode():
            with torch.inference_mode(mode=False):
                self.assertFalse(torch.ones(1).is_inference())
                self.assertTrue(records())
            self.assertFalse(records())

    def test_large(self):
        with torch.inference_mode():
            x = torch.arange(20_480.0) * 2 + 1
        self.assertEqual(x.sum().item(), 20_480.0 ** 2)

    def test_views(self):
        """A view is what its base is, whichever mode it is made in."""
        x = leaf(1.0, 2.0, 3.0)
        a = x * 1
        with torch.inference_mode():
            inside, copies = torch.ones(3), [a + 1, a.clone(), a.to(torch.float64)]
            views = [a.view(3, 1), a[1:], a.expand(2, 3), a.view(-1)[:2], x[0]]
            for v in views:
                self.assertTrue(v._is_view() and v.requires_grad and v.is_leaf and not v.is_inference())
            self.assertFalse(a.detach().is_inference() or a.data.is_inference() or a.detach().requires_grad)
            self.assertTrue(all([c.is_inference() and not c.requires_grad for c in copies]))
        outside = inside[1:]
        self.assertTrue(outside.is_inference())
        self.assertFalse(outside._is_view() or outside.requires_grad)
        with self.raises(RuntimeError, "Inplace update to inference tensor outside InferenceMode is not allowed"):
            outside.add_(1)
        self.assertTrue((views[0] * views[0]).requires_grad)  # as the view; and nothing gets a gradient
        (views[0] * views[0]).sum().backward()
        self.assertIsNone(x.grad)

    def test_views_that_are_changed(self):
        a = leaf(1.0, 2.0) * 1
        with torch.inference_mode():
            v, w = a.view(-1), a[:1]
            v.add_(1)  # not recorded
        self.assertEqual(a._version, 1)
        with self.raises(RuntimeError, "A view was created in inference mode and is being modified inplace in normal mode"):
            v.add_(1)
        with self.raises(RuntimeError, "A view was created in inference mode and is being modified inplace in normal mode"):
            v.unsqueeze_(0)
        with self.raises(RuntimeError, "A view was created in inference mode and its base or another view of its base has been modified inplace"):
            w.grad_fn
        with self.raises(RuntimeError, "A view was created in inference mode and its base or another view"):
            w * 2
        plain = torch.zeros(2)
        with torch.inference_mode():
            v = plain[1:]
        v.add_(1)  # nothing requires a gradient
        plain.add_(1)
        self.values(v, [2.0])
        self.assertIsNone(v.grad_fn)

    def test_leaves_of_it(self):
        with torch.inference_mode():
            x = torch.ones(2, 3, requires_grad=True)
            for change in (lambda: x.add_(1), lambda: x.transpose_(0, 1), lambda: x.unsqueeze_(0), lambda: x.resize_(2), lambda: x.copy_(torch.ones(2))):
                change()
                self.assertTrue(x.is_inference() and x.requires_grad and x.is_leaf)
            self.assertFalse((x * 2).requires_grad or x[0].requires_grad)
        self.assertFalse(x[0].requires_grad)
        (x + leaf(1.0, 2.0)).sum().backward()  # saves nothing
        self.values(x.grad, [1.0, 1.0])
        with self.raises(RuntimeError, "Inference tensors cannot be saved for backward. Please do not use"):
            x * leaf(1.0, 2.0)

    def test_changes_of_geometry(self):
        with torch.inference_mode():
            x = torch.ones(2, 1)
        for change in (x.t_, x.squeeze_, lambda: x.unsqueeze_(0), lambda: x.transpose_(0, 1), lambda: x.resize_(1)):
            with self.raises(RuntimeError, "Inplace update to inference tensor outside InferenceMode is not allowed"):
                change()
        with self.raises(RuntimeError, "Inplace update to inference tensor outside InferenceMode is not allowed"):
            torch.mul(torch.ones(2, 1), 2, out=x)
        normal = torch.ones(2, 3)
        with torch.inference_mode():
            normal.t_()
            normal.resize_(8)
            normal.add_(0)
        self.assertFalse(normal.is_inference())

    def test_versions(self):
        with torch.inference_mode():
            x = torch.ones(2)
        with self.raises(RuntimeError, "Inference tensors do not track version counter"):
            x._version
        x.data = torch.zeros(2)
        self.assertFalse(x.is_inference())

    def test_functions(self):
        class Scale(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, by):
                ctx.save_for_backward(by)
                return x * by

            @staticmethod
            def backward(ctx, grad):
                return grad * ctx.saved_tensors[0], None

        with torch.inference_mode():
            by = torch.ones(2)
            self.values(Scale.apply(leaf(1.0, 2.0), by), [1.0, 2.0])
        with self.raises(RuntimeError, "Inference tensors cannot be saved for backward"):
            Scale.apply(leaf(1.0, 2.0), by)
        self.values(Scale.apply(torch.ones(2), by), [1.0, 1.0])

    def test_leaf_without_recording(self):
        """Geometry in place of a leaf within no_grad: it stays that leaf, with its gradient."""
        w = leaf(1.0, 2.0)
        w.sum().backward()
        with torch.no_grad():
            self.assertIs(w.unsqueeze_(1), w)
        self.assertTrue(w.requires_grad and w.is_leaf)
        self.assertEqual((tuple(w.shape), w.grad.tolist()), ((2, 1), [1.0, 1.0]))


class Threads(Case):
    def test_modes_belong_to_a_thread(self):
        seen = {}

        def other():
            seen["other"] = records()
            with torch.no_grad():
                inside.set()
                leave.wait(10)
                seen["inside"] = records()

        inside, leave = threading.Event(), threading.Event()
        with torch.no_grad():
            thread = threading.Thread(target=other)
            thread.start()
            inside.wait(10)
        seen["main"] = records()
        leave.set()
        thread.join()
        self.assertEqual(seen, {"other": True, "main": True, "inside": False})

    def test_coroutines_one_after_the_other(self):
        async def work():
            with torch.no_grad():
                return records()

        self.assertFalse(asyncio.run(work()))
        self.assertTrue(records())


if __name__ == "__main__":
    unittest.main()
