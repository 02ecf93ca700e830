"""Reading through every kind of index: integers, slices, Ellipsis, None, masks, index tensors and their placement,
lists, NumPy arrays, bools; what shares memory and what copies; errors; gradients.
SPDX-License-Identifier: Apache-2.0"""
import unittest
import warnings

import torch

from helper import Case, needs_numpy, numpy


def cube():
    """[2, 3, 4], element [i, j, k] is 12i + 4j + k."""
    return torch.arange(24.0).reshape(2, 3, 4)


def at(i, j, k):
    return float(12 * i + 4 * j + k)


class Basic(Case):
    def test_integers(self):
        x = cube()
        self.values(x[1], [[at(1, j, k) for k in range(4)] for j in range(3)])
        self.values(x[1, 2], [at(1, 2, k) for k in range(4)])
        self.values(x[1, 2, 3], 23.0)
        self.values(x[-1, -3, -4], 12.0)
        self.values(x[1][2][3], 23.0)
        self.assertEqual(x[0, 0, 0].shape, ())

    def test_slices(self):
        x = torch.arange(10)
        for s in [slice(None), slice(3), slice(3, None), slice(2, 7), slice(2, 9, 3), slice(None, None, 4),
                  slice(-3, None), slice(None, -3), slice(-100, 100), slice(7, 2), slice(10, None)]:
            with self.subTest(s=s):
                self.values(x[s], list(range(10))[s])

    def test_slices_beyond_64_bits_are_clipped(self):
        x = torch.arange(10)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.values(x[7:10**30], [7, 8, 9])
            self.values(x[-(10**30):2], [0, 1])

    def test_slices_of_several_dimensions(self):
        x = cube()
        self.values(x[:, 1:, ::2], [[[at(i, j, k) for k in (0, 2)] for j in (1, 2)] for i in (0, 1)])
        self.values(x[1:, 0, 1:3], [[at(1, 0, 1), at(1, 0, 2)]])
        self.assertEqual(x[:, 1:, ::2].stride(), (12, 4, 2))
        self.assertEqual(x[:, 1:, ::2].storage_offset(), 4)

    def test_slice_limits_may_be_tensors(self):
        x = torch.arange(10)
        self.values(x[torch.tensor(2):torch.tensor(5)], [2, 3, 4])

    def test_ellipsis(self):
        x = cube()
        self.assertEqual(x[...].shape, (2, 3, 4))
        self.values(x[..., 1], [[at(i, j, 1) for j in range(3)] for i in range(2)])
        self.values(x[1, ..., 2], [at(1, j, 2) for j in range(3)])
        self.values(x[1, 2, 3, ...], 23.0)
        self.assertEqual(x[..., None].shape, (2, 3, 4, 1))

    def test_none(self):
        x = cube()
        self.assertEqual(x[None].shape, (1, 2, 3, 4))
        self.assertEqual(x[:, None, :, None].shape, (2, 1, 3, 1, 4))
        self.assertEqual(x[None, 1, None, ..., None].shape, (1, 1, 3, 4, 1))
        self.assertEqual(torch.tensor(5)[None].tolist(), [5])

    def test_tensor_without_dimensions(self):
        x = torch.tensor(5.0)
        for y in (x[()], x[...]):
            self.assertEqual((y.shape, y.item()), ((), 5.0))
            self.assertEqual(y.data_ptr(), x.data_ptr())

    def test_empty_tuple_is_everything(self):
        x = cube()
        y = x[()]
        self.same(y, x)
        self.assertEqual(y.data_ptr(), x.data_ptr())

    def test_tensors_of_one_integer_are_integers(self):
        x = cube()
        for i in (torch.tensor(1), torch.tensor(1, dtype=torch.int32)):
            self.same(x[0, i], x[0, 1])
        self.assertEqual(x[torch.tensor(-1)].data_ptr(), x[1].data_ptr())

    def test_bools_are_masks_without_dimensions(self):
        x = cube()
        self.assertEqual(x[True].shape, (1, 2, 3, 4))
        self.assertEqual(x[False].shape, (0, 2, 3, 4))
        self.assertEqual(x[torch.tensor(True)].shape, (1, 2, 3, 4))
        self.assertEqual(x[torch.tensor(False)].shape, (0, 2, 3, 4))
        self.assertEqual(x[True, 0].shape, (1, 3, 4))
        self.assertEqual(x[None, True].shape, (1, 1, 2, 3, 4))
        self.same(x[True][0], x)
        self.values(torch.tensor(5)[True], [5])
        self.values(torch.tensor(5)[False], [])


