"""Containers and layers: what they compute, that they learn. SPDX-License-Identifier: Apache-2.0"""
import math
import unittest
import warnings
from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn

from helper import winnow_only


class Containers(unittest.TestCase):
    def test_sequential(self):
        a, b, c = nn.Linear(1, 1), nn.ReLU(), nn.Tanh()
        s = nn.Sequential(a, b, c)
        self.assertEqual((len(s), list(s)), (3, [a, b, c]))
        self.assertIs(s[-1], c)
        self.assertEqual(list(s[1:]), [b, c])
        self.assertEqual(list(s[1:]._modules), ["1", "2"])
        del s[0]
        self.assertEqual(list(s._modules.items()), [("0", b), ("1", c)])
        s.append(a).insert(0, a)
        self.assertEqual(list(s), [a, b, c, a])
        self.assertIs(s.pop(1), b)
        s[0] = b
        self.assertEqual(list(s), [b, c, a])
        self.assertEqual(list(s + nn.Sequential(b)), [b, c, a, b])
        self.assertEqual(len(s * 2), 6)
        s.extend([c])
        self.assertEqual(len(s), 4)
        named = nn.Sequential(OrderedDict(x=a, y=b))
        self.assertIs(named.x, a)
        self.assertEqual(list(named[:1]._modules), ["x"])
        for f, kind in ((lambda: s[9], IndexError), (lambda: s.insert(9, a), IndexError), (lambda: s + 3, ValueError), (lambda: s * 0, ValueError)):
            self.assertRaises(kind, f)

    def test_module_list(self):
        a, b, c = nn.Linear(1, 1), nn.ReLU(), nn.Tanh()
        s = nn.ModuleList([a, b])
        s.append(c)
        s += [a]
        self.assertEqual([s[i] for i in range(-4, 4)], [a, b, c, a] * 2)
        s.insert(1, c)
        self.assertEqual(list(s), [a, c, b, c, a])
        del s[1:3]
        self.assertEqual(list(s._modules.items()), [("0", a), ("1", c), ("2", a)])
        self.assertIsInstance(s[:2], nn.ModuleList)
        self.assertIs(s.pop(0), a)
        self.assertEqual(list(s + [b]), [c, a, b])
        self.assertRaises(TypeError, s.extend, 3)
        self.assertRaises(NotImplementedError, s, 3)

    def test_module_dict(self):
        d = nn.ModuleDict({"a": nn.ReLU()})
        d["b"] = nn.Tanh()
        d.update([("c", nn.ELU())])
        self.assertEqual((list(d), len(d), "b" in d), (["a", "b", "c"], 3, True))
        self.assertIsInstance(d.pop("a"), nn.ReLU)
        self.assertEqual([k for k, m in d.items()], ["b", "c"])
        del d["b"]
        d.clear()
        self.assertEqual(len(d), 0)

    def test_parameter_containers(self):
        p = nn.ParameterList([torch.ones(1), nn.Parameter(torch.zeros(1)), "text"])
        self.assertIsInstance(p[0], nn.Parameter)
        self.assertEqual((len(p), p[-1], len(list(p.parameters()))), (3, "text", 2))
        p.append(torch.ones(2))
        p[0] = torch.ones(3)
        self.assertEqual([tuple(x.shape) for x in p.parameters()], [(3,), (1,), (2,)])
        self.assertIsInstance(p[1:], nn.ParameterList)
        d = nn.ParameterDict({"a": torch.ones(1)})
        d["b"] = nn.Parameter(torch.ones(2))
        self.assertEqual((list(d), list(d.state_dict()), d.get("x", 3)), (["a", "b"], ["a", "b"], 3))
        e = d | nn.ParameterDict({"c": torch.ones(1)})
        self.assertEqual(list(e), ["a", "b", "c"])
        self.assertEqual(e.pop("a").shape, (1,))
        self.assertEqual(e.popitem()[0], "c")
        self.assertEqual(list(reversed(e)), ["b"])
        d = nn.ParameterDict({"z": torch.ones(1), "b": torch.ones(1)})  # a plain dictionary comes sorted, and so do the optimizer's parameters
        d["a"] = torch.ones(1)
        self.assertEqual([list(x) for x in (d, d.copy(), d.fromkeys(["z", "a"]))], [["b", "z", "a"], ["b", "z", "a"], ["z", "a"]])
        self.assertEqual(list(nn.ParameterDict([("z", torch.ones(1)), ("b", torch.ones(1))])), ["z", "b"])
        self.assertEqual([n for n, _ in d.named_parameters()], ["b", "z", "a"])
        self.assertRaises(RuntimeError, d, 3)


