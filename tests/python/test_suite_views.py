"""What PyTorch's own tests of views, indexing, shapes, sorting and promotion found missing: views of integers, storages, texts, resize_, old names.
SPDX-License-Identifier: Apache-2.0"""
import unittest
import warnings

import torch
from helper import Case, needs_numpy, numpy


def warned(f, word):
    """The result of f(), and how many warnings with the word it gave."""
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        result = f()
    return result, sum(word in str(w.message) for w in given)


def fails(case, kind, text, f):
    with case.assertRaisesRegex(kind, text):
        f()


class Views(Case):
    def test_integers_know_their_base(self):
        for dtype in (torch.int64, torch.uint8, torch.bool, torch.float32):
            x = torch.ones(4, 6, dtype=dtype)
            for view in (x[1:], x.t(), x.view(-1), x.expand(2, 4, 6), x.tensor_split(2)[1], x.hsplit(2)[0], x.flatten(), x[1:][:2]):
                self.assertTrue(view._is_view())
                self.assertIs(view._base, x)
            for other in (x, x.clone(), x.detach(), x.t().flatten(), x.t().reshape(-1), x.view(torch.int8) if dtype is torch.uint8 else x + x):
                self.assertIsNone(other._base)

    def test_the_base_lives_as_long_as_its_view(self):
        view = torch.arange(6)[2:]
        self.assertEqual(view._base.tolist(), [0, 1, 2, 3, 4, 5])
        view += 1
        view.mul_(2)
        self.assertEqual(view._base.tolist(), [0, 1, 6, 8, 10, 12])
        self.assertEqual(view._version, 2)

    def test_copies_of_reshape_change_alone(self):
        x = torch.ones(2, 3, requires_grad=True)
        y = x.t().reshape(-1)
        y.mul_(torch.arange(6.0))
        y.sum().backward()
        self.assertEqual(x.grad.tolist(), [[0, 2, 4], [1, 3, 5]])

    def test_strides_of_leading_ones(self):
        x = torch.rand(5)
        self.assertEqual(x.expand(1, 1, 5).stride(), x.unsqueeze(0).unsqueeze(1).stride())

    def test_texts(self):
        x, i = torch.zeros(3, 1), torch.tensor(1)
        for kind, text, f in (
                (RuntimeError, r"The expanded size of the tensor \(1\) must match the existing size \(2\) at non-singleton dimension 0.  Target sizes: "
                               r"\[1\].  Tensor sizes: \[2\]", lambda: torch.ones(2).expand(1)),
                (RuntimeError, r"The expanded size of the tensor \(-1\) isn't allowed in a leading, non-existing dimension 0", lambda: x.expand(-1, 3, 4)),
                (RuntimeError, r"^expand\(torch.FloatTensor\{\[3, 1\]\}, size=\[2\]\): the number of sizes provided \(1\) must", lambda: x.expand(2)),
                (RuntimeError, r"self.size\(-1\) must be divisible by 2 to view Float as Double \(different element sizes\), but got 3",
                 lambda: torch.zeros(3).view(torch.float64)),
                (RuntimeError, r"self.storage_offset\(\) must be divisible by 2 to view Float as Double .*, but got 1",
                 lambda: torch.zeros(4)[1:3].view(torch.float64)),
                (RuntimeError, r"^t\(\) expects a tensor with <= 2 dimensions, but self is 3D", lambda: torch.zeros(2, 2, 2).t()),
                (RuntimeError, "^chunk expects `chunks` to be greater than 0, got: 0", lambda: x.chunk(0)),
                (RuntimeError, "^split expects split_size be non-negative, but got split_size=-1", lambda: x.split(-1)),
                (RuntimeError, r"split_with_sizes expects split_sizes to sum exactly to 3 \(input tensor's size at dimension 0\)", lambda: x.split([1, 1])),
                (RuntimeError, "^tensor_split expected tensor_indices_or_sections to have dtype of long, but got Float",
                 lambda: x.tensor_split(torch.tensor(1.5))),
                (RuntimeError, "^torch.vsplit requires a tensor with at least 2 dimension, but got a tensor with 1 dimensions!", lambda: torch.ones(2).vsplit(1)),
                (RuntimeError, "^nonzero: Expected out tensor to have scalar type Long", lambda: torch.nonzero(x, out=torch.zeros(0))),
                (RuntimeError, "Integer division with addcdiv is no longer supported", lambda: torch.addcdiv(i, i, i)),
                (TypeError, "^expected 'indices' to be integer dtype, but got torch.float32", lambda: torch.unravel_index(torch.tensor(0.5), (2, 2))),
                (TypeError, "^expected 'shape' sequence to only contain ints, but got <class 'float'>", lambda: torch.unravel_index(i, (1, 2.0))),
                (ValueError, r"^'shape' cannot have negative values, but got \(2, -3\)", lambda: torch.unravel_index(i, (2, -3)))):
            with self.subTest(text):
                fails(self, kind, text, f)


