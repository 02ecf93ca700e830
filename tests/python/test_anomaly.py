"""detect_anomaly: the warning before the error has the lines of the program that made the node; those of the gradient that it is a part of; only while it is on."""
import contextlib
import gc
import io
import unittest
import warnings
import weakref

import torch
from torch.autograd import Function, detect_anomaly

from helper import Case


def undefined(x):
    return torch.sqrt(x * 0)  # the line that is to be told


class Fails(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        raise RuntimeError("of its own")


class Cube(Function):
    """Whose gradient is a Function, too."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, grad):
        return Inner.apply(grad, ctx.saved_tensors[0])


class Inner(Function):
    @staticmethod
    def forward(ctx, grad, x):
        return grad * 3 * x * x

    @staticmethod
    def backward(ctx, grad):
        return grad, grad * float("nan")


class Anomaly(Case):
    def told(self, run, *words, kind=RuntimeError):
        """The texts of the warnings that a failing run gives, without the one that anomaly detection is on."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with self.raises(kind, *words):
                run()
        return [str(w.message) for w in caught if "has been enabled" not in str(w.message)]

    def test_lines(self):
        for n in (3, 20000):  # the short way, and what waits
            x = torch.ones(n, requires_grad=True)

            def run():
                with detect_anomaly():
                    (undefined(x) * 0).sum().backward()

            text, = self.told(run, "Function 'SqrtBackward0' returned nan values in its 0th output")
            self.assertTrue(text.startswith("Error detected in SqrtBackward0. Traceback of forward call that caused the error:\n"))
            for line in ("in undefined", "return torch.sqrt(x * 0)", "test_anomaly.py", "(undefined(x) * 0).sum().backward()"):
                self.assertIn(line, text)
            self.assertLess(text.index("in run"), text.index("in undefined"))
            self.assertNotIn("_run.py", text)

    def test_off_in_forward(self):
        y = (undefined(torch.ones(3, requires_grad=True)) * 0).sum()

        def run():
            with detect_anomaly():
                y.backward()

        text, = self.told(run, "nan values")
        self.assertIn("Error detected in SqrtBackward0. No forward pass information available. Enable detect anomaly during forward pass for more information.", text)
        self.assertEqual(dict(y.grad_fn.metadata), {})

    def test_other_errors(self):
        """Any error in a node is told, with check_nan=False, too."""
        x = torch.ones(3, requires_grad=True)

        def function():
            with detect_anomaly(check_nan=False):
                Fails.apply(x).sum().backward()

        def changed():
            with detect_anomaly(check_nan=False):
                y = x.exp()
                y.add_(1)
                torch.autograd.grad(y.sum(), x)

        def not_looked_for():
            with detect_anomaly(check_nan=False):
                (undefined(x) * 0).sum().backward()
                raise KeyError("behind it")

        text, = self.told(function, "of its own")
        self.assertIn("Error detected in FailsBackward. Traceback", text)
        self.assertIn("Fails.apply(x)", text)
        text, = self.told(changed, "modified by an inplace operation")
        self.assertIn("Error detected in ExpBackward0. Traceback", text)
        self.assertIn("y = x.exp()", text)
        self.assertEqual(self.told(not_looked_for, "behind it", kind=KeyError), [])

    def test_in_place_and_views(self):
        x = torch.ones(3, requires_grad=True)

        def run():
            with detect_anomaly():
                y = x * 0
                y[1:].sqrt_()  # a view, in place
                (y * 0).sum().backward()

        self.assertIn("y[1:].sqrt_()", self.told(run, "nan values")[0])

    def test_of_gradients(self):
        x = torch.ones(3, requires_grad=True)

        def run():
            with detect_anomaly():
                first, = torch.autograd.grad(Cube.apply(x).sum(), x, create_graph=True)
                first.sum().backward()

        inner, outer = self.told(run, "Function 'InnerBackward' returned nan values in its 1th output")
        self.assertIn("Inner.apply(grad, ctx", inner)
        self.assertTrue(outer.startswith("\n\nPrevious calculation was induced by CubeBackward. Traceback of forward call that induced the previous calculation:\n"))
        self.assertIn("Cube.apply(x)", outer)

    def test_metadata(self):
        x = torch.ones(3, requires_grad=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with detect_anomaly():
                y = undefined(x)
        z = undefined(x)
        lines = y.grad_fn.metadata["traceback_"]
        self.assertIn("in undefined\n    return torch.sqrt(x * 0)", lines[-1])
        self.assertIn("traceback_", y.grad_fn.next_functions[0][0].metadata)
        self.assertEqual(dict(z.grad_fn.metadata), {})
        y.grad_fn.metadata["mine"] = 1
        self.assertEqual(y.grad_fn.metadata["mine"], 1)

    def test_end(self):
        """What is noted goes with the node."""
        class Mark:
            pass

        x = torch.ones(3, requires_grad=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with detect_anomaly():
                y = undefined(x)
        mark = y.grad_fn.metadata["mark"] = Mark()
        there = weakref.ref(mark)
        del mark
        self.assertIsNotNone(there())
        del y
        torch.ones(1).sum()
        gc.collect()
        self.assertIsNone(there())

    def test_warnings_as_errors(self):
        """The error that is under way stays; the text is printed."""
        x = torch.ones(3, requires_grad=True)
        printed = io.StringIO()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with detect_anomaly(), self.raises(RuntimeError, "nan values"), contextlib.redirect_stderr(printed):
                y = (undefined(x) * 0).sum()
                warnings.simplefilter("error")
                y.backward()
        self.assertIn("Error detected in SqrtBackward0", printed.getvalue())

    def test_nothing_wrong(self):
        x = torch.ones(3, requires_grad=True)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with detect_anomaly():
                (x * x).sum().backward()
        self.assertEqual(len(caught), 1)
        self.values(x.grad, [2.0, 2.0, 2.0])
        self.assertFalse(torch.is_anomaly_enabled())


if __name__ == "__main__":
    unittest.main()
