"""NumPy on the other side: numpy(), from_numpy and as_tensor share memory both ways, also with results that wait to be
computed; NumPy's functions and scalars; what cannot be shared. SPDX-License-Identifier: Apache-2.0"""
import gc
import unittest
import warnings

import torch

from helper import Case, needs_numpy, numpy as np, winnow_only

MANY = 20_480
NAMES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]


@needs_numpy
class ToNumpy(Case):
    def test_every_dtype(self):
        for name in NAMES:
            a = torch.tensor([1, 0, 1], dtype=getattr(torch, name)).numpy()
            self.assertIs(type(a), np.ndarray)
            self.assertEqual((a.dtype, a.tolist()), (np.dtype(name), [1, 0, 1]))

    def test_layout(self):
        x = torch.arange(24.0).reshape(2, 3, 4)
        for y in (x, x.permute(2, 0, 1), x[1, ::2], x[:, 1], x.expand(5, 2, 3, 4), torch.zeros(0, 3), torch.tensor(5)):
            a = y.numpy()
            self.assertEqual((a.shape, a.tolist()), (tuple(y.shape), y.tolist()))
            if a.size:
                self.assertEqual(a.strides, tuple(s * y.element_size() for s in y.stride()))
                self.assertEqual(a.ctypes.data, y.data_ptr())

    def test_shares_both_ways(self):
        x = torch.zeros(4)
        a = x.numpy()
        a[1] = 5
        self.values(x, [0.0, 5.0, 0.0, 0.0])
        x.add_(1)
        self.assertEqual(a.tolist(), [1.0, 6.0, 1.0, 1.0])
        x[2:].fill_(9)
        self.assertEqual(a.tolist(), [1.0, 6.0, 9.0, 9.0])
        a *= 2
        self.values(x, [2.0, 12.0, 18.0, 18.0])

    def test_of_what_waits(self):
        x = torch.arange(float(MANY)) * 2 + 1
        a = x.numpy()
        self.assertEqual(a[1234], 2469.0)
        self.assertEqual(a.sum(), float(MANY) ** 2)
        x.mul_(0).add_(3)
        self.assertEqual(set(a.tolist()), {3.0})
        a[:] = 4
        self.assertEqual((x * 1).sum().item(), 4.0 * MANY)

    def test_operations_before_the_change_see_the_old_values(self):
        x = torch.ones(MANY)
        before = x * 2
        view = x[10:20] + 1
        a = x.numpy()
        a[:] = 100
        self.assertEqual(before.sum().item(), 2.0 * MANY)
        self.values(view, [2.0] * 10)
        after = x * 2
        a[:] = 0
        self.assertEqual(after.sum().item(), 200.0 * MANY)

    def test_changes_of_a_view(self):
        x = torch.zeros(MANY)
        part = x[100:200]
        a = x.numpy()
        part.add_(1)
        self.assertEqual(a.sum(), 100.0)
        b = part.numpy()
        b += 1
        self.assertEqual(x.sum().item(), 200.0)

    def test_memory_outlives_the_tensor(self):
        a = (torch.arange(float(MANY)) + 1).numpy()
        gc.collect()
        torch.zeros(MANY).add_(7)
        self.assertEqual(a[[0, -1]].tolist(), [1.0, MANY])

    def test_gradients(self):
        w = torch.ones(2, requires_grad=True)
        for t in (w, w * 2):
            with self.raises(RuntimeError, "requires grad", "detach"):
                t.numpy()
            with self.raises(RuntimeError, "requires grad"):
                np.asarray(t)
        a = w.detach().numpy()
        a[0] = 5
        self.values(w, [5.0, 1.0])
        self.assertEqual(w.numpy(force=True).tolist(), [5.0, 1.0])
        with torch.no_grad():
            w.mul_(2)
        self.assertEqual(a.tolist(), [10.0, 2.0])

    def test_bfloat16_has_no_counterpart(self):
        with self.raises(TypeError, "BFloat16"):
            torch.ones(1, dtype=torch.bfloat16).numpy()


