"""torch._foreach_X, as averages of weights and clipping by hand call it. SPDX-License-Identifier: Apache-2.0"""
import torch
from helper import Case

a = [torch.tensor([4.0, 9.0]), torch.tensor(2.0)]
b = [torch.ones(2), torch.tensor(3.0)]


def values(tensors):
    return [t.tolist() for t in tensors]


class Foreach(Case):
    def test_each_with_its_own_or_with_the_same(self):
        for name, others, options, expected in (
                ("add", (b,), {"alpha": 2}, [[6, 11], 8]), ("add", (1.5,), {}, [[5.5, 10.5], 3.5]), ("add", ([1, 2],), {}, [[5, 10], 4]),
                ("add", (torch.tensor(5.0),), {}, [[9, 14], 7]), ("mul", (b,), {}, [[4, 9], 6]), ("lerp", (b, 0.5), {}, [[2.5, 5], 2.5]),
                ("lerp", (b, [0.5, 0.25]), {}, [[2.5, 5], 2.25]), ("addcdiv", (b, b), {"value": 2}, [[6, 11], 4]), ("addcdiv", (b, b, [1, 2]), {}, [[5, 10], 4]),
                ("addcmul", (b, b, torch.tensor([1.0, 2.0])), {}, [[5, 10], 20]), ("pow", (2,), {}, [[16, 81], 4]), ("clamp_max", (3,), {}, [[3, 3], 2]),
                ("maximum", (b,), {}, [[4, 9], 3]), ("sqrt", (), {}, [[2, 3], 2 ** 0.5]), ("max", (), {}, [9, 2]), ("norm", (float("inf"),), {}, [9, 2])):
            with self.subTest(name, others=others):
                result = getattr(torch, "_foreach_" + name)(a, *others, **options)
                for got, wanted in zip(values(result), expected):
                    self.assertEqual(torch.tensor(got).sub(torch.tensor(wanted)).abs().max().item() < 1e-6, True)
        self.assertEqual(values(torch._foreach_pow(2.0, a)), [[16, 512], 4])

    def test_in_place(self):
        x = [t.clone() for t in a]
        torch._foreach_lerp_(x, b, 0.5)
        self.assertEqual(values(x), [[2.5, 5], 2.5])
        torch._foreach_maximum_(x, b)
        self.assertEqual(values(x), [[2.5, 5], 3])
        torch._foreach_copy_(x, b)
        self.assertEqual(values(x), values(b))
        torch._foreach_zero_(x)
        self.assertEqual(values(x), [[0, 0], 0])

    def test_average_of_weights(self):
        """timm's ModelEmaV3."""
        model, average = torch.nn.Linear(3, 2), torch.nn.Linear(3, 2)
        before = [p.detach().clone() for p in average.parameters()]
        with torch.no_grad():
            torch._foreach_lerp_(list(average.parameters()), list(model.parameters()), weight=1 - 0.9)
        for p, was, m in zip(average.parameters(), before, model.parameters()):
            self.assertTrue(torch.allclose(p, was * 0.9 + m * 0.1, atol=1e-6))

    def test_gradients(self):
        x = [t.clone().requires_grad_() for t in a]
        sum(t.sum() for t in torch._foreach_mul(x, b)).backward()
        self.assertEqual(values(t.grad for t in x), values(b))

    def test_errors(self):
        with self.assertRaisesRegex(RuntimeError, "same number of tensors, got 2 and 1"):
            torch._foreach_add(a, b[:1])
        with self.assertRaisesRegex(RuntimeError, "at least one tensor"):
            torch._foreach_zero_([])
        with self.assertRaises(TypeError):
            torch._foreach_add(a[0], 1)
        with self.assertRaisesRegex(TypeError, "expected Tensor as element 0 in argument 0, but got int"):
            torch._foreach_add([1], 1)
        self.assertFalse(hasattr(torch, "_foreach_nothing"))
        self.assertFalse(hasattr(torch, "_foreach_clone_"))
