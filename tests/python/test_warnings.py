"""What operations remark reaches the program as warnings: of the line that called, as errors where warnings are, once where once is enough."""
import unittest
import warnings

import torch

from helper import Case, run_child

FREEDOM = ": degrees of freedom is <= 0. Correction should be strictly less than the reduction factor (input numel divided by output numel)."


class Remarks(Case):
    def told(self, run):
        """The warnings of a call."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            run()
        return caught

    def test_freedom(self):
        x = torch.ones(1, 3)
        for name in ("var", "std", "var_mean", "std_mean"):
            f = getattr(torch, name)
            for run in (lambda: f(x, 0), lambda: f(x, dim=1, correction=3), lambda: f(x.half(), 0), lambda: f(torch.ones(1)), lambda: f(torch.ones(0, 1), 1),
                        lambda: f(torch.ones(1, 30000), 0), lambda: f(torch.ones(1, 3, requires_grad=True), 0)):
                warning, = self.told(run)
                self.assertTrue(str(warning.message).startswith(f"{name}(){FREEDOM}"), warning.message)
                self.assertIs(warning.category, UserWarning)
                self.assertEqual((warning.filename, warning.lineno), (__file__, run.__code__.co_firstlineno))
            for run in (lambda: f(x), lambda: f(x, 0, correction=0), lambda: f(x, dim=1, correction=2.5)):
                self.assertEqual(self.told(run), [])
        warning, = self.told(lambda: x.std(0))
        self.assertTrue(str(warning.message).startswith("std()"))
        warning, = self.told(lambda: torch.std(x, 0, out=torch.empty(3)))
        self.assertEqual(self.told(lambda: torch.masked.std(x, 0)), [])

    def test_observations(self):
        for run in (lambda: torch.cov(torch.ones(2, 1)), lambda: torch.cov(torch.ones(2, 2), fweights=torch.tensor([1, 0]))):
            warning, = self.told(run)
            self.assertTrue(str(warning.message).startswith("cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations."))
        self.assertEqual(self.told(lambda: torch.cov(torch.ones(2, 3))), [])

    def test_as_errors(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.raises(UserWarning, "degrees of freedom"):
                torch.var(torch.ones(1, 3), 0)
            x = torch.ones(2, 3)
            with self.raises(UserWarning, "degrees of freedom"):
                x.std(0, correction=2)
            self.values(x.sum(0), [2.0, 2.0, 2.0])  # and nothing is left over
        self.assertEqual(self.told(lambda: x.sum()), [])

    def test_with_a_failure(self):
        """The call's own error is raised."""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.raises(RuntimeError, "sorter"):
                torch.searchsorted(torch.arange(3.0), torch.ones(3), sorter=torch.arange(6)[::2])

    def test_once(self):
        code, out, err = run_child("""
            import warnings
            import torch
            warnings.simplefilter("always")
            turned, edges = torch.ones(3, 2).t(), torch.arange(6.0)
            for i in range(2):
                torch.searchsorted(edges, turned)
                torch.bucketize(turned, edges)
                torch.searchsorted(edges[::2], torch.ones(2))
            torch.set_warn_always(True)
            torch.bucketize(turned, edges)
        """)
        self.assertEqual((code, out), (0, ""))
        told = [line for line in err.splitlines() if "non-contiguous" in line]
        self.assertEqual(["input value" in line for line in told], [True, False, True], err)
        self.assertIn("torch.searchsorted(): boundary tensor is non-contiguous, this will lower the performance", told[1])
        self.assertIn("child.py:7: ", told[0])
        self.assertIn("child.py:11: ", told[2])


if __name__ == "__main__":
    unittest.main()