@needs_numpy
class Waiting(Case):
    """NumPy's memory beside values that wait: whoever can write it sees and changes what eager evaluation would."""

    def expression(self, x, m):
        return torch.where(m, torch.tanh(torch.log1p(torch.exp(x))), x)

    def arrays(self):
        u = (np.arange(MANY) % 100 / 25 - 2).astype("float32")
        return u, np.arange(MANY) % 100 == 0

    def expected(self, u, m):
        return np.where(m, np.tanh(np.log1p(np.exp(u))), u)

    def close(self, got, want):
        self.assertLess(np.abs(got.numpy() - want).max(), 1e-5)

    def test_writes_after_each_step(self):
        u, mask = self.arrays()
        want = self.expected(u, mask)
        x, m = torch.from_numpy(u), torch.from_numpy(mask)
        e = torch.exp(x)
        u += 1
        f = torch.log1p(e)
        u *= 3
        g = torch.tanh(f)
        u[:] = want  # where it is not masked: what it was
        y = torch.where(m, g, x)
        u[:] = 7
        mask[:] = ~mask
        z = torch.where(m, g, x)
        u[:] = 8
        self.close(y, want)
        self.close(z, np.where(mask, np.tanh(np.log1p(e.numpy())), np.float32(7)))

    def test_writes_within_an_expression(self):
        u, mask = self.arrays()
        before = u.copy()
        x, m = torch.from_numpy(u), torch.from_numpy(mask)

        def put(t, value):
            u[:] = value
            return t
        y = torch.where(m, put(torch.log1p(put(torch.exp(x), 5)), 6), x) + put(torch.rand(MANY) * 0, 9) * x
        u[:] = 100
        self.close(y, np.where(mask, np.log1p(np.exp(before)), np.float32(6)))

    def test_small_operands(self):
        h, scale, mask = torch.ones(200, 100) * 2, np.arange(100.0, dtype="float32"), np.zeros((200, 100), bool)
        mask[3, 4] = True
        y = torch.exp(h * 0) * torch.from_numpy(scale) + torch.where(torch.from_numpy(mask), h, 0)
        scale[:] = -1
        mask[:] = True
        want = np.tile(np.arange(100.0), (200, 1))
        want[3, 4] += 2
        self.values(y, want.tolist())

    def held_elsewhere(self):
        """Ways to keep hold of an array: the function that makes one, and what writes 5 through what was kept."""
        import ctypes
        import weakref

        def name(a):
            return a, a

        def view(a):
            return a, a[::-1]

        def of_a_view(a):
            return a.reshape(-1)[:], a

        def memory(a):
            return a, memoryview(a)

        def weak(a):
            shelf = [a]
            return a, (weakref.ref(a), shelf)

        def pointer(a):
            return a, a.ctypes.data_as(ctypes.POINTER(ctypes.c_float))

        def capsule(a):
            return a, np.from_dlpack(a)

        def closure(a):
            return a, (lambda: a)

        def write(kept):
            if callable(kept):
                kept()[:] = 5
            elif isinstance(kept, tuple):
                kept[0]()[:] = 5
            elif isinstance(kept, np.ndarray):
                kept[...] = 5
            else:
                for i in range(MANY):
                    kept[i] = 5
        return (name, view, of_a_view, memory, weak, pointer, capsule, closure), write

    def test_whoever_holds_the_array(self):
        keeps, write = self.held_elsewhere()
        for keep in keeps:
            with self.subTest(keep.__name__):
                shown, kept = keep(np.ones(MANY, "float32"))
                x = torch.from_numpy(shown)
                del shown
                y = torch.exp(x * 0) + x
                write(kept)
                self.values(y, [2.0] * MANY)
                self.values(x * 2, [10.0] * MANY)
                z = x + 1
                x += 1
                if isinstance(kept, np.ndarray):
                    self.assertEqual(kept[0], 6.0)
                self.values(z, [6.0] * MANY)

    def test_a_weak_reference_alone(self):
        import weakref

        a = np.ones(MANY, "float32")
        x, again = torch.from_numpy(a), weakref.ref(a)
        del a
        y = x + 1
        again()[:] = 5
        self.values(y, [2.0] * MANY)

    def test_nobody_holds_the_array(self):
        for make in (lambda: np.ones(MANY, "float32"), lambda: np.ones((2, MANY), "float32")[1], lambda: np.ones((MANY, 1), "float32").T,
                     lambda: np.ones(MANY).astype("float32").reshape(-1, 32)):
            x = torch.from_numpy(make())
            y = x * 2
            z = torch.where(x > 0, y + 1, x)
            x.add_(1)
            a = x.numpy()  # now somebody does
            a[...] = 10
            self.assertEqual((y.sum().item(), z.sum().item(), x.sum().item()), (2.0 * MANY, 3.0 * MANY, 10.0 * MANY))
            w = x + 1
            a[...] = 20
            self.assertEqual(w.sum().item(), 11.0 * MANY)
            del a
            w = x + 1
            torch.from_numpy(x.numpy()).fill_(3)
            self.assertEqual((w.sum().item(), x.sum().item()), (21.0 * MANY, 3.0 * MANY))

    def test_memory_lives_as_long_as_what_waits(self):
        y = torch.from_numpy(np.full(MANY, 3, "float32")) * 2
        gc.collect()
        np.zeros(MANY, "float32")
        self.assertEqual(y.sum().item(), 6.0 * MANY)

    @winnow_only
    def test_what_is_computed(self):
        """An array that nobody else holds is like memory of winnow's: the functions run where the mask says so. Of one that is held
        elsewhere exp runs everywhere, because its argument may be written, and what follows under the mask."""
        old = torch._C.set_defer_from(8192)
        self.addCleanup(torch._C.set_defer_from, old)
        u, mask = self.arrays()
        held, owned, alone = (torch.from_numpy(u), torch.from_numpy(mask)), (torch.tensor(u), torch.tensor(mask)), (torch.from_numpy(u + 0), torch.from_numpy(mask | False))
        counts = []
        for x, m in (owned, alone, held):
            before = torch._C._stats()
            y = self.expression(x, m)
            self.close(y, self.expected(u, mask))
            after = torch._C._stats()
            counts.append(tuple(after[name] - before[name] for name in ("programs", "instr_elements", "skipped")))
        self.assertEqual(counts[1], counts[0])
        self.assertLess(counts[2][1], 1.1 * MANY)
        self.assertGreater(counts[2][2], 1.9 * MANY)


