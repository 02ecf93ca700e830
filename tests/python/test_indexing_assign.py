"""Assigning through every kind of index: numbers, broadcast tensors, conversion, masks, repeats, chained and augmented
assignment, index_put_, gradients through assignment, errors. SPDX-License-Identifier: Apache-2.0"""
import math
import unittest

import torch

from helper import DTYPES, WINNOW, Case, needs_numpy, numpy


class Numbers(Case):
    def assigned(self, index, value, expected):
        x = torch.zeros(2, 3)
        x[index] = value
        self.values(x, expected)

    def test_new_dimension_of_itself(self):
        x = torch.tensor(1.5)
        x[None] += 2
        self.assertEqual(x.item(), 3.5)
        y = torch.arange(4.0).reshape(2, 2)
        y[:, None] *= 2
        self.assertEqual(y.tolist(), [[0.0, 2.0], [4.0, 6.0]])

    def test_diagonal_again_and_again(self):
        """wrap=True fills every (width + 1)-th row anew; the row above each stays empty."""
        for height, width in ((7, 3), (8, 3), (9, 3), (4, 3), (3, 3), (3, 5), (5, 1), (2, 1), (13, 2), (5, 0)):
            expected = [[5.0 if i % (width + 1) == j else 0.0 for j in range(width)] for i in range(height)]
            self.values(torch.zeros(height, width).fill_diagonal_(5.0, wrap=True), expected)
            if WINNOW:  # PyTorch counts in memory, as if rows lay end to end
                self.values(torch.zeros(width, height).t().fill_diagonal_(5.0, wrap=True), expected)
                self.values(torch.zeros(2 * height, 2 * width)[::2, ::2].fill_diagonal_(5.0, wrap=True), expected)

    def test_places(self):
        self.assigned(0, 5, [[5.0] * 3, [0.0] * 3])
        self.assigned(-1, 5, [[0.0] * 3, [5.0] * 3])
        self.assigned((1, 2), 5, [[0.0] * 3, [0.0, 0.0, 5.0]])
        self.assigned((slice(None), 1), 5, [[0.0, 5.0, 0.0]] * 2)
        self.assigned((Ellipsis, slice(None, None, 2)), 5, [[5.0, 0.0, 5.0]] * 2)
        self.assigned(None, 5, [[5.0] * 3] * 2)
        self.assigned(Ellipsis, 5, [[5.0] * 3] * 2)
        self.assigned((), 5, [[5.0] * 3] * 2)
        self.assigned(True, 5, [[5.0] * 3] * 2)
        self.assigned(False, 5, [[0.0] * 3] * 2)
        self.assigned(torch.tensor(1), 5, [[0.0] * 3, [5.0] * 3])
        self.assigned([0, 1], 5, [[5.0] * 3] * 2)
        self.assigned(([0, 1], [2, 0]), 5, [[0.0, 0.0, 5.0], [5.0, 0.0, 0.0]])
        self.assigned((slice(None), [2, 0]), 5, [[5.0, 0.0, 5.0]] * 2)
        self.assigned(torch.tensor([True, False]), 5, [[5.0] * 3, [0.0] * 3])
        self.assigned(torch.tensor([], dtype=torch.int64), 5, [[0.0] * 3] * 2)
        self.assigned(slice(1, 1), 5, [[0.0] * 3] * 2)

    def test_kinds_of_number(self):
        self.assigned(0, True, [[1.0] * 3, [0.0] * 3])
        self.assigned(0, 0.25, [[0.25] * 3, [0.0] * 3])
        self.assigned(0, torch.tensor(7), [[7.0] * 3, [0.0] * 3])
        self.assigned((0, 0), torch.tensor([[7]]), [[7.0, 0.0, 0.0], [0.0] * 3])

    @needs_numpy
    def test_numpy_scalars(self):
        self.assigned(0, numpy.float64(2.5), [[2.5] * 3, [0.0] * 3])
        self.assigned((0, 1), numpy.float64(2), [[0.0, 2.0, 0.0], [0.0] * 3])

    def test_converted(self):
        i = torch.zeros(3, dtype=torch.int64)
        i[0], i[1], i[2] = 1.7, True, -2.7
        self.values(i, [1, 1, -2])
        b = torch.zeros(3, dtype=torch.bool)
        b[0], b[1] = 5, 0.5
        self.values(b, [True, True, False])

    def test_every_dtype(self):
        for dtype in DTYPES:
            with self.subTest(dtype=dtype):
                x = torch.zeros(4, dtype=dtype)
                x[1] = 1
                x[[2]] = 1
                x[torch.tensor([False, False, False, True])] = torch.ones(1, dtype=dtype)
                self.assertEqual(x.tolist(), torch.tensor([0, 1, 1, 1], dtype=dtype).tolist())

    def test_without_dimensions(self):
        x = torch.tensor(1.0)
        x[()] = 2
        self.assertEqual(x.item(), 2)
        x[...] = 3
        self.assertEqual(x.item(), 3)
        x[True] = 4
        self.assertEqual(x.item(), 4)


