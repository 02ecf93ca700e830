"""Sparse tensors, their plain first form: COO and CSR.
SPDX-License-Identifier: Apache-2.0"""
import random
import unittest
import warnings

import torch

from helper import WINNOW, Case, counts_memory

warnings.filterwarnings("ignore", message="Sparse CSR")


def sample(**kwargs):
    i = torch.tensor([[0, 1, 1, 0], [2, 0, 2, 2]])
    return torch.sparse_coo_tensor(i, torch.tensor([3.0, 4.0, 5.0, 6.0]), (2, 3), **kwargs)


def allocated_by(f):
    """The most bytes that were in use at a time while f ran, beyond those before."""
    if not WINNOW:
        return 0
    f()
    torch._C._reset_peaks()
    before = torch._C._stats()["allocated"]
    f().sum().item()
    return torch._C._stats()["allocated_peak"] - before


DENSE = [[0.0, 0.0, 9.0], [4.0, 0.0, 5.0]]


class Coo(Case):
    def test_parts(self):
        s = sample()
        self.assertEqual((s.shape, s.dtype, s.layout, s.is_sparse, s._nnz(), s.is_coalesced()),
                         (torch.Size([2, 3]), torch.float32, torch.sparse_coo, True, 4, False))
        self.assertEqual((s.sparse_dim(), s.dense_dim(), s.dim(), s.size(1), s.numel(), len(s)), (2, 0, 2, 3, 6, 2))
        self.assertEqual(s.to_dense().tolist(), DENSE)
        with self.assertRaises(RuntimeError):
            s.indices()
        c = s.coalesce()
        self.assertEqual((c.indices().tolist(), c.values().tolist()), ([[0, 1, 1], [2, 0, 2]], [9.0, 4.0, 5.0]))
        self.assertIsInstance(s, torch.Tensor)

    def test_print(self):
        self.assertEqual(repr(sample()), "tensor(indices=tensor([[0, 1, 1, 0],\n                       [2, 0, 2, 2]]),\n"
                         "       values=tensor([3., 4., 5., 6.]),\n       size=(2, 3), nnz=4, layout=torch.sparse_coo)")
        self.assertEqual(repr(sample(dtype=torch.float64, requires_grad=True)).split("\n")[-1],
                         "       size=(2, 3), nnz=4, dtype=torch.float64, layout=torch.sparse_coo,\n       requires_grad=True)".split("\n")[-1])
        self.assertEqual(repr(torch.tensor([[0.0, 1], [2, 0]]).to_sparse_csr()),
                         "tensor(crow_indices=tensor([0, 1, 2]),\n       col_indices=tensor([1, 0]),\n"
                         "       values=tensor([1., 2.]), size=(2, 2), nnz=2, layout=torch.sparse_csr)")

    def test_arithmetic(self):
        s = sample()
        d = s.to_dense()
        for got, want in ((s * 2, d * 2), (2 * s, 2 * d), (s / 2, d / 2), (-s, -d), (s + s, d + d), (s - s, d - d), (s * s.coalesce(), d * d),
                          (s * torch.full((2, 3), 3.0), d * 3), (torch.ones(2, 3) + s, 1 + d), (s.t(), d.t()), (s.transpose(0, 1), d.t()),
                          (torch.sqrt(s), d.sqrt()), (s.double(), d.double()), (torch.sparse.sum(s, 0), d.sum(0)), (s[1], d[1]),
                          (torch.cat([s, s]), torch.cat([d, d])), (s.index_select(0, torch.tensor([1, 0])), d[[1, 0]])):
            self.assertTrue(torch.equal(got.to_dense() if got.is_sparse else got, want))
        self.assertEqual((s.sum().item(), torch.sparse.sum(s).item()), (18.0, 18.0))
        with self.assertRaises((NotImplementedError, RuntimeError)):
            torch.exp(s)

    def test_functions_that_keep_zero(self):
        names = set(("abs absolute sgn sign sin sinh asin arcsin asinh arcsinh tan tanh atan arctan atanh arctanh sqrt floor ceil round "
                     "trunc frac expm1 log1p relu erf erfinv rad2deg deg2rad isnan isinf isposinf isneginf signbit nan_to_num").split())
        if WINNOW:  # what the rows say: some more than PyTorch has
            rows = {name for name in torch._C._keeping_zero() if hasattr(torch, name) and not name.endswith("_")}
            self.assertLessEqual({"square", "tanh", "isnan", "nan_to_num"}, rows)
            self.assertFalse({"exp", "cos", "isfinite", "reciprocal", "sigmoid", "div", "mul", "tril"} & rows)
            names |= rows | {"square"}
        s = torch.sparse_coo_tensor(torch.tensor([[0, 1, 1, 0], [2, 0, 2, 2]]), torch.tensor([0.25, -0.75, 0.5, 0.5]), (2, 3))
        for name in sorted(names):
            got, want = getattr(torch, name)(s), getattr(torch, name)(s.to_dense())
            self.assertEqual((got.is_sparse, got.dtype), (True, want.dtype), name)
            self.assertTrue(torch.allclose(got.to_dense().double(), want.double(), 0, 0, equal_nan=True), name)

    def test_dense_in_place(self):
        s, c = sample(), sample().coalesce()
        d, e = torch.tensor(DENSE), torch.ones(2, 3)
        for f, want in ((lambda x: x.add_(s), e + d), (lambda x: x.add_(c, alpha=2), e + 2 * d), (lambda x: x.sub_(s), e - d), (lambda x: x.mul_(c), e * d)):
            x = e.clone()
            self.assertIs(f(x), x)
            self.values(x, want.tolist(), torch.float32)
        x = e.clone()
        x += s
        self.values(x, (e + d).tolist())
        self.values(torch.ones(2, 3, dtype=torch.float64) + s, (e + d).tolist(), torch.float64)
        self.values(torch.add(e, s, alpha=3), (e + 3 * d).tolist())
        with self.assertRaisesRegex(RuntimeError, "Can't convert result type"):
            torch.ones(2, 3, dtype=torch.int64).add_(s)
        w, v = torch.ones(2, 3, requires_grad=True), sample(requires_grad=True)
        ((w + v) * torch.arange(6.0).view(2, 3)).sum().backward()
        self.values(w.grad, [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
        g = v.grad.to_dense()  # torch's is dense from the beginning, of all places
        self.assertEqual((g[0, 2].item(), g[1, 0].item(), g[1, 2].item()), (2.0, 3.0, 5.0))

    @counts_memory
    def test_dense_once(self):
        """What becomes dense is written once: no copy of it on the way."""
        n, i = 512, torch.arange(0, 512, 8)
        s = torch.sparse_coo_tensor(torch.stack([i, i]), torch.ones(64), (n, n)).coalesce()
        d, whole = torch.ones(n, n), 4 * n * n
        for form in (s, torch.sparse_coo_tensor(torch.stack([i, i]), torch.ones(64), (n, n)), s.to_sparse_csr()):
            for f in (lambda: form.to_dense(), lambda: (form * 2).to_dense(), lambda: (-form / 3).to_dense(), lambda: (form + form).to_dense(),
                      lambda: torch.sqrt(form).to_dense(), lambda: (form ** 2).to_dense(), lambda: form.double().float().to_dense()):
                self.assertLess(allocated_by(f), 1.5 * whole)
        self.assertLess(allocated_by(lambda: d + s), 1.5 * whole)
        self.assertLess(allocated_by(lambda: d - 2 * s), 1.5 * whole)
        self.assertLess(allocated_by(lambda: d.add_(s)), 0.1 * whole)
        for f in (lambda: s * 2, lambda: -s, lambda: s + s, lambda: s * s, lambda: torch.tanh(s), lambda: s * d, lambda: s.t(), lambda: s ** 3):
            self.assertLess(allocated_by(f), 0.1 * whole)

    def test_products(self):
        s, b = sample(), torch.arange(12.0).view(3, 4)
        d = s.to_dense()
        self.assertTrue(torch.equal(torch.sparse.mm(s, b), d @ b))
        self.assertTrue(torch.equal(s @ b, d @ b))
        self.assertTrue(torch.equal(s @ b[:, 0], d @ b[:, 0]))
        self.assertTrue(torch.equal(torch.sparse.mm(s, s.t()).to_dense(), d @ d.t()))
        self.assertTrue(torch.equal(torch.sparse.addmm(torch.ones(2, 4), s, b, beta=2, alpha=3), 2 + 3 * (d @ b)))
        with self.assertRaises(RuntimeError):
            torch.sparse.mm(s, torch.ones(2, 2))

    def test_gradients(self):
        a, b = sample(requires_grad=True), torch.arange(6.0).view(3, 2).requires_grad_()
        torch.sparse.mm(a, b).sum().backward()
        self.assertEqual(b.grad.tolist(), [[4.0, 4.0], [0.0, 0.0], [14.0, 14.0]])
        self.assertEqual(a.grad.to_dense().tolist(), [[0.0, 0.0, 9.0], [1.0, 0.0, 9.0]])
        v = torch.tensor([1.0, 2.0], requires_grad=True)
        s = torch.sparse_coo_tensor(torch.tensor([[0, 0], [1, 1]]), v, (2, 2))
        (s.to_dense() * torch.tensor([[1.0, 5.0], [7.0, 8.0]])).sum().backward()
        self.assertEqual(v.grad.tolist(), [5.0, 5.0])

    def test_from_dense_and_back(self):
        rng = random.Random(1)
        for _ in range(30):
            shape = [rng.randint(0, 4) for _ in range(rng.randint(1, 3))]
            x = (torch.rand(shape) * 4 - 2).round()
            n = rng.randint(1, len(shape))
            s = x.to_sparse(n)
            self.assertEqual(s.sparse_dim(), n)
            self.assertTrue(torch.equal(s.to_dense(), x))
            if len(shape) == 2:
                self.assertTrue(torch.equal(x.to_sparse_csr().to_dense(), x))

    def test_softmax(self):
        got = torch.sparse.softmax(sample().coalesce(), 1).to_dense()
        want = torch.tensor(DENSE)
        want = torch.where(want == 0, torch.tensor(float("-inf")), want).softmax(1)
        self.assertTrue(torch.allclose(got, want))

    def test_wrong_parts(self):
        i = torch.tensor([[0], [1]])
        for wrong in (lambda: torch.sparse_coo_tensor(i, torch.ones(2), (2, 2)), lambda: torch.sparse_coo_tensor(i, torch.ones(1), (2, 2, 2)),
                      lambda: torch.sparse_coo_tensor(torch.zeros(2, 2, 2, dtype=torch.int64), torch.ones(2), (2, 2))):
            with self.assertRaises(RuntimeError):
                wrong()


class Csr(Case):
    def test_parts_and_product(self):
        s = torch.sparse_csr_tensor([0, 1, 3], [2, 0, 1], [1.0, 2.0, 3.0], (2, 3))
        self.assertEqual(s.to_dense().tolist(), [[0.0, 0.0, 1.0], [2.0, 3.0, 0.0]])
        self.assertEqual((s.crow_indices().tolist(), s.col_indices().tolist(), s.values().tolist(), s.layout),
                         ([0, 1, 3], [2, 0, 1], [1.0, 2.0, 3.0], torch.sparse_csr))
        self.assertEqual((s @ torch.ones(3, 2)).tolist(), [[1.0, 1.0], [5.0, 5.0]])

    def test_sampled_product(self):
        s = torch.eye(3).to_sparse_csr()
        a, b = torch.arange(6.0).view(3, 2), torch.arange(6.0).view(2, 3)
        self.assertTrue(torch.equal(torch.sparse.sampled_addmm(s, a, b).to_dense(), torch.eye(3) * (1 + a @ b)))

    def test_sampled_product_has_gradients(self):
        s = torch.sparse_csr_tensor([0, 2, 2, 3], [0, 2, 1], [1.0, -2.0, 3.0], (3, 3), dtype=torch.float64, requires_grad=True)
        a = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
        b = torch.randn(4, 3, dtype=torch.float64, requires_grad=True)
        c, places = torch.randn(3, 3, dtype=torch.float64), torch.tensor([[1.0, 0, 1], [0, 0, 0], [0, 1, 0]], dtype=torch.float64)
        dense = s.detach().to_dense().requires_grad_()
        expected = torch.autograd.grad((c * places * (0.5 * dense + 2 * (a @ b))).sum(), [dense, a, b])
        y = torch.sparse.sampled_addmm(s, a, b, beta=0.5, alpha=2)
        self.assertEqual(y.layout, torch.sparse_csr)
        weighted = torch.sparse_csr_tensor(y.crow_indices(), y.col_indices(), c[places == 1], (3, 3))
        for got in (torch.autograd.grad((y.to_dense() * c).sum(), [s, a, b], retain_graph=True),
                    torch.autograd.grad(y, [s, a, b], weighted, retain_graph=True), torch.autograd.grad([y], [s, a, b], [weighted], retain_graph=True)):
            self.assertEqual(got[0].layout, torch.sparse_csr)
            for g, e in zip(got, expected):
                torch.testing.assert_close(g.to_dense(), e)
        y.backward(weighted)
        torch.testing.assert_close(s.grad.to_dense(), expected[0])
        torch.testing.assert_close(a.grad, expected[1])
        with self.assertRaisesRegex(RuntimeError, "implicitly created only for scalar outputs"):
            torch.sparse.sampled_addmm(s, a, b).backward()
        with self.assertRaisesRegex(RuntimeError, "don't support automatic differentiation"):
            torch.sparse.sampled_addmm(s, a, b, out=s.detach())
        out = torch.sparse_csr_tensor([0, 0, 0, 0], torch.zeros(0, dtype=torch.int64), torch.zeros(0, dtype=torch.float64), (3, 3))
        self.assertIs(torch.sparse.sampled_addmm(s.detach(), a.detach(), b.detach(), beta=0.5, alpha=2, out=out), out)
        torch.testing.assert_close(out.to_dense(), y.detach().to_dense())

    def test_reduced_product(self):
        s = torch.sparse_csr_tensor([0, 2, 2, 3], [0, 2, 1], [1.0, -2.0, 3.0], (3, 3), requires_grad=True)
        b = (torch.arange(12.0).reshape(3, 4) - 3).requires_grad_()
        for name, rows, of_b, of_s in (
                ("sum", [[-13.0, -14.0, -15.0, -16.0], [0.0] * 4, [3.0, 6.0, 9.0, 12.0]], [1.0, 3.0, -2.0], [-6.0, 26.0, 10.0]),
                ("mean", [[-6.5, -7.0, -7.5, -8.0], [0.0] * 4, [3.0, 6.0, 9.0, 12.0]], [0.5, 3.0, -1.0], [-3.0, 13.0, 10.0]),
                ("amax", [[-3.0, -2.0, -1.0, 0.0], [0.0] * 4, [3.0, 6.0, 9.0, 12.0]], [1.0, 3.0, 0.0], [-6.0, 0.0, 10.0]),
                ("amin", [[-10.0, -12.0, -14.0, -16.0], [0.0] * 4, [3.0, 6.0, 9.0, 12.0]], [0.0, 3.0, -2.0], [0.0, 26.0, 10.0])):
            y = torch.sparse.mm(s, b, reduce=name)
            self.assertEqual(y.tolist(), rows, name)
            gs, gb = torch.autograd.grad(y.sum(), [s, b])
            self.assertEqual(gs.values().tolist(), of_s, name)
            self.assertEqual(gb.tolist(), [[g] * 4 for g in of_b], name)
        with self.assertRaisesRegex(RuntimeError, "reduce type of prod has not been enabled"):
            torch.sparse.mm(s, b, reduce="prod")


class Grad(Case):
    def test_of_coo(self):
        c = torch.sparse_coo_tensor(torch.tensor([[0, 0, 2], [1, 1, 0]]), torch.tensor([1.0, 2, 3]), (3, 3)).requires_grad_()
        g, = torch.autograd.grad((c * 2).to_dense().sum(), [c])
        self.assertEqual(g.to_dense().tolist(), [[0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
        s = torch.eye(3).to_sparse().requires_grad_()
        g, = torch.autograd.grad(s * 3, [s], torch.eye(3).to_sparse())
        self.assertTrue(torch.equal(g.to_dense(), 3 * torch.eye(3)))
        x = torch.ones(2, requires_grad=True)
        self.assertIsNone(torch.autograd.grad((s * 2).to_dense().sum(), [s, x], allow_unused=True)[1])
        torch.autograd.backward([s * 3, x.sum()], [torch.eye(3).to_sparse(), None])
        self.assertTrue(torch.equal(s.grad.to_dense(), 3 * torch.eye(3)))
        self.assertEqual(x.grad.tolist(), [1.0, 1.0])


class Written(Case):
    """Indices that somebody wrote to after they were checked."""

    uses = {"mm": lambda s: s @ torch.ones(3, 2), "mv": lambda s: s @ torch.ones(3), "dense": lambda s: s.to_dense(), "add": lambda s: s + s, "mul": lambda s: s * s,
            "t": lambda s: s.t() @ torch.ones(2, 2), "sum": lambda s: torch.sparse.sum(s, 0), "csr": lambda s: s.to_sparse_csr(), "softmax": lambda s: torch.sparse.softmax(s, 1),
            "select": lambda s: s[0], "mask": lambda s: torch.ones(2, 3).sparse_mask(s), "cat": lambda s: torch.cat([s, s]), "addmm": lambda s: torch.sparse.addmm(torch.ones(2, 2), s, torch.ones(3, 2)),
            "dense @ s": lambda s: torch.ones(4, 2) @ s, "s @ s": lambda s: torch.sparse.mm(s, sample().t()), "keys": lambda s: s.coalesce().keys()}

    def test_out_of_bounds(self):
        for row, value in ((0, 5), (0, -1), (1, 3), (1, -1), (0, 2**62)):
            for name, use in self.uses.items():
                s = sample().coalesce()
                s.indices()[row, 1] = value
                with self.subTest(name=name, row=row, value=value), self.raises(RuntimeError, f"index out of {'column' if row else 'row'} bound: {value} not between 1 and"):
                    use(s)
                s.indices()[row, 1] = row  # and is there again once it is mended
                s.to_dense()
        s = sample().coalesce()
        s.indices()[0, 0] = 5
        with self.raises(RuntimeError, "addmm: index out of row bound: 5 not between 1 and 2"):
            s @ torch.ones(3, 2)
        i = torch.tensor([[0, 1], [0, 1]])  # the caller's own
        s = torch.sparse_coo_tensor(i, torch.ones(2), (2, 2))
        i[1, 0] = 9
        with self.raises(RuntimeError, "index out of column bound: 9"):
            s @ torch.ones(2, 2)
        d3 = torch.sparse_coo_tensor(torch.tensor([[0, 1]] * 3), torch.ones(2), (2, 2, 2)).coalesce()
        d3.indices()[2, 0] = 2
        with self.raises(RuntimeError, "size is inconsistent with indices: for dim 2, size is 2 but found index 2"):
            d3.to_dense()

    def test_order(self):
        s = sample().coalesce()
        s.indices()[0] = torch.tensor([1, 0, 0])
        want = torch.tensor([[4.0, 0, 5], [0, 0, 9]])
        self.assertFalse(s.is_coalesced())
        self.assertTrue(torch.equal(s @ torch.eye(3), want))
        self.assertTrue(torch.equal(s.coalesce().to_sparse_csr() @ torch.eye(3), want))

    def test_compressed_rows(self):
        s = sample().coalesce().to_sparse_csr()
        s @ torch.eye(3)
        s.crow_indices()[1] = 2
        self.assertTrue(torch.equal(s @ torch.eye(3), torch.tensor([[4.0, 0, 9], [0, 0, 5]])))
        for value in (4, -1, 2**62):
            s.crow_indices()[1] = value
            with self.raises(RuntimeError, "crow_indices must go from 0 up to nnz"):
                s @ torch.eye(3)
        s = sample().coalesce().to_sparse_csr()
        s.col_indices()[0] = 3
        with self.raises(RuntimeError, "index out of column bound: 3 not between 1 and 3"):
            s @ torch.eye(3)

    def test_uncounted(self):  # NumPy's memory
        for row, value in ((0, 7), (1, 7), (0, -7), (1, -7)):
            for use in self.uses.values():
                s = sample().coalesce()
                s.indices().numpy()[row, 1] = value
                try:
                    r = use(s)
                except (RuntimeError, IndexError, ValueError):
                    continue
                self.assertIn(tuple(r.shape), {(2, 3), (3,), (2, 2), (2,), (3, 2), (4, 3), (), (4,)})

    def test_dtypes(self):
        s, m = sample().coalesce(), torch.ones(3, 2, dtype=torch.float64)
        for use in (lambda: s @ m, lambda: s @ m[:, 0], lambda: torch.sparse.mm(s, m), lambda: torch.mm(s, m), lambda: m.t()[:, :2] @ s,
                    lambda: torch.sparse.addmm(m[:2], s, m.float()), lambda: torch.sparse.addmm(m[:2].float(), s, m), lambda: torch.matmul(s, m), lambda: torch.mv(s, m[:, 0]),
                    lambda: s.to_sparse_csr() @ m, lambda: torch.sparse.mm(s.to_sparse_csr(), m, "mean")):
            with self.raises(RuntimeError, "expected scalar type Float but found Double"):
                use()
        with self.raises(RuntimeError, "expected scalar type Double but found Float"):
            s.double() @ m.float()
        with self.raises(RuntimeError, "expected scalar type Double but found Float"):
            s.double().to_sparse_csr() + s.to_sparse_csr()
        with self.raises(RuntimeError, "mat1 dtype Float does not match mat2 dtype Double"):
            torch.sparse.mm(s, s.t().double())
        with self.raises(RuntimeError, "expected scalar type Float but found Long"):
            s @ m.long()
        with self.raises(NotImplementedError, "\"addmm_sparse_dense\" not implemented for 'Bool'"):
            s.bool() @ m.bool()
        c = s.to_sparse_csr()
        with self.raises(RuntimeError, "sampled_addmm: Expected mat1 and self to have the same dtype, but got Double and Float"):
            torch.sparse.sampled_addmm(c, m[:2], m.t()[:, :].contiguous()[:2, :3])
        with self.raises(RuntimeError, "sampled_addmm: Expected mat1 and mat2 to have the same dtype, but got Float and Double"):
            torch.sparse.sampled_addmm(c, m[:2].float(), m.t())


if __name__ == "__main__":
    unittest.main()