class Layers(unittest.TestCase):
    def test_batch_norm_statistics(self):
        m = nn.BatchNorm1d(2, momentum=None)
        xs = torch.randn(3, 8, 2)
        for x in xs:
            m(x)
        self.assertEqual(m.num_batches_tracked.item(), 3)
        torch.testing.assert_close(m.running_mean, xs.mean(1).mean(0))
        m.eval()
        before = m.running_mean.clone()
        m(xs[0])
        self.assertTrue(torch.equal(m.running_mean, before))
        self.assertRaises(ValueError, m, torch.ones(3))
        m.reset_running_stats()
        self.assertEqual((m.running_var.tolist(), m.num_batches_tracked.item()), ([1, 1], 0))

    def test_embedding(self):
        m = nn.Embedding(4, 3, padding_idx=1)
        self.assertEqual(m.weight[1].tolist(), [0, 0, 0])
        m(torch.tensor([0, 1, 1])).sum().backward()
        self.assertEqual(m.weight.grad[1].tolist(), [0, 0, 0])
        table = torch.randn(4, 3)
        m = nn.Embedding.from_pretrained(table)
        self.assertFalse(m.weight.requires_grad)
        self.assertEqual(m.weight.data_ptr(), table.data_ptr())

    def test_shapes(self):
        image = torch.randn(2, 4, 9, 9)
        for module, x, shape in ((nn.Conv2d(4, 6, 3, padding="same"), image, (2, 6, 9, 9)),
                                 (nn.Conv2d(4, 6, 3, stride=2, padding=1, groups=2), image, (2, 6, 5, 5)),
                                 (nn.ConvTranspose2d(4, 6, 3, stride=2), image, (2, 6, 19, 19)),
                                 (nn.MaxPool2d(2), image, (2, 4, 4, 4)), (nn.AvgPool2d(3, 1), image, (2, 4, 7, 7)),
                                 (nn.AdaptiveAvgPool2d((1, None)), image, (2, 4, 1, 9)), (nn.Flatten(), image, (2, 324)),
                                 (nn.Unflatten(1, (2, 2)), image, (2, 2, 2, 9, 9)), (nn.GroupNorm(2, 4), image, image.shape),
                                 (nn.LayerNorm((9, 9)), image, image.shape), (nn.RMSNorm(9), image, image.shape),
                                 (nn.Dropout(0.5), image, image.shape), (nn.Identity(1, 2), image, image.shape)):
            with self.subTest(module):
                self.assertEqual(module(x).shape, shape)

    def test_transposed_output_size(self):
        down, up = nn.Conv2d(2, 2, 3, stride=2, padding=1), nn.ConvTranspose2d(2, 2, 3, stride=2, padding=1)
        x = torch.randn(1, 2, 12, 12)
        self.assertEqual(up(down(x), output_size=x.size()).shape, x.shape)
        with self.assertRaisesRegex(ValueError, "requested an output size of"):
            up(down(x), output_size=(20, 20))

    def test_losses_keep_their_arguments(self):
        x, y = torch.randn(4, 3), torch.tensor([0, 2, 1, 2])
        weight = torch.tensor([1.0, 2.0, 3.0])
        m = nn.CrossEntropyLoss(weight, ignore_index=1, reduction="sum")
        torch.testing.assert_close(m(x, y), F.cross_entropy(x, y, weight, ignore_index=1, reduction="sum"))
        self.assertEqual(list(m.state_dict()), ["weight"])
        torch.testing.assert_close(nn.MSELoss()(x, x + 1), torch.tensor(1.0))
        torch.testing.assert_close(nn.LinearCrossEntropyLoss(3, 5, bias=True)(x, y).shape, torch.Size([]))

    def test_kernel_as_large_as_the_image(self):
        """One output position: a product, in every direction; and its transpose, which is the generator's first layer of a GAN."""
        for groups in (1, 2):
            x, w = torch.randn(5, 6, 4, 3, dtype=torch.float64), torch.randn(8, 6 // groups, 4, 3, dtype=torch.float64)
            parts = [torch.einsum("nchw,ochw->no", a, b) for a, b in zip(x.chunk(groups, 1), w.chunk(groups, 0))]
            torch.testing.assert_close(F.conv2d(x, w, groups=groups)[:, :, 0, 0], torch.cat(parts, 1))
            z = torch.randn(5, 8, 1, 1, dtype=torch.float64)
            parts = [torch.einsum("no,ochw->nchw", a[:, :, 0, 0], b) for a, b in zip(z.chunk(groups, 1), w.chunk(groups, 0))]
            torch.testing.assert_close(F.conv_transpose2d(z, w, groups=groups), torch.cat(parts, 1))
            for call in (F.conv2d, F.conv_transpose2d):
                operands = ((x if call is F.conv2d else z)[:2].clone().requires_grad_(), w.clone().requires_grad_())
                self.assertTrue(torch.autograd.gradcheck(lambda a, b: call(a, b, groups=groups), operands))
        x = torch.randn(2, 4, 1, 1)
        w = torch.zeros(4, 3, 2, 2)
        w[0, 0, 0, 0] = float("inf")
        y = F.conv_transpose2d(x, w)
        self.assertEqual(y.isfinite().sum().item(), 22)  # inf meets the one element that it reaches

    @winnow_only  # docs/deviations.md: PyTorch's gradients are not the derivatives of its values here
    def test_gradients_that_differ_from_pytorch(self):
        x = torch.arange(56.0, dtype=torch.float64).mul(1.7).sin().reshape(1, 7, 2, 4).requires_grad_()
        self.assertTrue(torch.autograd.gradcheck(nn.CrossMapLRN2d(5, 2.0, 0.75, 1), (x,)))
        target = torch.tensor([0.0, -0.5, 2.0], dtype=torch.float64, requires_grad=True)
        nn.PoissonNLLLoss(full=True, reduction="sum")(torch.tensor([0.5, -1.0, 3.0], dtype=torch.float64), target).backward()
        torch.testing.assert_close(target.grad, torch.tensor([-0.5, 1.0, -3 + math.log(2) + 0.25], dtype=torch.float64))


def sgd_step(model, lr):
    with torch.no_grad():
        for p in model.parameters():
            p -= lr * p.grad
    model.zero_grad()


class Training(unittest.TestCase):
    def test_mlp(self):
        torch.manual_seed(1)
        x = torch.rand(128, 2) * 2 - 1
        y = (x[:, 0] * x[:, 1] > 0).long()
        net = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 2))
        loss = nn.CrossEntropyLoss()
        first = loss(net(x), y).item()
        for _ in range(400):
            loss(net(x), y).backward()
            sgd_step(net, 1.0)
        self.assertLess(loss(net(x), y).item(), 0.5 * first)
        self.assertGreater((net(x).argmax(1) == y).float().mean().item(), 0.9)

    def test_cnn(self):
        torch.manual_seed(2)
        x = torch.randn(32, 1, 8, 8) * 0.3
        y = torch.arange(32) % 2
        x[y == 1, :, 2:6, 2:6] += 1.0
        net = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(4, 8, 3), nn.ReLU(),
                            nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 2))
        loss = nn.CrossEntropyLoss()
        for _ in range(60):
            loss(net(x), y).backward()
            sgd_step(net, 0.3)
        net.eval()
        self.assertEqual((net(x).argmax(1) == y).float().mean().item(), 1.0)


