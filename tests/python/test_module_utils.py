"""nn.utils: clipping, vectors, parametrizations, pruning; functional_call. SPDX-License-Identifier: Apache-2.0"""
import copy
import math
import unittest
import warnings

import torch
from torch import nn
from torch.nn.utils import parametrizations, parametrize, prune


class Gradients(unittest.TestCase):
    def setUp(self):
        self.m = nn.Linear(3, 2)
        self.m(torch.randn(4, 3)).square().sum().backward()

    def test_norm(self):
        grads = [p.grad.clone() for p in self.m.parameters()]
        whole = torch.cat([g.reshape(-1) for g in grads])
        torch.testing.assert_close(nn.utils.get_total_norm(grads), whole.norm())
        torch.testing.assert_close(nn.utils.clip_grad_norm_(self.m.parameters(), 0.5), whole.norm())
        torch.testing.assert_close(nn.utils.get_total_norm([p.grad for p in self.m.parameters()]), torch.tensor(0.5), atol=1e-4, rtol=1e-4)
        for g, p in zip(grads, self.m.parameters()):
            torch.testing.assert_close(p.grad, g * (0.5 / (whole.norm() + 1e-6)))

    def test_other_norms(self):
        whole = torch.cat([p.grad.reshape(-1) for p in self.m.parameters()])
        torch.testing.assert_close(nn.utils.clip_grad_norm_(self.m.parameters(), 1e9, norm_type=float("inf")), whole.abs().max())
        torch.testing.assert_close(nn.utils.clip_grad_norm_(self.m.weight, 1e9, 1.0), self.m.weight.grad.abs().sum())
        self.m.weight.grad[0, 0] = float("nan")
        with self.assertRaisesRegex(RuntimeError, "non-finite"):
            nn.utils.clip_grad_norm_(self.m.parameters(), 1.0, error_if_nonfinite=True)

    def test_value(self):
        nn.utils.clip_grad_value_(self.m.parameters(), 0.01)
        self.assertLessEqual(max(p.grad.abs().max().item() for p in self.m.parameters()), 0.0100001)

    def test_vector(self):
        v = nn.utils.parameters_to_vector(self.m.parameters())
        self.assertEqual(v.shape, (8,))
        weight = self.m.weight
        nn.utils.vector_to_parameters(torch.arange(8.0), self.m.parameters())
        self.assertIs(self.m.weight, weight)
        self.assertEqual((weight.tolist(), self.m.bias.tolist()), ([[0, 1, 2], [3, 4, 5]], [6, 7]))


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).transpose(-1, -2)

    def right_inverse(self, a):
        return a.triu()


