"""autocast and GradScaler on CPU.
SPDX-License-Identifier: Apache-2.0"""
import unittest
import warnings

import torch
import torch.nn.functional as F

from helper import Case


class Autocast(Case):
    def test_products_are_narrow_and_losses_are_not(self):
        a, b = torch.randn(3, 4), torch.randn(4, 5)
        with torch.autocast("cpu"):
            self.assertTrue(torch.is_autocast_enabled("cpu"))
            self.assertEqual(torch.mm(a, b).dtype, torch.bfloat16)
            self.assertEqual((a @ b).dtype, torch.bfloat16)
            self.assertEqual(F.linear(a, b.t()).dtype, torch.bfloat16)
            self.assertEqual(torch.einsum("ij,jk->ik", a, b).dtype, torch.bfloat16)
            self.assertEqual(F.conv1d(torch.randn(1, 2, 8), torch.randn(3, 2, 3)).dtype, torch.bfloat16)
            self.assertEqual((a + a).dtype, torch.float32)
            self.assertEqual(torch.relu(a @ b).dtype, torch.bfloat16)
            self.assertEqual(F.mse_loss(a @ b, torch.zeros(3, 5)).dtype, torch.float32)
            self.assertEqual(F.cross_entropy(a @ b, torch.tensor([0, 1, 2])).dtype, torch.float32)
            self.assertEqual(torch.cat([a @ b, torch.zeros(1, 5)]).dtype, torch.float32)
            self.assertEqual((a.double() @ b.double()).dtype, torch.float64)
            self.assertEqual((torch.ones(2, 2, dtype=torch.int64) @ torch.ones(2, 2, dtype=torch.int64)).dtype, torch.int64)
        self.assertFalse(torch.is_autocast_enabled("cpu"))
        self.assertEqual((a @ b).dtype, torch.float32)

    def test_values_and_gradients_are_those_of_casts(self):
        a, w = torch.randn(3, 4), torch.randn(5, 4, requires_grad=True)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = F.linear(a, w)
        want = F.linear(a.bfloat16(), w.detach().bfloat16())
        self.assertTrue(torch.equal(y, want))
        y.float().sum().backward()
        self.assertEqual(w.grad.dtype, torch.float32)
        self.assertTrue(torch.allclose(w.grad, a.bfloat16().float().sum(0).expand(5, 4), rtol=1e-2, atol=1e-2))

    def test_nested_and_disabled(self):
        a = torch.randn(2, 2)
        with torch.autocast("cpu"):
            with torch.autocast("cpu", enabled=False):
                self.assertEqual((a @ a).dtype, torch.float32)
            with torch.autocast("cpu", dtype=torch.float16):
                self.assertEqual((a @ a).dtype, torch.float16)
                self.assertEqual(torch.get_autocast_dtype("cpu"), torch.float16)
            self.assertEqual((a @ a).dtype, torch.bfloat16)

    def test_decorator_and_exceptions(self):
        @torch.autocast("cpu")
        def f(a):
            return a @ a

        self.assertEqual(f(torch.randn(2, 2)).dtype, torch.bfloat16)
        with self.assertRaises(RuntimeError):
            with torch.autocast("cpu"):
                torch.randn(2, 3) @ torch.randn(2, 3)
        self.assertFalse(torch.is_autocast_enabled("cpu"))

    def test_a_weight_changed_in_place_is_seen(self):
        w = torch.ones(2, 2, requires_grad=True)
        x = torch.ones(1, 2)
        with torch.autocast("cpu"):
            first = F.linear(x, w)
            torch.clear_autocast_cache()
            with torch.no_grad():
                w.mul_(3)
            self.assertEqual(F.linear(x, w).float().tolist(), (3 * first.float()).tolist())

    def test_a_weight_used_twice_has_one_gradient(self):
        w = torch.ones(2, 2, requires_grad=True)
        with torch.autocast("cpu"):
            y = F.linear(F.linear(torch.ones(1, 2), w), w)
        y.float().sum().backward()
        self.assertEqual(w.grad.tolist(), [[4.0, 4.0], [4.0, 4.0]])

    def test_no_grad_first(self):
        """What is converted without recording must not be used when it is recorded."""
        w = torch.ones(2, 2, requires_grad=True)
        with torch.autocast("cpu", cache_enabled=False):
            with torch.no_grad():
                F.linear(torch.ones(1, 2), w)
            y = F.linear(torch.ones(1, 2), w)
        self.assertTrue(y.requires_grad)

    def test_without_cuda(self):
        a = torch.randn(2, 2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with torch.autocast("cuda"):
                self.assertEqual((a @ a).dtype, torch.float32)
            with torch.cuda.amp.autocast():
                self.assertEqual((a @ a).dtype, torch.float32)
            scaler = torch.cuda.amp.GradScaler()
        self.assertFalse(scaler.is_enabled())
        self.assertIs(scaler.scale(a), a)

    def test_wrong_arguments(self):
        with self.assertRaises((ValueError, RuntimeError)):
            torch.autocast(3)
        with self.assertRaises(RuntimeError):
            torch.autocast("nothing")


class Step:
    """The least that a scaler asks of an optimiser."""

    def __init__(self, params):
        self.param_groups = [{"params": params}]
        self.steps = 0

    def step(self):
        self.steps += 1


class Scaler(Case):
    def test_scale_unscale_skip_and_grow(self):
        w = torch.ones(2, requires_grad=True)
        optimizer = Step([w])
        scaler = torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)
        for k in range(2):
            w.grad = None
            scaler.scale((w * 3).sum()).backward()
            self.assertEqual(w.grad.tolist(), [24.0, 24.0])
            scaler.step(optimizer)
            scaler.update()
            self.assertEqual(w.grad.tolist(), [3.0, 3.0])
        self.assertEqual((optimizer.steps, scaler.get_scale()), (2, 16.0))
        w.grad = torch.tensor([float("inf"), 1.0])
        scaler.step(optimizer)
        scaler.update()
        self.assertEqual((optimizer.steps, scaler.get_scale()), (2, 8.0))

    def test_unscale_once(self):
        w = torch.ones(2, requires_grad=True)
        scaler, optimizer = torch.amp.GradScaler("cpu", init_scale=4.0), Step([w])
        scaler.scale(w.sum()).backward()
        scaler.unscale_(optimizer)
        with self.assertRaises(RuntimeError):
            scaler.unscale_(optimizer)
        scaler.step(optimizer)
        with self.assertRaises(RuntimeError):
            scaler.step(optimizer)
        scaler.update()
        self.assertEqual(scaler.state_dict()["scale"], 4.0)

    def test_state(self):
        a = torch.amp.GradScaler("cpu", init_scale=4.0, growth_interval=7)
        b = torch.amp.GradScaler("cpu")
        b.load_state_dict(a.state_dict())
        self.assertEqual((b.get_scale(), b.get_growth_interval()), (4.0, 7))


if __name__ == "__main__":
    unittest.main()