class IndexTensors(Case):
    def test_one(self):
        x = cube()
        i = torch.tensor([1, 0, 1, -1])
        self.values(x[i][:, 0, 0], [12.0, 0.0, 12.0, 12.0])
        self.assertEqual(x[i].shape, (4, 3, 4))
        self.values(x[:, torch.tensor([2, 0])][1, :, 1], [at(1, 2, 1), at(1, 0, 1)])
        self.values(x[..., torch.tensor([3])][0, 0], [3.0])
        self.same(x[torch.tensor([1, 0], dtype=torch.int32)], x[torch.tensor([1, 0])])

    def test_with_dimensions(self):
        x = torch.arange(10, 20)
        self.values(x[torch.tensor([[0, 1], [9, -1]])], [[10, 11], [19, 19]])
        self.assertEqual(cube()[torch.zeros(5, 6, dtype=torch.int64)].shape, (5, 6, 3, 4))

    def test_several_broadcast(self):
        x = cube()
        self.values(x[torch.tensor([0, 1]), torch.tensor([2, 0]), torch.tensor([3, 1])], [at(0, 2, 3), at(1, 0, 1)])
        self.values(x[torch.tensor([[0], [1]]), torch.tensor([2, 0]), 1],
                    [[at(0, 2, 1), at(0, 0, 1)], [at(1, 2, 1), at(1, 0, 1)]])
        self.assertEqual(x[torch.zeros(3, 1, dtype=torch.int64), torch.zeros(5, dtype=torch.int64)].shape, (3, 5, 4))

    def test_placement(self):
        x = torch.zeros(2, 3, 4, 5)
        i = torch.tensor([0, 1, 0, 1, 0, 1])
        for index, shape in [((slice(None), i, i), (2, 6, 5)),            # next to each other: in their place
                             ((slice(None), i, slice(None), i), (6, 2, 4)),  # apart: in front
                             ((i, slice(None), i), (6, 3, 5)),
                             ((i, None, i), (6, 1, 4, 5)),
                             ((Ellipsis, i, i), (2, 3, 6)),
                             ((slice(None), i, None, i), (6, 2, 1, 5)),
                             ((0, slice(None), i), (3, 6, 5)),            # torch takes integers first: not apart
                             ((slice(None), 1, i), (2, 6, 5)),
                             ((i, 0, i), (6, 5)),
                             ((None, i), (1, 6, 3, 4, 5))]:
            with self.subTest(index=str(index)):
                self.assertEqual(tuple(x[index].shape), shape)

    def test_placement_of_values(self):
        x = cube()
        i = torch.tensor([0, 2])
        self.values(x[0, :, i], [[at(0, j, k) for k in (0, 2)] for j in range(3)])
        self.values(x[:, i, i], [[at(n, 0, 0), at(n, 2, 2)] for n in (0, 1)])
        self.values(x[torch.tensor([0, 1]), :, i], [[at(0, j, 0) for j in range(3)], [at(1, j, 2) for j in range(3)]])

    def test_empty(self):
        x = cube()
        none = torch.tensor([], dtype=torch.int64)
        self.assertEqual(x[none].shape, (0, 3, 4))
        self.assertEqual(x[:, none].shape, (2, 0, 4))
        self.assertEqual(x[[]].shape, (0, 3, 4))
        self.assertEqual(torch.zeros(0, 3)[none].shape, (0, 3))

    def test_lists_tuples_ranges(self):
        x = cube()
        self.same(x[[1, 0]], x[torch.tensor([1, 0])])
        self.same(x[[0, 1], [2, 0]], x[torch.tensor([0, 1]), torch.tensor([2, 0])])
        self.same(x[(1, 2)], x[1, 2])
        self.same(x[:, [[0, 1], [2, 0]]], x[:, torch.tensor([[0, 1], [2, 0]])])
        self.same(x[range(2)], x)
        self.same(x[:, (2, 0)], x[:, torch.tensor([2, 0])])
        self.same(x[[True, False]], x[:1])
        self.same(x[torch.Size([1, 2])], x[1, 2])

    @needs_numpy
    def test_numpy(self):
        x = cube()
        self.same(x[numpy.int64(1)], x[1])
        self.same(x[numpy.array(1)], x[1])
        self.same(x[numpy.array([1, 0])], x[torch.tensor([1, 0])])
        self.same(x[numpy.array([[0], [1]]), [0, 2]], x[torch.tensor([[0], [1]]), torch.tensor([0, 2])])
        self.same(x[numpy.array([False, True])], x[1:])
        self.same(x[:, numpy.array([0, 2], dtype=numpy.int32)], x[:, ::2])