class Parametrizations(unittest.TestCase):
    def test_one(self):
        m = nn.Linear(3, 3)
        self.assertIs(parametrize.register_parametrization(m, "weight", Symmetric()), m)
        self.assertTrue(parametrize.is_parametrized(m, "weight"))
        self.assertTrue(torch.equal(m.weight, m.weight.t()))
        self.assertEqual(sorted(m.state_dict()), ["bias", "parametrizations.weight.original"])
        self.assertEqual(type(m).__name__, "ParametrizedLinear")
        self.assertIs(parametrize.type_before_parametrizations(m), nn.Linear)
        m(torch.ones(1, 3)).sum().backward()
        self.assertEqual(m.parametrizations.weight.original.grad.tril(-1).abs().sum().item(), 0)
        a = torch.ones(3, 3)
        m.weight = a
        self.assertTrue(torch.equal(m.weight, a))
        other = copy.deepcopy(m)
        self.assertTrue(torch.equal(other.weight, a))
        with parametrize.cached():
            self.assertIs(m.weight, m.weight)
        self.assertIsNot(m.weight, m.weight)
        parametrize.remove_parametrizations(m, "weight")
        self.assertIs(type(m), nn.Linear)
        self.assertIsInstance(m.weight, nn.Parameter)
        self.assertTrue(torch.equal(m.weight, a))

    def test_two(self):
        class Twice(nn.Module):
            def forward(self, x):
                return 2 * x

        m = nn.Linear(2, 2)
        parametrize.register_parametrization(m, "weight", Symmetric())
        symmetric = m.weight
        parametrize.register_parametrization(m, "weight", Twice())
        torch.testing.assert_close(m.weight, 2 * symmetric)
        self.assertEqual(len(m.parametrizations["weight"]), 2)

    def test_wrong_shape(self):
        class Half(nn.Module):
            def forward(self, x):
                return x[:1]

        with self.assertRaisesRegex(ValueError, "may not change the shape of the tensor"):
            parametrize.register_parametrization(nn.Linear(2, 2), "weight", Half())
        with self.assertRaisesRegex(ValueError, "does not have a parameter, a buffer, or a parametrized element with name 'x'"):
            parametrize.register_parametrization(nn.Linear(2, 2), "x", Half())

    def test_weight_norm(self):
        for dim in (0, 1, None):
            m = nn.Linear(3, 2)
            weight = m.weight.detach().clone()
            parametrizations.weight_norm(m, dim=dim)
            torch.testing.assert_close(m.weight, weight)
            self.assertEqual(sorted(m.state_dict()), ["bias", "parametrizations.weight.original0", "parametrizations.weight.original1"])
            m(torch.ones(1, 3)).sum().backward()
            self.assertIsNotNone(m.parametrizations.weight.original0.grad)

    def test_old_weight_norm(self):
        m = nn.Linear(3, 2)
        weight = m.weight.detach().clone()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nn.utils.weight_norm(m)
        self.assertEqual((sorted(n for n, _ in m.named_parameters()), m.weight_g.shape), (["bias", "weight_g", "weight_v"], (2, 1)))
        m(torch.ones(1, 3)).sum().backward()
        torch.testing.assert_close(m.weight, weight)
        nn.utils.remove_weight_norm(m)
        torch.testing.assert_close(m.weight, weight)
        self.assertEqual(sorted(n for n, _ in m.named_parameters()), ["bias", "weight"])


ORTHOGONAL_MAPS = ("matrix_exp", "cayley", "householder", None)


class Weight(nn.Module):
    def __init__(self, *shape):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(*shape, dtype=torch.float64))


