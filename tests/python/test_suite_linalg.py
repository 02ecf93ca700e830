"""What PyTorch's own tests of linear algebra ask for, one by one: errors in its words, lobpcg, names that were removed or choose a library, sparse
matrices in low-rank factorisations.

SPDX-License-Identifier: Apache-2.0"""
import unittest

import torch
from helper import Case

L = torch.linalg


def positive(m, seed=0, dtype=torch.double):
    a = torch.randn(m, m, dtype=dtype, generator=torch.Generator().manual_seed(seed))
    return a @ a.mT + 0.1 * torch.eye(m, dtype=dtype)


class Words(Case):
    """Errors in PyTorch's words."""

    def each(self, kind, *cases):
        for call, *words in cases:
            with self.subTest(words=words), self.raises(kind, *words):
                call()

    def test_out_of_another_dtype(self):
        A, b, integers = torch.eye(3), torch.ones(3, 2), lambda *sizes: torch.empty(*sizes, dtype=torch.int32)
        exact, castable = "expected out tensor to have dtype float, but got int instead", ("Expected result to be safely castable from Float dtype", "but got result with dtype Int")
        self.each(RuntimeError, (lambda: L.cholesky(A, out=integers(3, 3)), exact), (lambda: L.inv(A, out=integers(3, 3)), exact), (lambda: torch.mm(A, A, out=integers(3, 3)), exact),
                  (lambda: L.eigh(A, out=(integers(3), integers(3, 3))), exact), (lambda: L.qr(A, out=(integers(3, 3), integers(3, 3))), exact),
                  (lambda: L.eigvalsh(A.double(), out=torch.empty(3, dtype=torch.int64)), "dtype double, but got long int instead"),
                  (lambda: torch.cholesky_inverse(A, out=integers(3, 3)), *castable), (lambda: torch.cholesky_solve(b, A, out=integers(3, 2)), *castable),
                  (lambda: L.cond(A, out=integers(0)), *castable), (lambda: L.pinv(A, out=integers(3, 3)), *castable), (lambda: L.householder_product(A, torch.ones(3), out=integers(3, 3)), *castable),
                  (lambda: L.matrix_rank(A, out=torch.empty(0, dtype=torch.bool)), "safely castable from Long dtype, but got result with dtype Bool"),
                  (lambda: torch.outer(b[:, 0], b[:, 0], out=integers(3, 3)), "result type Float can't be cast to the desired output type Int"))

    def test_products_of_two_dtypes(self):
        f, h = torch.ones(2, 2), torch.ones(2, 2, dtype=torch.half)
        self.each(RuntimeError, (lambda: torch.mm(h, f), "expected m1 and m2 to have the same dtype, but got: c10::Half != float"), (lambda: h @ f, "expected m1 and m2 to have the same dtype"),
                  (lambda: torch.addmm(f, h, f), "mat1 and mat2 must have the same dtype, but got Half and Float"), (lambda: torch.addmm(h, f, f), "self and mat2 must have the same dtype, but got Half and Float"),
                  (lambda: torch.nn.functional.linear(h, f), "to have the same dtype, but got: c10::Half != float"), (lambda: torch.nn.functional.linear(h, f, f[0]), "mat1 and mat2 must have the same dtype, but got Half and Float"), (lambda: torch.dot(h[0], f[0]), "dot : expected both vectors to have same dtype, but found Half and Float"),
                  (lambda: torch.baddbmm(h[None], f[None], f[None]), "Input dtypes must be the same, got: input c10::Half, batch1: float, batch2: float"),
                  (lambda: torch.addmv(h[0], f, f[0]), "addmv input tensors must have the same dtype, but got Half, Float, and Float"),
                  (lambda: torch.addbmm(h, f[None], f[None]), "self and mat2 must have the same dtype, but got Half and Float"))

    def test_chains(self):
        A = torch.eye(3)
        self.each(RuntimeError, (lambda: torch.chain_matmul(), "chain_matmul(): Expected one or more matrices"), (lambda: torch.chain_matmul(A, A[0]), "Tensor dimension is 1, expected 2 instead"),
                  (lambda: L.multi_dot([A, A], out=torch.empty(0, dtype=torch.double)), "multi_dot(): expected out tensor to have dtype float but got double"), (lambda: L.multi_dot([A, A[None]]), "the last tensor must be 1D or 2D but got 3D"),
                  (lambda: L.multi_dot([A[0, 0], A]), "the first tensor must be 1D or 2D but got 0D"), (lambda: L.multi_dot([A, A[None], A]), "tensor 1 must be 2D but got 3D"),
                  (lambda: L.multi_dot([A, A.double()]), "all tensors must have be the same dtype but tensor 0 is float and tensor 1 double"),
                  (lambda: L.multi_dot([A, torch.ones(2, 2)]), "tensors 0 and 1 with shapes [3, 3] and [2, 2] cannot be multiplied"))

    def test_einsum(self):
        x, y = torch.ones(2), torch.ones(2, 3)
        self.each(ValueError, (lambda: torch.einsum("", []), "einsum(): ", "at least one operand"), (lambda: torch.einsum(1), "einsum(): ", "at least one operand"),
                  (lambda: torch.einsum(x, [52]), "einsum(): ", "not within the valid range [0, 52)"))
        self.each(RuntimeError, (lambda: torch.einsum(". ..", [x]), "einsum(): found '.' for operand 0 that is not part of any ellipsis"), (lambda: torch.einsum(",", [x]), "einsum(): fewer operands were provided"), (lambda: torch.einsum("", [x, x]), "einsum(): more operands were provided"),
                  (lambda: torch.einsum("a->..", [x]), "einsum(): found '.' for output that is not part of any ellipsis (...)"), (lambda: torch.einsum("ai", x), "einsum(): the number of subscripts in the equation (2) does not match"))

    def test_factorisations(self):
        LU, p = L.lu_factor(torch.randn(3, 2, 2))
        low, high = (p.clone().index_fill_(0, torch.tensor([0]), i) for i in (0, 3))
        B = torch.randn(3, 2, 2)
        self.each(RuntimeError, (lambda: L.lu_solve(LU, low, B), "must all be greater or equal to 1"), (lambda: L.lu_solve(LU, high, B), "smaller or equal to LU.size(-2)"),
                  (lambda: torch.lu_unpack(LU, low), "between 1 and LU.size(-2)"), (lambda: L.lstsq(torch.rand(2, 3), torch.rand(3)), "input.size(-2) should match other.size(-1)"),
                  (lambda: L.householder_product(torch.eye(2), torch.ones(2, dtype=torch.int)), "tau dtype Int does not match input dtype Float"), (lambda: L.pinv(torch.rand(1)), "expected a tensor with 2 or more dimensions"), (lambda: L.qr(torch.rand(2, 2), mode="hello"), "qr received unrecognized mode 'hello'"))

    def test_inverse_of_a_singular_factor(self):
        a = torch.eye(3).repeat(2, 1, 1)
        a[1, 1, 1] = 0
        self.each(L.LinAlgError, (lambda: torch.cholesky_inverse(a[1]), "cholesky_inverse: The diagonal element 2 is zero"),
                  (lambda: torch.cholesky_inverse(a, upper=True), "cholesky_inverse: (Batch element 1): The diagonal element 2 is zero"))
        self.assertEqual(torch.cholesky_inverse(a[0]).tolist(), torch.eye(3).tolist())

    def test_norms(self):
        A = torch.ones(2, 2)
        self.each(RuntimeError, (lambda: L.matrix_norm(A, ord=1 + 2j), "Expected a non-complex scalar"), (lambda: L.vector_norm(A, 1j), "Expected a non-complex scalar"),
                  (lambda: L.vector_norm(torch.rand(0), float("inf")), "cannot compute the inf norm on an empty tensor because the operation does not have an identity"),
                  (lambda: L.norm(torch.rand(0, 4), -1, 0), "cannot compute the -1 norm on the dimension 0", "empty"))
        self.assertEqual(L.vector_norm(torch.rand(0, 4), 2, 0).tolist(), [0] * 4)

    def test_removed_names(self):
        x = torch.ones(2, 2)
        for name in ("eig", "symeig", "matrix_rank"):
            self.each(RuntimeError, (lambda: getattr(torch, name)(x), "This function was deprecated since version 1.9 and is now removed"))
        for name in ("solve", "lstsq"):
            self.each(RuntimeError, (lambda: getattr(torch, name)(x, x), "is now removed"), (lambda: getattr(x, name)(x), "is now removed"))
        self.each(RuntimeError, (lambda: x.symeig(), "is now removed"), (lambda: x.eig(), "is now removed"))


