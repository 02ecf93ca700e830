"""What PyTorch's test_torch.py found missing: checks as functions, old constructors, storages, deterministic settings, the scaler's inner steps.
SPDX-License-Identifier: Apache-2.0"""
import copy
import os
import pickle
import tempfile
import unittest
import warnings
import weakref

import torch
from helper import Case, needs_numpy, numpy


class Checks(Case):
    def test_raise_with_what_the_message_makes(self):
        for name, kind in (("_check", RuntimeError), ("_check_index", IndexError), ("_check_value", ValueError), ("_check_type", TypeError),
                           ("_check_not_implemented", NotImplementedError)):
            check = getattr(torch, name)
            check(True)
            for text, message in (("Expected cond to be True", None), ("7 is bad", lambda: "7 is bad"), (r"tensor\(\[0, 1\]\)", lambda: torch.arange(2))):
                with self.assertRaisesRegex(kind, text):
                    check(False, message)
            with self.assertRaisesRegex(TypeError, "cond must be a bool"):
                check(torch.tensor(True))
        torch._check_is_size(3)
        self.assertRaises(RuntimeError, torch._check_is_size, -1)

    def test_of_all_elements(self):
        torch._check_tensor_all(torch.tensor([True, True]))
        for text, cond in (("cond must be a tensor", True), ("must have dtype torch.bool", torch.ones(2))):
            with self.assertRaisesRegex(TypeError, text):
                torch._check_tensor_all(cond)
        with self.assertRaisesRegex(RuntimeError, "message"):
            torch._check_tensor_all(torch.tensor([True, False]), lambda: "message")
        torch._assert_async(torch.tensor(-0.1))
        for text, x in (("no values", []), ("more than one", [0, 0]), ("single nonzero value, but got zero", 0)):
            with self.assertRaisesRegex(RuntimeError, text):
                torch._assert_async(torch.tensor(x))


class Arguments(Case):
    def test_functions_of_python_give_numbers(self):
        x = torch.arange(3)
        self.assertEqual(x.clone().apply_(lambda k: k + 0.5).tolist(), [0, 1, 2])
        with self.assertRaisesRegex(TypeError, "'str' object cannot be interpreted as an integer"):
            x.apply_(lambda k: "1")
        with self.assertRaisesRegex(TypeError, "must be real number, not str"):
            torch.ones(2).apply_(lambda k: "1")
        with self.assertRaisesRegex(RuntimeError, r"Can't call map2_\(\) on Variable that requires grad"):
            torch.ones(3).map2_(torch.ones(3), torch.ones(3, requires_grad=True), lambda a, b, c: a)

    def test_tolerances_are_numbers(self):
        x = torch.ones(2)
        self.assertTrue(torch.isclose(x, x, torch.tensor(1), torch.tensor(1.5)).all())
        for bad in ("1", torch.ones(2), torch.tensor(1.0, requires_grad=True)):
            with self.assertRaisesRegex(TypeError, r"isclose\(\): argument 'atol' \(position 4\) must be float, not"):
                torch.isclose(x, x, 1, bad)

    def test_old_constructors(self):
        x, z = torch.ones(2), torch.IntTensor([1, 2])
        self.assertEqual(x.new(size=(3, 4)).shape, (3, 4))
        self.assertRaises(TypeError, x.new, z)
        self.assertRaises(RuntimeError, x.new, z.storage())
        with self.assertRaisesRegex(TypeError, "invalid combination of arguments"):
            torch.LongTensor((6, 0), 1, 1)
        with self.assertRaisesRegex(TypeError, "type 'torch.FloatTensor' is not an acceptable base type"):
            type("F", (torch.FloatTensor,), {}) if torch.FloatTensor.__class__ is type else torch.FloatTensor.__class__("F", (torch.FloatTensor,), {})
        self.assertIs(z.type(torch.Tensor).dtype, torch.get_default_dtype())
        self.assertRaises(RuntimeError, torch.device, "cpu", -1)
        self.assertRaises(RuntimeError, torch.device, -1)

    def test_signs_and_orders(self):
        self.assertTrue(torch.is_signed(torch.ones(1, dtype=torch.int8)))
        self.assertFalse(torch.is_signed(torch.ones(1, dtype=torch.uint8)))
        x = torch.empty(2, 3, 5, 7, memory_format=torch.channels_last)
        self.assertEqual((x.dim_order(), x.dim_order(ambiguity_check=True)), ((0, 2, 3, 1),) * 2)
        one = torch.empty(2, 2, 1, 2)
        self.assertRaises(RuntimeError, lambda: one.dim_order(ambiguity_check=True))
        self.assertEqual(tuple(one.dim_order(ambiguity_check=[torch.contiguous_format, torch.channels_last])), (0, 1, 2, 3))
        self.assertRaises(TypeError, lambda: one.dim_order(ambiguity_check="x"))

    def test_deterministic_settings(self):
        try:
            for mode, (enabled, warn) in enumerate(((False, False), (True, True), (True, False))):
                torch.use_deterministic_algorithms(enabled, warn_only=warn)
                self.assertEqual((torch.get_deterministic_debug_mode(), torch.is_deterministic_algorithms_warn_only_enabled()), (mode, warn))
                torch.set_deterministic_debug_mode(("default", "warn", "error")[mode])
                self.assertEqual((torch.get_deterministic_debug_mode(), torch.are_deterministic_algorithms_enabled()), (mode, enabled))
            with self.assertRaisesRegex(TypeError, r"argument 'mode' \(position 1\) must be bool, not int"):
                torch.use_deterministic_algorithms(1)
            with self.assertRaisesRegex(RuntimeError, "expected a bool, but got int"):
                torch.utils.deterministic.fill_uninitialized_memory = 1
        finally:
            torch.use_deterministic_algorithms(False)