class Initialization(unittest.TestCase):
    def test_bounds(self):
        w = torch.empty(50, 40)
        nn.init.xavier_uniform_(w)
        self.assertLessEqual(w.abs().max().item(), math.sqrt(6 / 90))
        nn.init.kaiming_normal_(w, nonlinearity="relu")
        self.assertLess(abs(w.std().item() - math.sqrt(2 / 40)), 0.03)
        nn.init.orthogonal_(w)
        torch.testing.assert_close(w.t() @ w, torch.eye(40), atol=1e-5, rtol=0)
        nn.init.eye_(w)
        self.assertEqual(w.sum().item(), 40)
        nn.init.sparse_(w, 0.2)
        self.assertEqual((w == 0).sum(0).tolist(), [10] * 40)
        nn.init.trunc_normal_(w, std=0.5, a=-0.6, b=0.1)
        self.assertTrue(((w >= -0.6) & (w <= 0.1)).all().item())
        kernel = nn.init.dirac_(torch.empty(4, 4, 3, 3))
        x = torch.randn(1, 4, 5, 5)
        torch.testing.assert_close(F.conv2d(x, kernel, padding=1), x)
        self.assertEqual(nn.init.calculate_gain("tanh"), 5 / 3)
        p = nn.init.constant_(nn.Parameter(torch.empty(2)), 3)
        self.assertTrue(p.requires_grad)
        self.assertRaises(ValueError, nn.init.xavier_normal_, torch.empty(3))

    @winnow_only
    def test_truncated_far_out(self):
        """Where hardly a candidate would be taken: PyTorch draws for hours."""
        w = torch.empty(20000)
        for a, b, mean in ((1, 1e9, 1.5251), (30, 31, 30.0332), (1e5, 1e5, 1e5)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                nn.init.trunc_normal_(w, a=a, b=b)
            self.assertTrue(bool(((w >= a) & (w <= b)).all()))
            self.assertLess(abs(w.double().mean().item() - mean), 0.02)

    def test_defaults(self):
        torch.manual_seed(0)
        a = nn.Linear(100, 3)
        torch.manual_seed(0)
        b = nn.Linear(100, 3)
        self.assertTrue(torch.equal(a.weight, b.weight))
        self.assertLessEqual(a.weight.abs().max().item(), 0.1)


if __name__ == "__main__":
    unittest.main()