class Orthogonal(unittest.TestCase):
    def assertOrthogonal(self, q):
        n, k = q.shape[-2:]
        product = q @ q.mT if n < k else q.mT @ q
        torch.testing.assert_close(product, torch.eye(min(n, k), dtype=q.dtype).expand_as(product))

    def test_stays_orthogonal_under_training(self):
        for name in ORTHOGONAL_MAPS:
            for trivialized in (True, False):
                for shape in ((3, 3), (5, 3), (3, 5), (2, 4, 3), (4, 1), (1, 1)):
                    with self.subTest(name=name, trivialized=trivialized, shape=shape):
                        m = parametrizations.orthogonal(Weight(*shape), "weight", name, use_trivialization=trivialized)
                        self.assertEqual(m.weight.shape, shape)
                        self.assertOrthogonal(m.weight)
                        optimizer, target = torch.optim.SGD(m.parameters(), 0.05), torch.randn(*shape, dtype=torch.float64)
                        losses = []
                        for _ in range(5):
                            loss = (m.weight - target).square().sum()
                            losses.append(loss.item())
                            optimizer.zero_grad()
                            loss.backward()
                            optimizer.step()
                            self.assertOrthogonal(m.weight)
                        if shape != (1, 1):
                            self.assertLess(losses[-1], losses[0])

    def test_maps(self):
        x = torch.tensor([[7.0, 8], [0.5, 9]], dtype=torch.float64)  # A = [[0, -1/2], [1/2, 0]]
        m = Weight(2, 2)
        with torch.no_grad():
            m.weight.copy_(x)
        for name, angle in (("matrix_exp", 0.5), ("cayley", 2 * math.atan(0.25))):
            r = parametrizations.orthogonal(copy.deepcopy(m), "weight", name, use_trivialization=False)
            torch.testing.assert_close(r.weight, torch.tensor([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]], dtype=torch.float64))
        h = parametrizations.orthogonal(Weight(2, 2), "weight", "householder", use_trivialization=False)
        with torch.no_grad():
            h.parametrizations.weight.original.copy_(torch.tensor([[-1, 9], [0.5, 1]]))  # v = (1, 1/2), tau = 8/5; then e_2, tau = 2
        torch.testing.assert_close(h.weight, torch.tensor([[0.6, 0.8], [0.8, -0.6]], dtype=torch.float64))

    def test_initial_value(self):
        for shape in ((4, 4), (5, 3), (3, 5), (2, 3, 3)):
            tall = torch.linalg.qr(torch.randn(*shape[:-2], max(shape[-2:]), min(shape[-2:]), dtype=torch.float64)).Q
            q = tall.mT.contiguous() if shape[-2] < shape[-1] else tall
            for name in ORTHOGONAL_MAPS:
                for trivialized in (True, False):
                    m = Weight(*shape)
                    with torch.no_grad():
                        m.weight.copy_(q)
                    parametrizations.orthogonal(m, "weight", name, use_trivialization=trivialized)
                    if trivialized or name == "householder" or (name is None and shape[-2] != shape[-1]):
                        torch.testing.assert_close(m.weight, q)
                        other = q.flip(-1)
                        m.weight = other
                        torch.testing.assert_close(m.weight, other)
                    else:
                        with self.assertRaisesRegex(NotImplementedError, "It is not possible to assign"):
                            m.weight = q

    def test_gradients(self):
        for name in ("matrix_exp", "cayley", "householder"):
            for shape in ((3, 3), (4, 2), (2, 3)):
                layer = parametrizations.orthogonal(Weight(*shape), "weight", name).parametrizations.weight[0]
                x, eye = torch.randn(*shape, dtype=torch.float64, requires_grad=True), torch.eye(*shape, dtype=torch.float64)
                turned = shape[0] < shape[1]  # the triangle that is read; householder truncates the diagonal to whole numbers
                self.assertTrue(torch.autograd.gradcheck(lambda t: layer((t.triu(1) if turned else t.tril(-1)) - eye), (x,)))

    def test_state(self):
        a, b = (parametrizations.orthogonal(nn.Linear(3, 4)) for _ in range(2))
        self.assertEqual(sorted(a.state_dict()), ["bias", "parametrizations.weight.0.base", "parametrizations.weight.original"])
        self.assertEqual(a.parametrizations.weight[0].base.shape, (4, 4))
        self.assertIn("(0): _Orthogonal()", repr(a))
        b.load_state_dict(a.state_dict())
        torch.testing.assert_close(b.weight, a.weight)
        self.assertNotIn("parametrizations.weight.0.base", parametrizations.orthogonal(nn.Linear(3, 4), use_trivialization=False).state_dict())
        weight = a.weight.detach().clone()
        parametrize.remove_parametrizations(a, "weight")
        torch.testing.assert_close(a.weight, weight)

    def test_errors(self):
        with self.assertRaisesRegex(ValueError, "has no parameter or buffer with name 'w'"):
            parametrizations.orthogonal(nn.Linear(2, 2), "w")
        with self.assertRaisesRegex(ValueError, "Expected a matrix or batch of matrices. Got a tensor of 1 dimensions."):
            parametrizations.orthogonal(nn.Linear(2, 2), "bias")
        with self.assertRaisesRegex(ValueError, 'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: qr'):
            parametrizations.orthogonal(nn.Linear(2, 2), orthogonal_map="qr")
        m = parametrizations.orthogonal(nn.Linear(2, 2))
        with self.assertRaisesRegex(ValueError, "Expected a matrix or batch of matrices of shape"):
            m.weight = torch.eye(3)


