"""Products and what follows them: the pieces on which it runs, and the layout of gradients that are transposed products.
SPDX-License-Identifier: Apache-2.0"""
import unittest

import torch
import torch.nn.functional as F
from helper import Case, winnow_only


def small(*shape):
    """Whole numbers: sums of their products are exact in any order."""
    n = 1
    for s in shape:
        n *= s
    return ((torch.arange(n) * 7 + 3) % 5 - 2).float().reshape(shape)


def followed():
    """Deferred products and what follows them; in the second form each product is computed before."""
    x, w, v = small(512, 64), small(64, 512), small(64)
    b, c = small(8, 160, 16), small(8, 16, 160)
    narrow, bias = small(64, 10), small(512)
    yield "rows", lambda look: look(x @ w).relu() + 1
    yield "transposed", lambda look: look(torch.einsum("ik,kj->ji", x, w)).relu() + 1
    yield "batch last", lambda look: look(torch.einsum("bik,bkj->ijb", b, c)).relu() + 1
    yield "batches transposed", lambda look: look(torch.einsum("bik,bkj->bji", b, c)).relu() + 1
    yield "few columns", lambda look: look(small(2000, 64) @ narrow).relu() + 1
    yield "few long columns", lambda look: look(small(2000, 600) @ small(600, 8)).relu() + 1
    yield "a vector", lambda look: look(small(9000, 64) @ v).relu() + 1
    yield "an addend", lambda look: look(torch.addmm(bias, x, w)).relu() + 1
    yield "a layer", lambda look: look(F.linear(x, w.T.contiguous(), bias)).relu() + 1
    yield "a narrow layer", lambda look: look(F.linear(small(2000, 64), narrow.T, small(10))).relu() + 1
    yield "a layer's weight", lambda look: look(torch.einsum("ni,no->oi", x, small(512, 160))) * 2


def look_at(t):
    t.flatten()[0].item()
    return t


class Pieces(Case):
    def test_what_follows_is_the_same(self):
        for name, f in followed():
            with self.subTest(name):
                self.same(f(lambda t: t).contiguous(), f(look_at).contiguous())

    @winnow_only
    def test_no_piece_is_short(self):
        for name, f in followed():
            with self.subTest(name):
                before = torch._C._stats()["short_pieces"]
                look_at(f(lambda t: t))
                self.assertEqual(torch._C._stats()["short_pieces"] - before, 0)

    @winnow_only
    def test_no_piece_of_a_gradient_is_short(self):
        x, w = small(205, 64), small(512, 64).requires_grad_()
        q, k = small(8, 64, 32).requires_grad_(), small(8, 64, 32).requires_grad_()
        before = torch._C._stats()["short_pieces"]
        (x @ w.T).sum().backward()
        (q @ k.transpose(1, 2)).sum().backward()
        for t in (w, q, k):
            look_at(t.grad)
        self.assertEqual(torch._C._stats()["short_pieces"] - before, 0)


class Layout(Case):
    def test_a_gradient_lies_as_its_leaf(self):
        x, w = small(205, 64), small(512, 64).requires_grad_()
        (x @ w.T).sum().backward()
        self.assertEqual(w.grad.stride(), (64, 1))
        self.same(w.grad, x.sum(0).expand(512, 64).contiguous())
        q, k = small(8, 64, 32).requires_grad_(), small(8, 64, 32).requires_grad_()
        (q @ k.transpose(1, 2)).sum().backward()
        self.assertEqual((q.grad.stride(), k.grad.stride()), (q.stride(), k.stride()))
        self.same(k.grad, q.detach().sum(1, keepdim=True).expand(8, 64, 32).contiguous())

    def test_a_leaf_in_another_order(self):
        for leaf in (small(64, 512).T, small(2, 3, 4, 5).permute(0, 2, 3, 1), small(3, 4).T):
            leaf = leaf.requires_grad_()
            (leaf * small(*leaf.shape)).sum().backward()
            self.assertEqual(leaf.grad.stride(), leaf.stride())
            self.same(leaf.grad.contiguous(), small(*leaf.shape))

    def test_a_leaf_with_gaps(self):
        leaf = small(40, 600)[:, ::2].requires_grad_()
        leaf.T.contiguous().mul(small(300, 40)).sum().backward()
        self.assertEqual(leaf.grad.stride(), (300, 1))
        self.same(leaf.grad, small(300, 40).T.contiguous())


if __name__ == "__main__":
    unittest.main()