class Storages(Case):
    def setUp(self):
        super().setUp()
        self.quiet = warnings.catch_warnings()
        self.quiet.__enter__()
        warnings.simplefilter("ignore")
        self.addCleanup(self.quiet.__exit__, None, None, None)

    def test_from_bytes(self):
        a = bytearray([1, 2, 3, 4])
        self.assertEqual(torch.ByteStorage.from_buffer(a).tolist(), [1, 2, 3, 4])
        self.assertEqual(torch.ShortStorage.from_buffer(a, "big").tolist(), [258, 772])
        self.assertEqual(torch.IntStorage.from_buffer(a, "little").tolist(), [67305985])
        self.assertEqual(torch.FloatStorage.from_buffer(bytearray([0x40, 0x10, 0, 0]), "big").tolist(), [2.25])
        self.assertEqual(torch.BoolStorage.from_buffer(b"\x00\x02\xff", "big").tolist(), [False, True, True])
        self.assertRaises(ValueError, torch.IntStorage.from_buffer, bytearray(5), "little")
        self.assertRaises(ValueError, torch.IntStorage.from_buffer, a, "middle")
        bytes_ = torch.UntypedStorage([0, 1, 2, 3])
        bytes_.byteswap(torch.int16)
        self.assertEqual(bytes_.tolist(), [1, 0, 3, 2])

    def test_of_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "numbers")
            one, two = (torch.FloatStorage.from_file(path, True, 10) for _ in range(2))
            one[3] = 1.5
            self.assertEqual(two[3], 1.5)
            del one, two

    def test_tensors_on_storages(self):
        x = torch.arange(6.0)
        self.assertEqual(torch.tensor(x.storage()).data_ptr(), x.data_ptr())
        self.assertEqual(torch.tensor(x.untyped_storage(), dtype=torch.float32).tolist(), x.tolist())
        for make in (lambda: torch.tensor(x.int().storage()), lambda: torch.ones(2).set_(x.int().storage())):
            with self.assertRaisesRegex(RuntimeError, "Expected a Storage of type"):
                make()
        self.assertEqual(x.storage()._cdata, x[2:].storage()._cdata)
        self.assertEqual(torch.randn(10).storage().__sizeof__() - torch.randn(0).storage().__sizeof__(), 40)

    def test_texts(self):
        s = torch.FloatStorage()
        for kind, text, f in ((RuntimeError, "'device' cannot be specified", lambda: torch.FloatStorage(device="cpu")),
                              (RuntimeError, "Too many positional arguments", lambda: torch.FloatStorage(0, 0)),
                              (TypeError, "Argument type not recognized", lambda: torch.FloatStorage(torch.tensor([]))),
                              (TypeError, "got an unexpected keyword", lambda: torch.FloatStorage(other=1)),
                              (RuntimeError, "No positional arguments", lambda: torch.FloatStorage(0, wrap_storage=s.untyped())),
                              (TypeError, "must be UntypedStorage", lambda: torch.FloatStorage(wrap_storage=s)),
                              (RuntimeError, "Argument 'dtype' must be specified", lambda: torch.TypedStorage(wrap_storage=s.untyped())),
                              (RuntimeError, "Storage device not recognized", lambda: torch.TypedStorage(dtype=torch.float32, device="xla")),
                              (RuntimeError, "cannot set item", lambda: s.fill_(torch.FloatStorage(2)))):
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                f()

    def test_are_one_object_while_somebody_holds_them(self):
        x = torch.ones(3)
        s = x.untyped_storage()
        s.note = "kept"
        self.assertIs(x[1:].untyped_storage(), s)
        gone = []
        ref = weakref.ref(s, gone.append)
        del s
        if torch.__version__.endswith("winnow"):  # PyTorch keeps the object as long as the tensor
            self.assertEqual((ref(), len(gone)), (None, 1))
        self.assertEqual(x.tolist(), [1, 1, 1])

    def test_deep_copies_share_what_the_originals_share(self):
        x = torch.arange(4.0)
        y, s, typed, part = copy.deepcopy([x, x.untyped_storage(), x.storage(), x[2:]])
        y.fill_(7)
        self.assertEqual((typed.tolist(), part.tolist(), s.data_ptr()), ([7.0] * 4, [7.0] * 2, y.data_ptr()))
        self.assertEqual(x.tolist(), [0, 1, 2, 3])


