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