class Masks(Case):
    def test_one_dimension(self):
        x = cube()
        self.same(x[torch.tensor([False, True])], x[1:])
        self.same(x[:, torch.tensor([True, False, True])], x[:, ::2])
        self.same(x[0, torch.tensor([True, True, False])], x[0, :2])

    def test_several_dimensions(self):
        x = cube()
        mask = x > 20.5
        self.values(x[mask], [21.0, 22.0, 23.0])
        rows = torch.tensor([[True, False, False], [False, False, True]])
        self.same(x[rows], torch.stack([x[0, 0], x[1, 2]]))
        self.same(x[rows, 1], torch.stack([x[0, 0, 1], x[1, 2, 1]]))

    def test_in_the_middle(self):
        x = cube()
        mask = torch.zeros(3, 4, dtype=torch.bool)
        mask[0, 1] = mask[2, 3] = True
        self.values(x[:, mask], [[at(i, 0, 1), at(i, 2, 3)] for i in (0, 1)])
        y = torch.arange(120).reshape(2, 3, 4, 5)
        self.same(y[:, mask, 2], torch.stack([y[:, 0, 1, 2], y[:, 2, 3, 2]], 1))
        self.assertEqual(y[:, mask].shape, (2, 2, 5))

    def test_with_index_tensor(self):
        x = cube()
        self.same(x[torch.tensor([1, 0]), torch.tensor([True, False, True])], torch.stack([x[1, 0], x[0, 2]]))

    def test_nothing_and_everything(self):
        x = cube()
        self.assertEqual(x[torch.zeros(2, 3, dtype=torch.bool)].shape, (0, 4))
        self.same(x[torch.ones(2, 3, 4, dtype=torch.bool)], x.flatten())
        self.assertEqual(torch.zeros(0)[torch.zeros(0, dtype=torch.bool)].shape, (0,))

    def test_of_every_dtype(self):
        for dtype in [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16,
                      torch.bfloat16, torch.float64]:
            x = torch.tensor([1, 0, 1], dtype=dtype)
            self.same(x[torch.tensor([True, True, False])], torch.tensor([1, 0], dtype=dtype))
            self.same(x[torch.tensor([2, 1])], torch.tensor([1, 0], dtype=dtype))


class Memory(Case):
    def test_views_share(self):
        x = cube()
        for y in (x[0], x[:, 1:], x[..., 0], x[None], x[()], x[torch.tensor(1)]):
            y.add_(100)
        self.assertEqual(x[0, 1, 0].item(), 4 + 500)  # all but the last one see it
        self.assertEqual(x[1, 0, 1].item(), 13 + 300)

    def test_index_tensors_copy(self):
        x = cube()
        for y in (x[[0]], x[torch.tensor([1])], x[torch.tensor([True, False])], x[x > 3], x[True]):
            y.zero_()
        self.same(x, cube())
        self.assertNotEqual(x[[0, 1]].data_ptr(), x.data_ptr())

    def test_negative_and_large_strides(self):
        x = cube().permute(2, 0, 1)[1:, :, ::2]
        self.same(x[torch.tensor([2, 0])], torch.stack([x[2], x[0]]))
        self.same(x[x > 14], torch.tensor([v for v in x.flatten().tolist() if v > 14]))