class Resize(Case):
    def test_keeps_memory_and_offset(self):
        x = torch.arange(6.0)
        self.assertEqual(x.resize_(2, 2).tolist(), [[0, 1], [2, 3]])
        self.assertEqual(x.resize_(6).tolist(), [0, 1, 2, 3, 4, 5])
        y = torch.arange(6)[2:]
        y.resize_(6)
        self.assertEqual((y.storage_offset(), y[:4].tolist()), (2, [2, 3, 4, 5]))
        t = torch.arange(6.0).view(2, 3).t()
        self.assertEqual((t.resize_(3, 2).stride(), t.resize_(1, 4).tolist()), ((1, 3), [[0, 1, 2, 3]]))

    def test_formats(self):
        x = torch.zeros(120)
        self.assertEqual(x.resize_(2, 3, 4, 5, memory_format=torch.channels_last).stride(), (60, 1, 15, 3))
        self.assertEqual(torch.zeros(1).resize_as_(x, memory_format=torch.preserve_format).stride(), (60, 1, 15, 3))
        self.assertEqual(torch.zeros(1).resize_as_(x).stride(), (60, 20, 5, 1))
        fails(self, RuntimeError, "required rank 4 tensor to use channels_last format", lambda: x.resize_(2, 3, memory_format=torch.channels_last))
        fails(self, TypeError, "must be torch.memory_format", lambda: x.resize_(2, 3, memory_format=5))

    def test_sizes_that_are_no_sizes(self):
        x = torch.empty((), dtype=torch.float64)
        for text, sizes in (("Storage size calculation overflowed", [2, 4, 2**29, 2**29]), ("overflow", [8, 8, 2**29, 2**29]), ("overflow", [-1]),
                            ("Stride calculation overflowed", [0, 4, 2**61])):
            fails(self, RuntimeError, text, lambda sizes=sizes: x.resize_(sizes))
        fails(self, TypeError, "resize_", lambda: x.resize_())


