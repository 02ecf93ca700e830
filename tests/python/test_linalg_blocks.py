"""Linear algebra around the sizes at which blocks, panels and vectors end: residuals in units of eps * n, whatever the size, layout and condition."""
import os
import subprocess
import sys
import unittest

import torch
from helper import WINNOW, winnow_only

la = torch.linalg
SIZES = (1, 2, 15, 16, 17, 31, 33, 48, 63, 64, 65, 97, 129, 200)
TYPES = (torch.float32, torch.float64)
BATCHES = ((), (2,))


def normal(*shape, dtype=torch.float64, seed=1):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(dtype)


def graded(n, dtype):
    """Rows that shrink to nothing beside the first: badly conditioned, and solved well all the same."""
    return normal(n, n, dtype=dtype) * torch.logspace(0, -8, n, dtype=dtype).unsqueeze(-1)


class Residuals(unittest.TestCase):
    def small(self, rest, *factors, most=3.0):
        """The rest is at most `most` eps * n times the product of the factors' norms."""
        scale = torch.finfo(factors[0].dtype).eps * max(factors[0].shape[-2:])
        for f in factors:
            scale = scale * f.double().norm().item()
        self.assertLessEqual(rest.norm().item(), most * scale)

    def orthonormal(self, q):
        self.small(q.double().mT @ q.double() - torch.eye(q.shape[-1], dtype=torch.float64), q)

    def test_systems(self):
        for dtype in TYPES:
            for n in SIZES:
                for a in (normal(n, n, dtype=dtype), normal(2, n, n, dtype=dtype).mT, graded(n, dtype)):
                    eye, d = torch.eye(n, dtype=torch.float64), a.double()
                    p, l, u = la.lu(a)
                    self.small(p.double() @ l.double() @ u.double() - d, l, u)
                    x = la.inv(a)
                    self.small(d @ x.double() - eye, a, x)
                    for columns in (1, 5, 33):
                        b = normal(n, columns, dtype=dtype, seed=2)
                        x = la.solve(a, b)
                        self.small(d @ x.double() - b.double(), a, x)
                        x = la.lu_solve(*la.lu_factor(a), b, adjoint=True)
                        self.small(d.mT @ x.double() - b.double(), a, x, most=30)

    def test_triangles(self):
        for dtype in TYPES:
            for n in SIZES:
                whole = normal(n, n, dtype=dtype) / n + torch.eye(n, dtype=dtype)
                for upper in (False, True):
                    for unit in (False, True):
                        a = whole.triu() if upper else whole.tril()
                        t = a.double()
                        if unit:
                            t = t - torch.diag(t.diagonal()) + torch.eye(n, dtype=torch.float64)
                        for columns in (1, 7, 40):
                            b = normal(n, columns, dtype=dtype, seed=3)
                            x = la.solve_triangular(whole, b, upper=upper, unitriangular=unit)  # the other triangle is not read
                            self.small(t @ x.double() - b.double(), t.to(dtype), x)
                            x = la.solve_triangular(whole.mT, b.mT, upper=not upper, left=False, unitriangular=unit)
                            self.small(x.double() @ t.mT - b.double().mT, t.to(dtype), x)

    def test_a_diagonal_whose_inverse_is_no_number(self):
        for dtype, tiny in ((torch.float32, 1e-40), (torch.float64, 1e-310)):
            for n in (3, 70):
                a, b = torch.full((n,), tiny, dtype=dtype), torch.full((n, 40), 2 * tiny, dtype=dtype)
                self.assertTrue(torch.allclose(la.solve_triangular(torch.diag(a), b, upper=False), torch.full_like(b, 2.0), rtol=1e-3))

    def test_cholesky(self):
        for dtype in TYPES:
            for n in SIZES:
                a = normal(n, n, dtype=dtype)
                a = a @ a.mT / n + torch.eye(n, dtype=dtype)
                l, u = la.cholesky(a), la.cholesky(a, upper=True)
                self.small(l.double() @ l.double().mT - a.double(), a)
                self.small(u.double().mT @ u.double() - a.double(), a)
                self.assertEqual((l.triu(1).count_nonzero().item(), u.tril(-1).count_nonzero().item()), (0, 0))
                x = torch.cholesky_solve(a, l)
                self.small(a.double() @ x.double() - a.double(), a, x)

    def test_orthogonal(self):
        for dtype in TYPES:
            for m in (1, 20, 47, 64, 65, 130):
                for n in (1, 20, 48, 65, 130):
                    a = normal(m, n, dtype=dtype)
                    for mode in ("reduced", "complete"):
                        q, r = la.qr(a, mode=mode)
                        self.orthonormal(q)
                        self.small(q.double() @ r.double() - a.double(), a)
                        self.assertEqual(r.tril(-1).count_nonzero().item(), 0)
                    for full in (False, True):
                        u, s, v = la.svd(a, full_matrices=full)
                        k = s.numel()
                        self.orthonormal(u)
                        self.orthonormal(v.mT)
                        self.small((u.double()[:, :k] * s.double()) @ v.double()[:k] - a.double(), a)

    def test_symmetric(self):
        for dtype in TYPES:
            for n in SIZES:
                a = normal(n, n, dtype=dtype)
                for uplo, whole in (("L", a.tril() + a.tril(-1).mT), ("U", a.triu() + a.triu(1).mT)):
                    for scale in (1.0, 1e-30):  # LAPACK scales what is so small
                        w, v = la.eigh(a * scale, UPLO=uplo)
                        self.orthonormal(v)
                        self.small(whole.double() @ v.double() - v.double() * (w.double() / scale), whole)

    def test_least_squares(self):
        for dtype in TYPES:
            for m, n in ((30, 20), (60, 50), (130, 64), (64, 64), (50, 130), (200, 130)):
                a, b = normal(m, n, dtype=dtype), normal(m, 7, dtype=dtype, seed=4)
                for driver in ("gelsy", "gels"):
                    x = la.lstsq(a, b, driver=driver)[0]
                    self.small(a.double().mT @ (a.double() @ x.double() - b.double()), a, a, x)

    def test_least_squares_of_low_rank(self):
        for m, n in ((60, 50), (130, 64), (64, 130), (90, 90)):
            a = normal(m, 21) @ normal(21, n, seed=5)
            b = normal(m, 3, seed=6)
            x, _, rank, _ = la.lstsq(a, b)
            self.assertEqual(rank.item(), 21)
            self.assertTrue(torch.allclose(x, la.pinv(a, rtol=1e-10) @ b, atol=1e-9))
            x, _, rank, _ = la.lstsq(torch.zeros_like(a), b)
            self.assertEqual((rank.item(), x.count_nonzero().item()), (0, 0))