class Errors(Case):
    def test_range(self):
        x = cube()
        for index in [2, -3, (0, 3), (0, 0, -5)]:
            with self.subTest(index=index), self.raises(IndexError, "out of bounds"):
                x[index]
        for i in ([2], [0, -3], [[0], [7]]):
            with self.subTest(i=i), self.raises(IndexError, "out of bounds"):
                x[torch.tensor(i)]
            with self.subTest(i=i), self.raises(IndexError, "out of bounds"):
                x[i,]
        with self.raises(ValueError, "overflow"):
            x[2**70]

    def test_too_many(self):
        x = cube()
        with self.raises(IndexError, "too many indices", "dimension 3"):
            x[0, 0, 0, 0]
        with self.raises(IndexError, "too many indices"):
            x[:, :, :, :]
        with self.raises(IndexError, "0-dim tensor"):
            torch.tensor(5)[0]

    def test_types(self):
        x = cube()
        for index in [1.0, object(), {}, (0, 1.5)]:
            with self.subTest(index=index), self.raises(IndexError, "only integers, slices"):
                x[index]
        for t in (torch.tensor([0.5]), torch.tensor(1.5)):
            with self.raises(IndexError, "tensors used as indices must be long"):
                x[t]
        with self.assertRaises(TypeError):
            x[1.0:]

    def test_steps(self):
        with self.raises(ValueError, "step"):
            cube()[::-1]
        with self.raises(ValueError, "step"):
            cube()[::0]

    def test_masks(self):
        x = cube()
        with self.raises(IndexError, "shape of the mask [3] at index 0", "[2, 3, 4]"):
            x[torch.tensor([True, False, True])]
        with self.raises(IndexError, "shape of the mask"):
            x[:, torch.ones(3, 3, dtype=torch.bool)]
        with self.assertRaises(IndexError):
            x[torch.ones(2, 3, 4, 1, dtype=torch.bool)]

    def test_broadcast(self):
        with self.raises(IndexError, "shape mismatch", "[2], [3]"):
            cube()[[0, 1], [0, 1, 2]]


class Gradients(Case):
    def test_views(self):
        x = torch.zeros(3, 4, requires_grad=True)
        (x[1] * torch.arange(4.0)).sum().backward()
        (x[:, ::2] * 10).sum().backward()
        self.values(x.grad, [[10.0, 0.0, 10.0, 0.0], [10.0, 1.0, 12.0, 3.0], [10.0, 0.0, 10.0, 0.0]])
        self.assertIn("Select", type(x[1].grad_fn).__name__)

    def test_repeats_accumulate(self):
        x = torch.zeros(4, requires_grad=True)
        (x[torch.tensor([0, 2, 0, 0])] * torch.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
        self.values(x.grad, [8.0, 0.0, 2.0, 0.0])

    def test_several_with_broadcast(self):
        x = torch.zeros(2, 3, requires_grad=True)
        (x[torch.tensor([[0], [1]]), torch.tensor([2, 2])] * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
        self.values(x.grad, [[0.0, 0.0, 3.0], [0.0, 0.0, 7.0]])

    def test_mask(self):
        x = torch.zeros(2, 3, requires_grad=True)
        mask = torch.tensor([[True, False, True], [False, True, False]])
        (x[mask] * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
        self.values(x.grad, [[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])

    def test_twice(self):
        x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
        picked = x[torch.tensor([0, 0, 2])]
        first, = torch.autograd.grad((picked ** 3).sum(), x, create_graph=True)
        self.values(first, [6.0, 0.0, 27.0])
        first.sum().backward()
        self.values(x.grad, [12.0, 0.0, 18.0])

    def test_an_empty_index_of_any_dtype_takes_nothing(self):
        x = torch.ones(3, requires_grad=True)
        torch.gather(x, 0, torch.empty(0)).sum().backward()
        self.values(x.grad, [0.0, 0.0, 0.0])
        self.values(torch.ones(3).scatter(0, torch.empty(0), torch.empty(0)), [1.0, 1.0, 1.0])
        self.values(torch.ones(3).scatter_add(0, torch.empty(0, dtype=torch.bool), torch.empty(0)), [1.0, 1.0, 1.0])


if __name__ == "__main__":
    unittest.main()