class Storages(Case):
    def test_elements_and_bytes(self):
        x = torch.arange(6.0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            typed, raw = x[2:].storage(), x.untyped_storage()
            self.assertIsInstance(typed, torch.FloatStorage)
            self.assertNotIsInstance(typed, torch.LongStorage)
            self.assertIsInstance(typed, torch.storage.TypedStorage)
            self.assertEqual((len(typed), typed.nbytes(), len(raw), typed.dtype, typed.tolist()[5], typed[-2]), (6, 24, 24, torch.float32, 5.0, 4.0))
            self.assertEqual((typed.data_ptr(), raw.filename, x.storage_type()), (x.data_ptr(), None, torch.FloatStorage))
            typed[0] = 9
            raw[4] = 1
            self.assertEqual((x[0].item(), raw[6:8].tolist(), typed.long().tolist()[:3]), (9, [128, 63], [9, 1, 2]))
            fails(self, IndexError, "index 6 out of range for storage of size 6", lambda: typed[6])
            self.assertEqual(torch.Storage([1, 2]).tolist(), [1.0, 2.0])
            self.assertEqual(torch.LongTensor(torch.LongStorage([1, 2])).tolist(), [1, 2])
            self.assertTrue(torch.is_storage(typed))

    def test_set_(self):
        x = torch.arange(6.0)
        raw = x.untyped_storage()
        y = torch.empty(0).set_(raw, 1, (2,), (2,))
        y += 10
        self.assertEqual(x.tolist(), [0, 11, 2, 13, 4, 5])
        self.assertEqual(torch.empty(0).set_(x, storage_offset=2, size=(2, 2)).tolist(), [[2, 13], [4, 5]])
        self.assertEqual(torch.empty(0).set_(raw).shape, (6,))
        fails(self, RuntimeError, "Could not set tensor of type float to a tensor of type int", lambda: torch.empty(0, dtype=torch.int32).set_(x))


class Indexing(Case):
    def test_byte_masks_warn(self):
        x, mask, word = torch.ones(3, 3), torch.tensor([1, 0, 1], dtype=torch.uint8), "indexing with dtype torch.uint8 is now deprecated"
        self.assertEqual(warned(lambda: x[mask].shape, word), ((2, 3), 1))
        self.assertEqual(warned(lambda: x[mask, mask].shape, word), ((2,), 2))
        self.assertEqual(warned(lambda: x.index_put((mask,), torch.zeros(3)).sum().item(), word), (3, 1))
        self.assertEqual(warned(lambda: x.__setitem__(mask, torch.zeros(3)), word), (None, 1))
        self.assertEqual(warned(lambda: x[mask.bool()].shape, word), ((2, 3), 0))
        fails(self, RuntimeError, "", lambda: torch.rand([]).index_put([], torch.tensor([1.0]), True))

    def test_lists_of_indices_are_tuples(self):
        x, i = torch.arange(24).view(4, 3, 2), torch.tensor([0, 1])
        for index in ([i, i], [[0, 1], [0, 1]], [i, [0, 1]]):
            got, given = warned(lambda index=index: x[index], "non-tuple sequence")
            self.assertEqual((got.tolist(), given), ([[0, 1], [8, 9]], 1))
        self.assertEqual(warned(lambda: x[[0, slice(None)]].shape, "non-tuple sequence"), ((3, 2), 1))
        self.assertEqual(warned(lambda: x[[0, 1]].shape, "non-tuple sequence"), ((2, 3, 2), 0))


class Calls(Case):
    def test_what_is_left_out(self):
        x = torch.tensor([2.0, 1.0])
        self.assertEqual(torch.sort(x, stable=None).values.tolist(), [1, 2])
        self.assertEqual(x.sort(stable=None, descending=True).indices.tolist(), [0, 1])
        self.assertEqual((torch.roll(x, 1, None).tolist(), x.roll(1, dims=None).tolist()), ([1, 2], [1, 2]))
        self.assertEqual(torch.linalg.vector_norm(torch.ones(2, 4), axis=1).tolist(), [2, 2])
        fails(self, RuntimeError, "", lambda: torch.nonzero(x, as_tuple=True, out=torch.empty(0, dtype=torch.int64)))
        self.assertFalse(hasattr(torch, "unique_dim"))

    def test_former_order(self):
        x = torch.ones(2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.assertEqual((torch.add(x, 2, x).tolist(), torch.add(1, 1, 3).item(), torch.sub(x, 2, x).tolist()), ([3, 3], 4, [-1, -1]))
            yes = torch.tensor(True)
            self.assertEqual(torch.add(yes, yes, True).item(), True)
            out = torch.empty(2)
            self.assertIs(torch.add(x, 2, x, out=out), out)
            self.assertEqual(out.tolist(), [3, 3])

    def test_gradcheck_is_the_function(self):
        import torch.autograd.gradcheck  # noqa: F401
        from torch.autograd import gradcheck, gradgradcheck
        from torch.autograd.gradcheck import GradcheckError

        self.assertTrue(callable(torch.autograd.gradcheck) and callable(gradgradcheck) and issubclass(GradcheckError, RuntimeError))
        self.assertTrue(gradcheck(lambda x: x * x, torch.rand(3, dtype=torch.float64, requires_grad=True)))

    @needs_numpy
    def test_array_by_tensor(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            r = numpy.array([2.0, 4.0]) / torch.tensor([1.0, 2.0])
        self.assertIsInstance(r, torch.Tensor)
        self.assertEqual((r.tolist(), r.dtype), ([2, 2], torch.float64))


class Names(Case):
    def test_old_products(self):
        a, b = torch.tensor([[0.0, 2.0], [0.0, 0.0]]), torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        want = [[6, 8], [0, 0]]
        for name in ("spmm", "dsmm"):
            self.assertEqual((getattr(torch, name)(a, b).tolist(), getattr(torch, name)(a.to_sparse(), b).tolist()), (want, want))
        for name in ("smm", "hspmm"):
            self.assertEqual(getattr(torch, name)(a.to_sparse(), b).to_dense().tolist(), want)
            with self.assertRaises((RuntimeError, NotImplementedError)):
                getattr(torch, name)(a, b)

    def test_old_sparse_types(self):
        i, v = torch.tensor([[0, 1], [1, 0]]), torch.tensor([1.0, 2.0])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            s = torch.sparse.FloatTensor(i, v, torch.Size([2, 2]))
            self.assertEqual((s.to_dense().tolist(), torch.sparse.FloatTensor(2, 3).shape), ([[0, 1], [2, 0]], (2, 3)))
            self.assertIsInstance(s, torch.sparse.FloatTensor)
            self.assertNotIsInstance(v, torch.sparse.FloatTensor)
        self.assertEqual((torch.LongTensor(range(3)).tolist(), torch.Tensor(range(2)).tolist()), ([0, 1, 2], [0, 1]))

    def test_frequencies(self):
        x = torch.arange(5)
        self.assertEqual((torch.fft.fftshift(x).tolist(), torch.fft.ifftshift(torch.fft.fftshift(x)).tolist()), ([3, 4, 0, 1, 2], x.tolist()))
        self.assertEqual(torch.fft.fftshift(torch.arange(6).view(2, 3), dim=1).tolist(), [[2, 0, 1], [5, 3, 4]])
        self.assertEqual(torch.fft.fftfreq(4).tolist(), [0, 0.25, -0.5, -0.25])
        self.assertEqual(torch.fft.rfftfreq(4, d=0.5, dtype=torch.float64).tolist(), [0, 0.5, 1])
        fails(self, RuntimeError, "fftfreq requires a floating point or complex dtype", lambda: torch.fft.fftfreq(4, dtype=torch.int64))

    def test_switches_and_modules(self):
        import torch.utils.deterministic
        from torch._jit_internal import _copy_to_script_wrapper
        from torch.distributions.utils import _standard_normal
        from torch.utils import cpp_extension

        self.assertTrue(torch.utils.deterministic.fill_uninitialized_memory)
        self.assertIs(_copy_to_script_wrapper(fails), fails)
        self.assertEqual(_standard_normal((2,), dtype=torch.float64, device=torch.device("cpu")).dtype, torch.float64)
        self.assertTrue(hasattr(cpp_extension, "load"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with torch.backends.cuda.sdp_kernel(enable_flash=False):
                self.assertFalse(torch.backends.cuda.flash_sdp_enabled())
        self.assertTrue(torch.backends.cuda.flash_sdp_enabled())


if __name__ == "__main__":
    unittest.main()
