"""Linear algebra: factorisations multiply back, errors have torch's class, chains and vectors as torch takes them."""
import unittest

import torch
from torch.testing import assert_close


def regular(*shape):
    torch.manual_seed(5)
    return torch.randn(*shape, dtype=torch.float64) + 3 * torch.eye(shape[-2], shape[-1], dtype=torch.float64)


def positive(*shape):
    a = regular(*shape)
    return a @ a.mT + torch.eye(shape[-1], dtype=torch.float64)


class Factors(unittest.TestCase):
    def test_multiply_back(self):
        for shape in ((4, 4), (2, 3, 3), (5, 3), (3, 5), (130, 130), (1, 1)):
            a = regular(*shape)
            p, l, u = torch.linalg.lu(a)
            assert_close(p @ l @ u, a)
            q, r = torch.linalg.qr(a)
            assert_close(q @ r, a)
            u, s, vh = torch.linalg.svd(a, full_matrices=False)
            assert_close((u * s.unsqueeze(-2)) @ vh, a)
            assert_close(a @ torch.linalg.pinv(a) @ a, a)

    def test_symmetric(self):
        for n in (1, 3, 150):
            a = positive(2, n, n)
            l = torch.linalg.cholesky(a)
            assert_close(l @ l.mT, a)
            u = torch.linalg.cholesky(a, upper=True)
            assert_close(u.mT @ u, a)
            w, v = torch.linalg.eigh(a)
            assert_close((v * w.unsqueeze(-2)) @ v.mT, a)
            assert_close(torch.linalg.eigvalsh(a), w)

    def test_systems(self):
        for n in (1, 4, 140):
            a, b = regular(2, n, n), regular(n, 3)
            x = torch.linalg.solve(a, b)
            assert_close(a @ x, b.expand(2, n, 3))
            assert_close(torch.linalg.solve(a, b.mT, left=False) @ a, b.mT.expand(2, 3, n))
            assert_close(torch.linalg.inv(a) @ a, torch.eye(n, dtype=torch.float64).expand(2, n, n))
            lu, pivots = torch.linalg.lu_factor(a)
            assert_close(a.mT @ torch.linalg.lu_solve(lu, pivots, b, adjoint=True), b.expand(2, n, 3))
            sign, logabs = torch.linalg.slogdet(a)
            self.assertTrue(bool((sign.abs() == 1).all()))

    def test_vectors_are_recognised(self):
        a, b = regular(2, 3, 3), regular(2, 3)
        self.assertEqual(tuple(torch.linalg.solve(a, b).shape), (2, 3))
        self.assertEqual(tuple(torch.linalg.solve(a, b[0]).shape), (2, 3))


class Errors(unittest.TestCase):
    def test_infinite_elements_end(self):
        """With an error, or with what LAPACK makes of them, but they end."""
        for m in (torch.tensor([[float("inf"), 1.0, 2.0, 1.0]] * 4), torch.full((4, 4), float("inf")), torch.full((3, 3), float("nan"))):
            for f in (torch.linalg.svdvals, torch.linalg.pinv):
                try:
                    f(m)
                except RuntimeError:
                    pass

    def test_singular(self):
        for f in (torch.linalg.inv, torch.inverse, lambda x: torch.linalg.solve(x, x)):
            with self.assertRaisesRegex(torch.linalg.LinAlgError, "singular"):
                f(torch.zeros(2, 2))
        self.assertTrue(issubclass(torch.linalg.LinAlgError, RuntimeError))

    def test_not_positive(self):
        with self.assertRaisesRegex(torch.linalg.LinAlgError, "leading minor of order 2"):
            torch.linalg.cholesky(torch.tensor([[1.0, 0.0], [0.0, -1.0]]))
        with self.assertRaisesRegex(torch.linalg.LinAlgError, "Batch element 1"):
            torch.linalg.cholesky(torch.stack([torch.eye(2), -torch.eye(2)]))
        self.assertEqual(torch.linalg.cholesky_ex(-torch.eye(3)).info.item(), 1)

    def test_refused(self):
        for bad in (torch.ones(2, 3), torch.ones(2, 2, dtype=torch.int64), torch.ones(2, 2, dtype=torch.float16), torch.ones(3)):
            with self.assertRaises(RuntimeError):
                torch.linalg.inv(bad)


class Derived(unittest.TestCase):
    def test_gradients(self):
        a, b = regular(3, 3).requires_grad_(), regular(3, 2).requires_grad_()
        self.assertTrue(torch.autograd.gradcheck(torch.linalg.solve, (a, b)))
        self.assertTrue(torch.autograd.gradgradcheck(torch.linalg.solve, (a, b)))
        self.assertTrue(torch.autograd.gradcheck(lambda x: torch.linalg.cholesky(x @ x.mT), (a,)))
        self.assertTrue(torch.autograd.gradcheck(lambda x: torch.linalg.eigvalsh(x + x.mT), (a,)))
        self.assertTrue(torch.autograd.gradcheck(torch.linalg.svdvals, (regular(4, 3).requires_grad_(),)))

    def test_gradient_of_a_singular_determinant(self):
        a = torch.tensor([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0], [1.0, 3.0, 3.0]], dtype=torch.float64, requires_grad=True)
        torch.linalg.det(a).backward()
        cofactors = torch.tensor([[-6.0, 3.0, -1.0], [-6.0, 3.0, -1.0], [6.0, -3.0, 1.0]], dtype=torch.float64)
        if hasattr(torch, "_winnow"):   # torch may round to 0 here, depending on its LAPACK
            assert_close(a.grad, cofactors)

    def test_cdist_at_zero(self):
        for p in (0.5, 1.0, 1.5, 2.0, 3.0, float("inf")):
            x = torch.ones(3, 2, dtype=torch.float64, requires_grad=True)
            torch.cdist(x, x.detach(), p).sum().backward()
            assert_close(x.grad, torch.zeros(3, 2, dtype=torch.float64))

    def test_norms(self):
        a = regular(3, 4)
        s = torch.linalg.svdvals(a)
        assert_close(torch.linalg.norm(a, "nuc"), s.sum())
        assert_close(torch.norm(a, "nuc"), s.sum())
        assert_close(torch.linalg.norm(a, 2), s[0])
        assert_close(torch.linalg.norm(a, -2), s[-1])
        assert_close(torch.linalg.cond(a), s[0] / s[-1])
        self.assertEqual(torch.linalg.matrix_rank(torch.ones(3, 3)).item(), 1)


if __name__ == "__main__":
    unittest.main()