class Failures(unittest.TestCase):
    def test_singular(self):
        for n in (5, 40, 100, 150):
            for column in (0, n // 2, n - 1):
                a = normal(n, n)
                a[:, column] = 0
                self.assertEqual(la.inv_ex(a).info.item(), column + 1)
                self.assertEqual(la.lu_factor_ex(a).info.item(), column + 1)
                self.assertEqual(la.det(a).item(), 0)

    def test_not_positive(self):
        for n in (5, 40, 100, 150):
            for at in (0, n // 2, n - 1):
                for bad in (-1.0, float("nan")):
                    a = torch.eye(n, dtype=torch.float64) * 4
                    a[at, at] = bad
                    self.assertEqual(la.cholesky_ex(a).info.item(), at + 1)

    def test_least_squares_by_a_singular_matrix(self):
        a = torch.diag(torch.cat([torch.ones(59), torch.zeros(1), torch.ones(20)]).double())
        with self.assertRaisesRegex(torch.linalg.LinAlgError, "full rank"):
            la.lstsq(a, a, driver="gels")


SAME = """
import torch
torch.set_num_threads(int(__import__("sys").argv[1]))
torch.manual_seed(0)
a, b = torch.randn(300, 300), torch.randn(300, 500)
s, low = a @ a.mT + torch.eye(300), a.tril() / 300 + torch.eye(300)
la = torch.linalg
results = (la.inv(a), la.solve(a, b), la.cholesky(s), *la.qr(a), la.solve_triangular(low, b, upper=False), *la.eigh(s), *la.svd(a), la.lstsq(a, b)[0])
print([hash(r.contiguous().numpy().tobytes()) for r in results])
"""


class Threads(unittest.TestCase):
    @winnow_only
    def test_same_bits(self):
        command = [sys.executable] + (["-m", "winnow"] if WINNOW else []) + ["-c", SAME]
        environment = dict(os.environ, PYTHONHASHSEED="0")
        one, three = (subprocess.run([*command, n], env=environment, capture_output=True, text=True, check=True).stdout for n in ("1", "3"))
        self.assertIn("[", one)
        self.assertEqual(one, three)


if __name__ == "__main__":
    unittest.main()