class Pruning(unittest.TestCase):
    def test_smallest(self):
        m = nn.Linear(4, 3)
        with torch.no_grad():
            m.weight.copy_(torch.arange(12.0).reshape(3, 4) - 6)
        prune.l1_unstructured(m, "weight", 3)
        self.assertEqual((m.weight_mask == 0).nonzero().tolist(), [[1, 1], [1, 2], [1, 3]])
        self.assertEqual(sorted(n for n, _ in m.named_parameters()), ["bias", "weight_orig"])
        m(torch.ones(1, 4)).sum().backward()
        self.assertTrue(prune.is_pruned(m))
        prune.ln_structured(m, "weight", 1, 2, 0)
        self.assertEqual(m.weight[1].tolist(), [0, 0, 0, 0])
        prune.remove(m, "weight")
        self.assertFalse(prune.is_pruned(m))
        self.assertIsInstance(m.weight, nn.Parameter)
        self.assertEqual(m.weight[1].tolist(), [0, 0, 0, 0])

    def test_global_and_mask(self):
        a, b = nn.Linear(2, 2), nn.Linear(2, 2)
        with torch.no_grad():
            a.weight.fill_(1.0)
            b.weight.fill_(2.0)
        prune.global_unstructured([(a, "weight"), (b, "weight")], prune.L1Unstructured, amount=0.5)
        self.assertEqual((a.weight.sum().item(), b.weight.sum().item()), (0, 8))
        c = prune.custom_from_mask(nn.Linear(2, 2), "bias", torch.tensor([0, 1]))
        self.assertEqual(c.bias[0].item(), 0)
        prune.random_unstructured(c, "weight", 0.5)
        self.assertEqual((c.weight_mask == 0).sum().item(), 2)
        self.assertRaises(ValueError, prune.random_unstructured, c, "weight", 1.5)


class Functional(unittest.TestCase):
    def test_call(self):
        m = nn.Linear(2, 1)
        weight = m.weight
        w = torch.ones(1, 2, requires_grad=True)
        y = torch.func.functional_call(m, {"weight": w, "bias": torch.zeros(1)}, (torch.ones(1, 2),))
        self.assertEqual(y.item(), 2)
        self.assertIs(m.weight, weight)
        y.backward()
        self.assertEqual(w.grad.tolist(), [[1, 1]])
        self.assertIsNone(weight.grad)

    def test_partly_and_restored(self):
        m = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
        m(torch.randn(4, 2))
        before = {k: v.clone() for k, v in m.state_dict().items()}
        torch.func.functional_call(m, ({"0.weight": torch.zeros(2, 2)}, {"1.running_mean": torch.zeros(2)}), torch.randn(4, 2))
        self.assertTrue(torch.equal(m[0].weight, before["0.weight"]))
        self.assertTrue(torch.equal(m[1].running_mean, before["1.running_mean"]))
        with self.assertRaises(ValueError):
            torch.func.functional_call(m, 3, ())
        with self.assertRaises(RuntimeError):
            torch.func.functional_call(m, {}, (torch.randn(4, 2),), strict=True)
        with self.assertRaises(Exception):
            torch.func.functional_call(m, {"0.weight": torch.zeros(7)}, (torch.randn(4, 2),))
        self.assertTrue(torch.equal(m[0].weight, before["0.weight"]))

    def test_tied(self):
        m = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
        m[1].weight = m[0].weight
        zero = {"0.weight": torch.zeros(2, 2), "0.bias": torch.zeros(2), "1.bias": torch.zeros(2)}
        self.assertEqual(torch.func.functional_call(m, zero, torch.ones(1, 2)).tolist(), [[0, 0]])


class Making(unittest.TestCase):
    def test_skip_init(self):
        torch.manual_seed(0)
        expected = torch.rand(1)
        torch.manual_seed(0)
        self.assertEqual(nn.utils.skip_init(nn.Linear, 3, 2).weight.shape, (2, 3))
        self.assertTrue(torch.equal(torch.rand(1), expected))

    def test_fusion(self):
        conv, bn = nn.Conv2d(2, 3, 3).eval(), nn.BatchNorm2d(3).eval()
        with torch.no_grad():
            bn.running_mean.uniform_(), bn.running_var.uniform_(0.5, 2), bn.weight.uniform_(), bn.bias.uniform_()
        x = torch.randn(1, 2, 5, 5)
        torch.testing.assert_close(nn.utils.fuse_conv_bn_eval(conv, bn)(x), bn(conv(x)), atol=1e-5, rtol=1e-5)


if __name__ == "__main__":
    unittest.main()
