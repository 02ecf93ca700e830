"""Random indices, read, assigned and differentiated, against NumPy. NumPy gets torch's rule in two steps: integers,
slices and new dimensions first, the index arrays on what is left. SPDX-License-Identifier: Apache-2.0"""
import math
import random
import unittest

import torch

from helper import Case, needs_numpy, numpy

PROGRAMS = 1000


def random_slice(draw, n):
    def limit():
        return draw.choice([None, draw.randint(-n - 2, n + 2)])
    return slice(limit(), limit(), draw.choice([None, 1, 2, 3]))


def random_array(draw, n, common):
    """Indices into a dimension of n elements, in a shape that broadcasts with every other such shape."""
    dims = [m if draw.random() < 0.7 else 1 for m in common[draw.randint(0, len(common) - 1):]]
    return numpy.array([draw.randint(-n, n - 1) for _ in range(math.prod(dims))]).reshape(dims)


def random_mask(draw, dims):
    return numpy.array([draw.random() < 0.5 for _ in range(math.prod(dims))], dtype=bool).reshape(dims)


def random_index(draw, shape):
    """A tuple of integers, slices, None, Ellipsis, index arrays and at most one mask (with no array beside it, since
    the number of its True elements need not broadcast); trailing dimensions may be left out."""
    common = [draw.randint(1, 3) for _ in range(draw.randint(1, 2))]
    arrays = draw.choice(["array", "array", "mask", "none"])
    parts, d, ellipsis, masked = [], 0, False, False
    while d < len(shape):
        n = shape[d]
        kind = draw.choice(["integer", "integer tensor", "slice", "arrays", "arrays", "new", "ellipsis", "stop"])
        if kind == "new":
            parts.append(None)
        elif kind == "ellipsis":
            if not ellipsis:
                parts.append(Ellipsis)
                d = draw.randint(d, len(shape))  # it stands for these dimensions
                ellipsis = True
        elif kind == "stop" and not ellipsis and draw.random() < 0.5:
            break
        elif kind == "arrays" and arrays == "mask" and not masked:
            dims = shape[d:d + draw.randint(1, 2)]
            parts.append(random_mask(draw, dims))
            d += len(dims)
            masked = True
        else:
            if kind == "integer" and n:
                parts.append(draw.randint(-n, n - 1))
            elif kind == "integer tensor" and n:
                parts.append(numpy.array(draw.randint(-n, n - 1)))
            elif kind == "arrays" and arrays == "array" and n:
                parts.append(random_array(draw, n, common))
            else:
                parts.append(random_slice(draw, n))
            d += 1
    return tuple(parts)


def as_torch(index):
    """The same index with tensors for the arrays."""
    return tuple(torch.tensor(p.tolist(), dtype=torch.bool if p.dtype == bool else torch.int64).reshape(p.shape)
                 if isinstance(p, numpy.ndarray) else p for p in index)


def two_steps(index, ndim):
    """(basic, advanced): array[basic][advanced] is torch's array[index]; advanced is None where there are no arrays."""
    arrays = {}  # position in the result of the basic step -> index array
    basic, place = [], 0
    consumed = sum(p.ndim if isinstance(p, numpy.ndarray) and p.dtype == bool else p is not None and p is not Ellipsis
                   for p in index)
    for p in index:
        if p is None:
            basic.append(None)
            place += 1
        elif p is Ellipsis:
            basic += [slice(None)] * (ndim - consumed)
            place += ndim - consumed
        elif isinstance(p, slice):
            basic.append(p)
            place += 1
        elif isinstance(p, int) or p.ndim == 0:
            basic.append(int(p))
        else:
            for part in p.nonzero() if p.dtype == bool else [p]:
                basic.append(slice(None))
                arrays[place] = part
                place += 1
    if not arrays:
        return tuple(basic), None
    return tuple(basic), tuple(arrays.get(i, slice(None)) for i in range(max(arrays) + 1))


@needs_numpy
class Random(Case):
    def programs(self, seed):
        draw = random.Random(seed)
        for _ in range(PROGRAMS):
            shape = [draw.choice([1, 2, 3, 4, 5]) for _ in range(draw.randint(1, 4))]
            if draw.random() < 0.05:
                shape[draw.randrange(len(shape))] = 0
            yield draw, shape, random_index(draw, shape)

    def fail_with(self, shape, index, got, expected):
        self.fail(f"torch.arange({numpy.prod(shape)}).reshape({shape})[{index}]\n{got}\nexpected\n{expected}")

    def test_read(self):
        mixed = 0
        for _, shape, index in self.programs(1):
            source = numpy.arange(int(numpy.prod(shape))).reshape(shape)
            basic, advanced = two_steps(index, len(shape))
            expected = source[basic] if advanced is None else source[basic][advanced]
            got = torch.arange(source.size).reshape(shape)[as_torch(index)]
            if tuple(got.shape) != expected.shape or got.tolist() != expected.tolist():
                self.fail_with(shape, index, got, expected)
            mixed += advanced is not None
        self.assertGreater(mixed, PROGRAMS // 4)

    def test_read_through_a_transposed_view(self):
        for _, shape, index in self.programs(2):
            source = numpy.arange(int(numpy.prod(shape))).reshape(shape[::-1]).transpose()
            basic, advanced = two_steps(index, len(shape))
            expected = source[basic] if advanced is None else source[basic][advanced]
            reverse = range(len(shape) - 1, -1, -1)
            got = torch.arange(source.size).reshape(shape[::-1]).permute(*reverse)[as_torch(index)]
            if tuple(got.shape) != expected.shape or got.tolist() != expected.tolist():
                self.fail_with(shape, index, got, expected)

    def test_assign(self):
        for draw, shape, index in self.programs(3):
            reference = numpy.zeros(shape, dtype=numpy.int64)
            basic, advanced = two_steps(index, len(shape))
            part = reference[basic]
            target = part if advanced is None else part[advanced]
            kept = list(target.shape[draw.randint(0, len(target.shape)):])  # a suffix, some of it 1: broadcasts
            kept = [1 if draw.random() < 0.2 else n for n in kept]
            value = numpy.arange(1, 1 + int(numpy.prod(kept))).reshape(kept)
            if advanced is not None:
                part[advanced] = value
                reference[basic] = part
            else:
                reference[basic] = value
            x = torch.zeros(shape, dtype=torch.int64)
            x[as_torch(index)] = torch.tensor(value.tolist(), dtype=torch.int64).reshape(kept)
            if x.tolist() != reference.tolist():
                self.fail_with(shape, index, x, reference)

    def test_gradient(self):
        for draw, shape, index in self.programs(4):
            basic, advanced = two_steps(index, len(shape))
            places = numpy.arange(int(numpy.prod(shape))).reshape(shape)[basic]
            places = places if advanced is None else places[advanced]
            weights = numpy.array([draw.randint(1, 9) for _ in range(places.size)], dtype=float)
            expected = numpy.zeros(int(numpy.prod(shape)))
            numpy.add.at(expected, places.reshape(-1), weights)
            x = torch.zeros(shape, dtype=torch.float64, requires_grad=True)
            y = x[as_torch(index)]
            (y * torch.tensor(weights.tolist(), dtype=torch.float64).reshape(y.shape)).sum().backward()
            if x.grad.flatten().tolist() != expected.tolist():
                self.fail_with(shape, index, x.grad, expected.reshape(shape))


if __name__ == "__main__":
    unittest.main()