class Tensors(Case):
    def test_broadcast(self):
        x = torch.zeros(2, 3)
        x[:] = torch.tensor([1.0, 2.0, 3.0])
        self.values(x, [[1.0, 2.0, 3.0]] * 2)
        x[:, 1:] = torch.tensor([[4.0], [5.0]])
        self.values(x, [[1.0, 4.0, 4.0], [1.0, 5.0, 5.0]])
        x[0] = torch.tensor([[7.0, 8.0, 9.0]])  # leading ones may go
        self.values(x[0], [7.0, 8.0, 9.0])
        x[None, 1] = torch.tensor([[1.0, 2.0, 3.0]])
        self.values(x[1], [1.0, 2.0, 3.0])
        x[:, [2, 0]] = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        self.values(x, [[2.0, 8.0, 1.0], [4.0, 2.0, 3.0]])

    def test_index_tensors_broadcast(self):
        x = torch.zeros(2, 3)
        x[torch.tensor([[0, 1]]), torch.tensor([[1], [2]])] = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        self.values(x, [[0.0, 1.0, 3.0], [0.0, 2.0, 4.0]])
        x[torch.tensor([0])] = torch.ones(1, 1, 3)
        self.values(x[0], [1.0] * 3)

    def test_integer_slice_and_index_tensor(self):
        x = torch.zeros(2, 3, 4)
        x[0, :, torch.tensor([0, 2])] = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])  # placed as [3, 2]
        self.values(x[0], [[1.0, 0.0, 2.0, 0.0], [3.0, 0.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0]])
        x[torch.tensor([0, 1]), :, torch.tensor([3, 3])] = torch.tensor([[7.0, 8.0, 9.0]])
        self.values(x[:, :, 3], [[7.0, 8.0, 9.0]] * 2)

    def test_the_last_of_repeats_wins(self):
        x = torch.zeros(3)
        x[torch.tensor([0, 1, 0])] = torch.tensor([1.0, 2.0, 3.0])
        self.values(x, [3.0, 2.0, 0.0])

    def test_mask(self):
        x = torch.zeros(2, 3)
        mask = torch.tensor([[True, False, True], [False, True, False]])
        x[mask] = torch.tensor([1.0, 2.0, 3.0])
        self.values(x, [[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
        x[:, torch.tensor([True, False, True])] = torch.tensor([[4.0], [5.0]])
        self.values(x, [[4.0, 0.0, 4.0], [5.0, 3.0, 5.0]])

    def test_conversion_of_slices_only(self):
        i = torch.zeros(2, 3, dtype=torch.int64)
        i[0] = torch.tensor([1.7, 2.2, -3.9])
        self.values(i[0], [1, 2, -3])
        for index, value in [(torch.tensor([0]), torch.ones(3)), (torch.ones(2, 3, dtype=torch.bool), torch.ones(6))]:
            with self.raises(RuntimeError, "dtypes match"):
                i[index] = value

    def test_overlapping_source(self):
        x = torch.arange(6.0)
        x[1:] = x[:-1].clone()
        self.values(x, [0.0, 0.0, 1.0, 2.0, 3.0, 4.0])
        y = torch.arange(4.0)
        y[torch.tensor([3, 2, 1, 0])] = y.clone()
        self.values(y, [3.0, 2.0, 1.0, 0.0])


class Chained(Case):
    def test_views_of_views(self):
        x = torch.zeros(4, 3)
        x[1:3][0] = 5
        x[1:3][1][2] = 6
        x.t()[0][3] = 7
        self.values(x, [[0.0] * 3, [5.0] * 3, [0.0, 0.0, 6.0], [7.0, 0.0, 0.0]])

    def test_copies_swallow_it(self):
        x = torch.zeros(4, 3)
        x[[0]][0] = 5
        x[x == 0][0] = 5
        self.values(x, [[0.0] * 3] * 4)

    def test_augmented(self):
        x = torch.arange(6.0).reshape(2, 3)
        x[0] += 1
        x[:, 1] *= 10
        x[1, 2] -= 5
        self.values(x, [[1.0, 20.0, 3.0], [3.0, 40.0, 0.0]])
        x[x > 10] += 1
        self.values(x, [[1.0, 21.0, 3.0], [3.0, 41.0, 0.0]])
        x[[0, 0]] += 1  # of repeats the last one wins: 1 is added once
        self.values(x[0], [2.0, 22.0, 4.0])
        x[1] /= 2
        x[1] **= 2
        self.values(x[1], [2.25, 420.25, 0.0])

    def test_augmented_keeps_the_object(self):
        x = torch.ones(3)
        y = x
        y += 1
        self.assertIs(x, y)
        self.values(x, [2.0] * 3)
        i = torch.arange(8)
        i[1:] //= 2
        i[0] |= 5
        i[7] ^= 1
        self.values(i, [5, 0, 1, 1, 2, 2, 3, 2])


class IndexPut(Case):
    def test_accumulate(self):
        x = torch.zeros(2, 3)
        index = (torch.tensor([0, 0, 1]), torch.tensor([1, 1, 2]))
        self.assertIs(x.index_put_(index, torch.tensor([1.0, 2.0, 3.0]), accumulate=True), x)
        self.values(x, [[0.0, 3.0, 0.0], [0.0, 0.0, 3.0]])
        x.index_put_((torch.tensor([0, 0]),), torch.tensor(1.0), accumulate=True)
        self.values(x[0], [2.0, 5.0, 2.0])

    def test_replace(self):
        x = torch.zeros(2, 3)
        x.index_put_([torch.tensor([0, 1])], torch.tensor([1.0, 2.0, 3.0]))
        self.values(x, [[1.0, 2.0, 3.0]] * 2)

    def test_on_a_copy(self):
        x = torch.zeros(3, requires_grad=True)
        v = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x.index_put((torch.tensor([0, 0]),), v, accumulate=True)
        self.values(y, [3.0, 0.0, 0.0])
        self.values(x, [0.0] * 3)
        (y * torch.tensor([2.0, 3.0, 4.0])).sum().backward()
        self.values(x.grad, [2.0, 3.0, 4.0])
        self.values(v.grad, [2.0, 2.0])

    def test_wrong(self):
        x = torch.zeros(2, 3)
        with self.raises(RuntimeError, "dtypes match"):
            x.index_put_((torch.tensor([0]),), torch.tensor([1]))
        with self.assertRaises(TypeError):
            x.index_put_((0,), torch.tensor([1.0]))
        with self.raises(IndexError, "out of bounds"):
            x.index_put_((torch.tensor([2]),), torch.tensor(1.0))


class Gradients(Case):
    def test_what_was_overwritten_gets_none(self):
        x = torch.ones(2, 3, requires_grad=True)
        v = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
        y = x * 2
        y[0] = v * 5
        (y * torch.arange(1.0, 7.0).reshape(2, 3)).sum().backward()
        self.values(x.grad, [[0.0] * 3, [8.0, 10.0, 12.0]])
        self.values(v.grad, [5.0, 10.0, 15.0])

    def test_number(self):
        x = torch.ones(4, requires_grad=True)
        y = x * 3
        y[1:3] = 0
        y.sum().backward()
        self.values(x.grad, [3.0, 0.0, 0.0, 3.0])

    def test_index_tensor_and_broadcast_value(self):
        x = torch.ones(3, 2, requires_grad=True)
        v = torch.tensor(4.0, requires_grad=True)
        y = x * 1
        y[torch.tensor([0, 2])] = v
        (y * y).sum().backward()
        self.values(x.grad, [[0.0, 0.0], [2.0, 2.0], [0.0, 0.0]])
        self.assertEqual(v.grad.item(), 32.0)

    def test_mask(self):
        x = torch.tensor([1.0, -2.0, 3.0, -4.0], requires_grad=True)
        v = torch.tensor([10.0, 20.0], requires_grad=True)
        y = x * 2
        y[x < 0] = v
        (y * torch.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
        self.values(x.grad, [2.0, 0.0, 6.0, 0.0])
        self.values(v.grad, [2.0, 4.0])

    def test_augmented_on_a_part(self):
        x = torch.ones(4, requires_grad=True)
        y = x * 1
        y[1:3] *= 5
        y[x > 0] += 1
        (y * y).sum().backward()
        self.values(x.grad, [4.0, 60.0, 60.0, 4.0])

    def test_leaf(self):
        x = torch.ones(3, requires_grad=True)
        with self.raises(RuntimeError, "leaf", "in-place"):
            x[0] = 5
        with self.raises(RuntimeError, "leaf", "in-place"):
            x[[0]] = 5
        with torch.no_grad():
            x[0] = 5
            x[[1]] = 6
        self.values(x, [5.0, 6.0, 1.0])
        self.assertTrue(x.requires_grad and x.is_leaf)

    def test_value_makes_the_target_part_of_the_graph(self):
        v = torch.tensor(2.0, requires_grad=True)
        y = torch.zeros(3)
        y[1] = v * v
        self.assertTrue(y.requires_grad and not y.is_leaf)
        y.sum().backward()
        self.assertEqual(v.grad.item(), 4.0)


class Errors(Case):
    def check(self, kind, index, value, *words):
        x = torch.zeros(2, 3)
        with self.subTest(index=str(index), value=str(value)):
            with self.raises(kind, *words):
                x[index] = value
            self.values(x, [[0.0] * 3] * 2)  # a failed assignment leaves the target alone

    def test_places(self):
        self.check(IndexError, 5, 1, "out of bounds")
        self.check(IndexError, (0, 1, 2), 1, "too many indices")
        self.check(IndexError, [5, 0], 1, "out of bounds")
        self.check(ValueError, slice(None, None, -1), 1, "step")
        self.check(IndexError, 1.5, 1, "only integers, slices")
        self.check(IndexError, torch.tensor([True, True, True]), 1, "shape of the mask")

    def test_shapes(self):
        self.check(RuntimeError, 0, torch.ones(4), "3", "4")
        self.check(RuntimeError, 0, torch.ones(2, 3))
        self.check(RuntimeError, (0, 0), torch.ones(2))
        self.check(RuntimeError, torch.ones(2, 3, dtype=torch.bool), torch.ones(5), "shape mismatch", "[5]", "[6]")
        self.check(RuntimeError, torch.ones(2, 3, dtype=torch.bool), torch.ones(7), "shape mismatch")
        self.check(RuntimeError, torch.tensor([0, 1]), torch.ones(4), "shape mismatch", "[4]", "[2, 3]")

    def test_values(self):
        for value in ([1, 2, 3], (1, 2, 3), None, "a", object()):
            self.check(TypeError, 0, value, "can't assign a " + type(value).__name__)
        self.check(ValueError, 0, 1 << 70, "overflow")

    def test_numbers_that_do_not_fit(self):
        i = torch.zeros(2, dtype=torch.int64)
        for value in (math.nan, math.inf, -math.inf):
            with self.raises(RuntimeError, "without overflow"):
                i[0] = value
        with self.assertRaises(ValueError):
            i[0] = 1 << 63
        small = torch.zeros(2, dtype=torch.int8)
        with self.raises(RuntimeError, "without overflow"):
            small[0] = 300
        self.values(small, [0, 0])

    def test_deleting(self):
        x = torch.zeros(2)
        with self.raises(TypeError, "delet"):
            del x[0]


if __name__ == "__main__":
    unittest.main()
