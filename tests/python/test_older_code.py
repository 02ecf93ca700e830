"""What older research code and libraries on PyTorch do: numbers before tensors, powers changed in place, operators of subclasses, private helpers, Sobol
points, loaders of their own."""
import unittest
import warnings

import torch
import torch.nn.functional as F


class FormerOrder(unittest.TestCase):
    def setUp(self):
        self.enterContext(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        self.a, self.b, self.c, self.m = torch.ones(3), torch.full((3,), 2.0), torch.full((3,), 3.0), torch.ones(3, 3)

    def same(self, x, value):
        self.assertTrue(torch.allclose(x, torch.full_like(x, value)), x)

    def test_alpha_and_value(self):
        a, b, c = self.a, self.b, self.c
        self.same(a.clone().add_(0.5, b), 2)
        self.same(torch.add(a, 0.5, b), 2)
        self.same(a.sub(0.5, b), 0)
        self.same(a.clone().addcmul_(0.5, b, c), 4)
        self.same(torch.addcdiv(a, 1.5, b, c), 2)

    def test_beta_and_alpha(self):
        a, b, m = self.a, self.b, self.m
        self.same(torch.addmm(2, m, 3, m, m), 11)
        self.same(torch.addmm(2, m, m, m), 5)
        self.same(m.clone().addmm_(1, 2, m, m), 7)
        self.same(m.addmm(0.5, m, m), 3.5)
        self.same(torch.addmv(1, a, 2, m, b), 13)

    def test_other_calls_are_errors(self):
        for call in (lambda: self.a.add_(self.b, self.c, self.a), lambda: self.a.mul(1, self.b), lambda: torch.addmm(1, 2, 3, self.m, self.m)):
            self.assertRaises(TypeError, call)


class InPlace(unittest.TestCase):
    def test_power_changed(self):
        """pow keeps its result for the exponent's gradient alone."""
        for exponent in (2, 3, 0.5):
            x = torch.tensor([1.0, 4.0], requires_grad=True)
            y = x ** exponent
            y /= 2
            y.sum().backward()
            self.assertTrue(torch.allclose(x.grad, exponent / 2 * x.detach() ** (exponent - 1)))

    def test_power_needed(self):
        e = torch.tensor([2.0], requires_grad=True)
        y = torch.tensor([3.0]) ** e
        y.mul_(2)
        self.assertRaises(RuntimeError, y.sum().backward)

    def test_factor_not_needed(self):
        """addmm keeps of its factors what the gradients asked for read."""
        w, x = torch.ones(2, 2), torch.ones(2, 2, requires_grad=True)
        y = torch.addmm(torch.zeros(2), w, x)
        x.data.mul_(1)
        with torch.no_grad():
            x.mul_(2)
        y.sum().backward()
        self.assertEqual(x.grad.tolist(), [[2.0, 2.0]] * 2)

    def test_grads_are_no_views(self):
        layer = torch.nn.Linear(4, 3)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            layer(torch.ones(2, 4)).pow(3).sum().backward(create_graph=True)
        for p in layer.parameters():
            self.assertFalse(p.grad._is_view())
            self.assertFalse(p.grad.detach_().requires_grad)


class Seen(torch.Tensor):
    calls = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append((func.__name__, *(type(a).__name__ for a in args)))
        return super().__torch_function__(func, types, args, kwargs or {})


class Operators(unittest.TestCase):
    def test_numbers_on_the_left(self):
        x = torch.tensor([2.0, 4.0]).as_subclass(Seen)
        for result, name, values in ((lambda: 1 + x, "add", [3, 5]), (lambda: 1 - x, "__rsub__", [-1, -3]), (lambda: 2 * x, "mul", [4, 8]),
                                     (lambda: 8 / x, "__rdiv__", [4, 2]), (lambda: 2 ** x, "__rpow__", [4, 16]), (lambda: 5 // x, "__rfloordiv__", [2, 1])):
            Seen.calls.clear()
            got = result()
            self.assertEqual(Seen.calls[0], (name, "Seen", "int"))
            self.assertIs(type(got), Seen)
            self.assertEqual(got.tolist(), values)

    def test_in_place(self):
        x = torch.tensor([2.0, 4.0]).as_subclass(Seen)
        y = x
        Seen.calls.clear()
        x += 1
        self.assertEqual(Seen.calls[0][0], "add_")
        self.assertEqual(y.tolist(), [3, 5])


class Helpers(unittest.TestCase):
    def test_names(self):
        x = torch.arange(6)
        self.assertEqual([len(p) for p in x.split(split_size=4)], [4, 2])
        self.assertIs(torch.functional.einsum, torch.einsum)
        F.sigmoid.attribute = 1
        self.assertEqual(x.float().clone(memory_format=None).tolist(), x.tolist())
        self.assertFalse(torch._C._functorch.is_batchedtensor(x))

    def test_flattened(self):
        from torch._utils import _flatten_dense_tensors, _unflatten_dense_tensors

        parts = [torch.ones(2, 2), torch.zeros(3)]
        flat = _flatten_dense_tensors(parts)
        self.assertEqual(flat.tolist(), [1, 1, 1, 1, 0, 0, 0])
        self.assertEqual([p.shape for p in _unflatten_dense_tensors(flat, parts)], [p.shape for p in parts])

    def test_weak_keys(self):
        from torch.utils.weak import WeakIdKeyDictionary

        a, b, d = torch.ones(2), torch.ones(2), WeakIdKeyDictionary()
        d[a], d[b] = 1, 2
        self.assertEqual((d[a], d[b], len(d)), (1, 2, 2))
        del b
        self.assertEqual((len(d), a in d, torch.ones(2) in d), (1, True, False))

    def test_groups(self):
        from torch.utils._foreach_utils import _group_tensors_by_device_and_dtype

        a, b = torch.ones(1), torch.ones(1, dtype=torch.float64)
        groups = _group_tensors_by_device_and_dtype([[a, b, a], [b, b, b]], with_indices=True)
        self.assertEqual(sorted(places for _, places in groups.values()), [[0, 2], [1]])

    def test_loaders_of_others(self):
        from torch.utils.data.dataloader import _DatasetKind, _SingleProcessDataLoaderIter

        class Mine:
            dataset, sampler, collate_fn, drop_last, generator = [10, 11, 12], [2, 0], staticmethod(lambda x: x), False, None
            _dataset_kind, _auto_collation, _index_sampler, num_workers, pin_memory, timeout = _DatasetKind.Map, False, [2, 0], 0, False, 0
            prefetch_factor, persistent_workers, worker_init_fn, pin_memory_device, in_order = None, False, None, "", True
            multiprocessing_context, _IterableDataset_len_called = None, None

            def _get_shared_seed(self):
                return None

        self.assertEqual(list(_SingleProcessDataLoaderIter(Mine())), [12, 10])


class Scans(unittest.TestCase):
    def test_associative_scan(self):
        from torch._higher_order_ops.associative_scan import associative_scan

        for n in (1, 2, 5, 8):
            x = torch.rand(2, n, 3, dtype=torch.float64)
            self.assertTrue(torch.allclose(associative_scan(lambda a, b: a + b, x, 1, combine_mode="generic"), x.cumsum(1)))

    def test_same_numbers_for_all_samples(self):
        noisy = torch.func.vmap(lambda x: x + torch.rand(2), randomness="same")(torch.zeros(3, 2))
        self.assertTrue(torch.equal(noisy[0], noisy[1]) and torch.equal(noisy[0], noisy[2]))

    def test_operators_by_keyword(self):
        @torch.library.custom_op("winnow_older::scale", mutates_args=())
        def scale(x: torch.Tensor, factor: float) -> torch.Tensor:
            return x * factor

        scale.register_autograd(lambda ctx, g: (g * ctx.factor, None), setup_context=lambda ctx, inputs, output: setattr(ctx, "factor", inputs[1]))
        x = torch.ones(2, requires_grad=True)
        scale(x, factor=3.0).sum().backward()
        self.assertEqual(x.grad.tolist(), [3, 3])


class Sobol(unittest.TestCase):
    def test_points(self):
        engine = torch.quasirandom.SobolEngine(3)
        self.assertEqual(engine.draw(4).tolist(), [[0, 0, 0], [0.5, 0.5, 0.5], [0.75, 0.25, 0.25], [0.25, 0.75, 0.75]])
        self.assertEqual(engine.draw(1, dtype=torch.float64).tolist(), [[0.375, 0.375, 0.625]])
        again = torch.quasirandom.SobolEngine(3).fast_forward(4)
        self.assertEqual(again.draw(1).tolist(), [[0.375, 0.375, 0.625]])

    def test_scrambled(self):
        engine = torch.quasirandom.SobolEngine(12, scramble=True, seed=7)
        points = engine.draw_base2(6)
        self.assertEqual(points.shape, (64, 12))
        self.assertTrue(((points * 64).long().sort(0).values == torch.arange(64)[:, None]).all())  # one point in each of 64 slices
        self.assertTrue(torch.equal(engine.reset().draw(64), points))
        self.assertRaises(ValueError, engine.draw_base2, 5)
        self.assertRaises(ValueError, torch.quasirandom.SobolEngine, 0)


class Dirichlet(unittest.TestCase):
    def test_gradient_is_the_difference(self):
        """At the same uniform number a sample of Beta(a, 1) is u^(1/a), whose derivative is known."""
        a, x = torch.tensor([0.5, 2.0, 30.0], dtype=torch.float64), torch.tensor([0.3, 0.8, 0.97], dtype=torch.float64)
        grad = torch._dirichlet_grad(x, a, a + 1) * (1 - x)
        self.assertTrue(torch.allclose(grad, -x * x.log() / a, rtol=1e-3))


if __name__ == "__main__":
    unittest.main()