class Scaler(Case):
    def test_operations(self):
        found, grads = torch.zeros(1), [torch.full((2, 2), 4.0), torch.full((3,), 4.0, dtype=torch.float16)]
        torch._amp_foreach_non_finite_check_and_unscale_(grads, found, torch.full((1,), 0.25))
        self.assertEqual((found.item(), grads[0].tolist(), grads[1].tolist()), (0, [[1, 1], [1, 1]], [1, 1, 1]))
        grads[0][1, 1] = float("nan")
        torch._amp_foreach_non_finite_check_and_unscale_(grads[:1], found, torch.full((1,), 0.25))
        self.assertEqual(found.item(), 1)
        scale, tracker = torch.full((1,), 4.0), torch.zeros(1, dtype=torch.int32)
        seen = []
        for inf in (0, 0, 1):
            torch._amp_update_scale_(scale, tracker, torch.full((1,), float(inf)), 2.0, 0.25, 2)
            seen.append((scale.item(), tracker.item()))
        self.assertEqual(seen, [(4, 1), (8, 0), (2, 0)])

    def test_optimisers_that_unscale_by_themselves(self):
        class Told(torch.optim.SGD):
            _step_supports_amp_scaling = True

            def step(self, closure=None):
                seen.append((self.grad_scale.item(), self.found_inf.item()))

        class Given(torch.optim.SGD):
            _step_supports_amp_scaling = True

            def step(self, closure=None, *, grad_scaler=None):
                seen.append(isinstance(grad_scaler, torch.amp.GradScaler))

        seen, w = [], torch.ones(2, requires_grad=True)
        scaler = torch.amp.GradScaler("cpu", init_scale=2.0)
        scaler.scale(w.sum()).backward()
        told = Told([w], lr=1.0)
        scaler.step(told)
        with self.assertWarns(FutureWarning):
            scaler.step(Given([w], lr=1.0))
        scaler.update()
        self.assertEqual(seen, [(2.0, 0.0), True])
        self.assertFalse(hasattr(told, "grad_scale"))

    def test_state(self):
        scaler = torch.amp.GradScaler("cpu", init_scale=3.0, growth_interval=2)
        scaler.scale(torch.ones(1))
        again = pickle.loads(pickle.dumps(scaler))
        self.assertEqual((again.get_scale(), again._init_growth_tracker, again._per_optimizer_states["x"]["found_inf_per_device"]), (3.0, 0, {}))
        w = torch.ones(1, requires_grad=True, dtype=torch.float16)
        scaler.scale(w.sum()).backward()
        with self.assertRaisesRegex(ValueError, "Attempting to unscale FP16 gradients"):
            scaler.unscale_(torch.optim.SGD([w], lr=1.0))
        with self.assertRaisesRegex(AssertionError, "Attempted step but _scale is None"):
            torch.amp.GradScaler("cpu").step(torch.optim.SGD([w], lr=1.0))