class Lobpcg(Case):
    def test_eigenpairs(self):
        for m, n, k in ((9, 3, 2), (30, 7, 3)):
            A, B = positive(m), positive(m, 1)
            e = L.eigvalsh(A)
            for largest in (False, True):
                torch.manual_seed(2)
                E, V = torch.lobpcg(A, k=k, n=n, largest=largest, tol=1e-9)
                self.close(E, e.flip(0)[:k] if largest else e[:k], 1e-7)
                self.close(A @ V, V * E, 1e-5)
                self.close(V.mT @ V, torch.eye(k, dtype=torch.double), 1e-8)
                E, V = torch.lobpcg(A, k=k, n=n, B=B, largest=largest, tol=1e-9)
                self.close(A @ V / E.max(), B @ (V * E) / E.max(), 1e-5)

    def test_batches_guesses_and_trackers(self):
        A = torch.stack([positive(12, s) for s in range(3)])
        X = torch.randn(3, 12, 2, dtype=torch.double)
        E, V = torch.lobpcg(A, X=X, tol=1e-9)
        self.assertEqual((E.shape, V.shape), ((3, 2), (3, 12, 2)))
        self.close(E, L.eigvalsh(A).flip(-1)[:, :2], 1e-7)
        steps = []

        def tracker(worker):
            steps.append(worker.ivars["istep"])
            worker.bvars["force_stop"] = len(steps) == 2

        torch.lobpcg(A[0], X=X[0], tracker=tracker, niter=100, tol=1e-14)
        self.assertEqual(steps, [1, 2])
        with self.raises(ValueError, "LOBPCG algorithm is not applicable when the number of A rows (=5)"):
            torch.lobpcg(positive(5), k=2)

    def test_gradient(self):
        X = torch.randn(12, 3, dtype=torch.double, generator=torch.Generator().manual_seed(3))

        def pairs(A):
            E, U = torch.lobpcg(A @ A.mT + torch.diag(torch.arange(12, dtype=torch.double)) * 3, X=X, tol=1e-13, largest=False)
            return E, U.abs()

        A = torch.randn(12, 12, dtype=torch.double, generator=torch.Generator().manual_seed(0)).requires_grad_()
        self.assertTrue(torch.autograd.gradcheck(pairs, A, eps=1e-5, atol=1e-4, fast_mode=True))