@needs_numpy
class FromNumpy(Case):
    def test_every_dtype(self):
        for name in NAMES:
            x = torch.from_numpy(np.array([[1, 0], [1, 1]], dtype=name))
            self.values(x, [[1, 0], [1, 1]], getattr(torch, name))

    def test_layout(self):
        a = np.arange(24.0).reshape(2, 3, 4)
        for b in (a, a.T, a[:, ::2], a[1, 2], a[0, 0, 0:0], np.array(5.0), np.zeros((2, 0, 3)),
                  np.broadcast_to(a[0], (5, 3, 4))):
            x = torch.from_numpy(b.copy() if not b.flags.writeable else b)
            self.assertEqual((tuple(x.shape), x.tolist()), (b.shape, b.tolist()))
            if b.flags.writeable and b.size:
                self.assertEqual(x.stride(), tuple(s // 8 for s in b.strides))
                self.assertEqual(x.data_ptr(), b.ctypes.data)

    def test_shares_both_ways(self):
        for share in (torch.from_numpy, torch.as_tensor, torch.asarray):
            a = np.zeros(3)
            x = share(a)
            a[0] = 1
            x[1] = 2
            x.add_(1)
            self.values(x, [2.0, 3.0, 1.0])
            self.assertEqual(a.tolist(), [2.0, 3.0, 1.0])

    def test_results_before_a_change(self):
        a = np.ones(MANY)
        x = torch.from_numpy(a)
        y = x * 2 + 1
        a[:] = 9
        self.assertEqual(y.sum().item(), 3.0 * MANY)
        self.assertEqual((x * 2).sum().item(), 18.0 * MANY)
        x.mul_(0)
        self.assertEqual(a.sum(), 0.0)

    def test_copies(self):
        a = np.zeros(3)
        for x in (torch.tensor(a), torch.as_tensor(a, dtype=torch.float32), torch.asarray(a, copy=True)):
            x.fill_(1)
        self.assertEqual(a.sum(), 0.0)

    def test_memory_outlives_the_array(self):
        x = torch.from_numpy(np.arange(float(MANY)))
        gc.collect()
        np.zeros(MANY)
        self.assertEqual(x[-1].item(), MANY - 1)

    def test_leaf(self):
        x = torch.from_numpy(np.ones(2)).requires_grad_()
        (x * x).sum().backward()
        self.values(x.grad, [2.0, 2.0])

    def test_refused(self):
        a = np.arange(6.0).reshape(2, 3)
        for call in (torch.from_numpy, torch.as_tensor, torch.tensor):
            with self.raises(ValueError, "negative"):
                call(a[::-1])
        with self.raises(ValueError, "byte order"):
            torch.from_numpy(a.astype(">f8"))
        with self.raises(ValueError, "strides"):
            torch.from_numpy(np.zeros(3, dtype=[("a", "i1"), ("b", "f4")])["b"])
        for other in (np.array(["a"]), np.array([object()]), np.zeros(2, dtype="M8[s]"),
                      np.zeros(2, dtype=[("a", "i4")]), np.zeros(2, dtype=np.longdouble)):
            with self.raises(TypeError, "can't convert np.ndarray"):
                torch.from_numpy(other)
        for other in ([1], 5, np.float64(1)):
            with self.raises(TypeError, "np.ndarray"):
                torch.from_numpy(other)

    def test_read_only(self):
        a = np.arange(3.0)
        a.setflags(write=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            x = torch.from_numpy(a)  # a warning, no error; to write to it is not allowed
        self.values(x * 2, [0.0, 2.0, 4.0])
        copy = torch.tensor(a)
        copy.add_(1)
        self.assertEqual(a.tolist(), [0.0, 1.0, 2.0])


@needs_numpy
class Functions(Case):
    def setUp(self):
        self.enterContext(warnings.catch_warnings())
        warnings.simplefilter("ignore", DeprecationWarning)  # PyTorch's __array_wrap__ has NumPy 1's arguments

    def test_asarray(self):
        x = torch.arange(3.0)
        a = np.asarray(x)
        self.assertEqual(a.ctypes.data, x.data_ptr())
        self.assertEqual(np.asarray(x, dtype=np.int8).tolist(), [0, 1, 2])
        self.assertEqual(x.__array__().dtype, np.float32)
        self.assertEqual(x.__array__(np.float64).dtype, np.float64)
        copy = np.array(x)
        copy[:] = 9
        self.values(x, [0.0, 1.0, 2.0])

    def test_element_functions_return_tensors(self):
        x = torch.tensor([1.0, 4.0])
        for got, expected in [(np.add(x, x), [2.0, 8.0]), (np.add(x, 1), [2.0, 5.0]), (np.sqrt(x), [1.0, 2.0]),
                              (np.multiply(np.array([2.0, 3.0], dtype=np.float32), x), [2.0, 12.0])]:
            self.values(got, expected)
        self.assertIs(np.add(x, x).dtype, torch.float32)

    def test_others_return_arrays(self):
        x = torch.ones(2, 3)
        self.assertEqual(np.concatenate([x, x]).shape, (4, 3))
        self.assertEqual(np.stack([x, x]).shape, (2, 2, 3))
        self.assertEqual(np.dot(x, x.t()).tolist(), [[3.0, 3.0], [3.0, 3.0]])
        self.assertEqual(np.where(x > 0, x, 0).tolist(), x.tolist())
        np.testing.assert_array_equal(x, np.ones((2, 3)))
        self.assertTrue(np.isclose(x, 1).all())
        out = np.empty((2, 3))
        self.assertIs(np.multiply(x, 2, out=out), out)
        self.assertEqual(out.sum(), 12.0)

    def test_scalars_as_operands(self):
        x, i = torch.tensor([1.0, 2.0]), torch.tensor([1, 2])
        for got, expected in [(x + np.float64(2), [3.0, 4.0]), (np.float64(2) + x, [3.0, 4.0]),
                              (np.float64(2) - x, [1.0, 0.0]), (np.float32(2) * x, [2.0, 4.0]),
                              (np.float64(2) / x, [2.0, 1.0]), (x ** np.float64(2), [1.0, 4.0]),
                              (x // np.float32(2), [0.0, 1.0]), (x * np.int64(3), [3.0, 6.0])]:
            self.values(got, expected, torch.float32)
        for got, expected in [(i * np.int64(2), [2, 4]), (np.int32(2) * i, [2, 4]), (i + np.uint8(1), [2, 3])]:
            self.values(got, expected, torch.int64)
        self.assertIs((i + np.float64(2)).dtype, torch.float32)
        self.values(np.float64(1.5) < x, [False, True], torch.bool)
        self.values(x == np.float64(2), [False, True])
        self.assertEqual(x.__array_priority__, 1000)

    def test_arrays_as_operands(self):
        x = torch.tensor([1.0, 2.0])
        self.values(x + np.array([1.0, 2.0]), [2.0, 4.0], torch.float64)
        self.values(x == np.array([1.0, 0.0]), [True, False], torch.bool)

    def test_tensors_as_indices_and_sizes(self):
        a = np.arange(5) * 10
        self.assertEqual(a[torch.tensor([1, 3])].tolist(), [10, 30])
        self.assertEqual(a[torch.tensor([True, False, False, True, False])].tolist(), [0, 30])
        self.assertEqual(a[torch.tensor(2)], 20)
        self.assertEqual(np.zeros(torch.tensor(3)).shape, (3,))
        self.assertEqual(np.float64(torch.tensor(2.5)), 2.5)
        self.assertEqual(np.array([torch.tensor(1), torch.tensor(2)]).tolist(), [1, 2])

    def test_numpy_numbers_as_arguments(self):
        x = torch.arange(6.0)
        self.assertEqual(x.view(np.int64(2), np.int32(3)).shape, (2, 3))
        self.assertEqual(torch.zeros(np.int64(2)).shape, (2,))
        self.assertEqual(x.view(2, 3).sum(np.int64(1)).shape, (2,))
        self.values(torch.full((2,), np.float32(0.5)), [0.5, 0.5])


if __name__ == "__main__":
    unittest.main()