class Data(Case):
    """What torch.tensor makes of tensors and NumPy's numbers among its data, masks of bytes, empty tensors and repeated places."""

    def test_dtypes_promote(self):
        small, half = torch.tensor(1, dtype=torch.int32), torch.tensor(1.0, dtype=torch.float16)
        for data, dtype in (([small, small], torch.int32), ([small, 2], torch.int64), ([small, 2.0], torch.float32), ([half, half], torch.float16),
                            ([half, 1.0], torch.float32), ([half, torch.tensor(1.0, dtype=torch.bfloat16)], torch.float32), ([True, small], torch.int32),
                            ([torch.tensor(True), torch.tensor(1, dtype=torch.uint8)], torch.uint8), ([], torch.float32), ([True, 2], torch.int64)):
            self.assertEqual(torch.tensor(data).dtype, dtype, data)

    @needs_numpy
    def test_numpy_numbers(self):
        for kind in ("int8", "int16", "int32", "int64", "uint8", "float16", "float32", "float64"):
            number = getattr(numpy, kind)(1)
            self.assertEqual(torch.tensor(number).dtype, getattr(torch, kind))
            self.assertEqual(torch.tensor([number, number]).dtype, getattr(torch, kind))

    def test_masks_of_bytes_fill_nothing(self):
        for mask in (torch.tensor([1, 0, 1], dtype=torch.uint8), torch.tensor([1, 0, 1])):
            for fill in (torch.zeros(3).masked_fill, torch.zeros(3).masked_fill_):
                self.assertRaises(RuntimeError, fill, mask, 2.0)
                self.assertRaises(RuntimeError, fill, mask, torch.tensor(2.0))

    def test_cat_of_nothing_along_any_dimension(self):
        for dim in (0, 1, -2, 3):
            self.assertEqual(torch.cat([torch.empty(0), torch.empty(0)], dim).shape, (0,))

    def test_as_strided_of_repeated_places(self):
        base = torch.arange(3.0, dtype=torch.float64, requires_grad=True)
        for x, size, stride, expected in ((base.view(3, 1).expand(3, 2), (2, 2), (1, 0), [2.0, 2.0, 0.0]), (base.view(3, 1).expand(3, 2), (3,), (1,), [1.0, 1.0, 1.0]),
                                          (base.unfold(0, 2, 1), (3,), (1,), [1.0, 1.0, 1.0])):
            (g,) = torch.autograd.grad(x.as_strided(size, stride).sum(), base)
            self.assertEqual(g.tolist(), expected)


if __name__ == "__main__":
    unittest.main()
