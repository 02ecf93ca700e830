"""Masks behind in-place operations on views: what a mask left out of a buffer that was filled piece by piece has no gradient
(docs/autograd.md, "Supports"). SPDX-License-Identifier: Apache-2.0"""

import unittest

import torch
from helper import Case, winnow_only


def row_of_a_buffer(u, m):
    b = torch.zeros(2, 4)
    b[0] = u
    b[1] = 1
    return torch.where(m, b, 0)


def middle_of_a_buffer(u, m):
    b = torch.zeros(6)
    b[1:5] = u
    keep = torch.zeros(6, dtype=torch.bool)
    keep[1:5] = m
    return torch.where(keep, b, 0)


def middle_selected(u, m):
    b = torch.zeros(6)
    b[1:5].copy_(u)
    keep = torch.zeros(6, dtype=torch.bool)
    keep[1:5] = m
    return b[keep]


def part_scaled(u, m):
    y = u * 1
    y[:2].mul_(2)
    return torch.where(m, y, 0)


def part_scaled_twice(u, m):
    y = u * 1
    y[:3].mul_(2)
    y[:2][:1].add_(u[:1])
    return torch.where(m, y, 0)


def part_masked(u, m):
    y = u * 1
    y[:2].masked_fill_(~m[:2], 7)
    return y * 3


def added_to_a_row(u, m):
    y = torch.zeros(2, 4)
    y[0].add_(u)
    return torch.where(m, y, 0)


def column_of_a_transposed(u, m):
    y = torch.zeros(4, 3).t()
    y[1] = u * 2
    return torch.where(m, y, 0)


def product_of_a_buffer(u, m):
    b = torch.zeros(4, 2)
    b[:, 0] = u
    b[:, 1] = 3
    return torch.where(m.reshape(4, 1), b @ torch.ones(2, 3), 0)


def view_read_after(u, m):
    y = torch.zeros(2, 4)
    v = y[0]
    v += u
    return torch.where(m, v, 0)


PROGRAMS = (row_of_a_buffer, middle_of_a_buffer, middle_selected, part_scaled, part_scaled_twice, part_masked, added_to_a_row,
            column_of_a_transposed, product_of_a_buffer, view_read_after)
KEEP = torch.tensor([False, True, True, True])


def gradient(f, x, create_graph):
    x = x.clone().requires_grad_()
    return torch.autograd.grad(f(x.log(), KEEP).sum(), x, create_graph=create_graph)[0].detach()


class Masks(Case):
    def test_values_without_poles(self):
        x = torch.tensor([4.0, 1.0, 2.0, 3.0])
        for f in PROGRAMS:
            with self.subTest(f.__name__):
                got = gradient(f, x, False)
                self.assertEqual(got[0].item(), 0)
                self.assertTrue(torch.allclose(got * x, (got * x).round(), 1e-5, 1e-5))

    @winnow_only
    def test_what_is_left_out(self):
        for f in PROGRAMS:
            for create_graph in (False, True):
                with self.subTest(f.__name__, create_graph=create_graph):
                    want = gradient(f, torch.tensor([4.0, 1.0, 2.0, 3.0]), create_graph)
                    self.assertEqual(gradient(f, torch.tensor([0.0, 1.0, 2.0, 3.0]), create_graph).tolist(), want.tolist())

    def test_what_is_overwritten_is_a_zero(self):
        x = torch.tensor([0.0, 1.0, 2.0, 3.0], requires_grad=True)
        y = x.log() * 1
        y[:1] = 5
        y.sum().backward()
        self.assertTrue(x.grad[0].isnan())
        self.assertEqual(x.grad[1:].tolist(), [1, 0.5, torch.tensor(1 / 3).item()])


if __name__ == "__main__":
    unittest.main()