class Rest(Case):
    def test_libraries_of_gpus(self):
        for choose in (torch.backends.cuda.preferred_linalg_library, torch.backends.cuda.preferred_blas_library):
            self.assertEqual(str(choose()), str(choose("default")))
            with self.raises(RuntimeError, "Unknown input value. Choose from: default"):
                choose("nonsense")
        self.assertFalse(torch.cuda.is_tf32_supported() or torch.cuda.has_magma)

    def test_reflectors_lie_as_lapacks(self):
        a, tau = torch.geqrf(torch.rand(2, 5, 3))
        self.assertEqual((a.stride(), tau.stride()), ((15, 1, 5), (3, 1)))

    def test_addmm_activation(self):
        a, b, c = torch.randn(2, 4), torch.randn(2, 3), torch.randn(3, 4)
        self.close(torch._addmm_activation(a, b, c, beta=0.5), torch.relu(0.5 * a + b @ c))
        self.close(torch._addmm_activation(a, b, c, use_gelu=True), torch.nn.functional.gelu(a + b @ c))

    def test_low_rank_of_sparse_matrices(self):
        torch.manual_seed(0)
        dense = torch.zeros(9, 6, dtype=torch.double)
        dense[[0, 3, 5, 8], [1, 1, 4, 2]] = torch.tensor([1.0, 2, 3, 4], dtype=torch.double)
        for A in (dense, dense.t().contiguous()):
            for factors, target in ((torch.svd_lowrank(A.to_sparse(), q=6), A), (torch.pca_lowrank(A.to_sparse(), q=6), A - A.mean(0))):
                U, S, V = factors
                self.close((U * S) @ V.mT, target, 1e-9)


if __name__ == "__main__":
    unittest.main()
