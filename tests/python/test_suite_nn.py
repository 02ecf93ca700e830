"""What PyTorch's own tests of torch.nn ask for, one by one: what modules do with names, copies and conversions, errors in its words, where results
lie, graphs that can be walked again.

SPDX-License-Identifier: Apache-2.0"""
import copy
import unittest

import torch
import torch.nn.functional as F
from helper import Case
from torch import nn


class Buffers(Case):
    def test_a_class_that_overrides_register_buffer_without_persistent(self):
        class Old(nn.Module):
            def register_buffer(self, name, value):
                super().register_buffer(name, value + 1, True)

        m = Old()
        m.b = nn.Buffer(torch.zeros(2))
        self.assertEqual(m.b.tolist(), [1, 1])
        with self.raises(RuntimeError, "non-persistent buffer on a Module subclass"):
            m.c = nn.Buffer(torch.zeros(2), persistent=False)

    def test_a_buffer_takes_no_name_that_is_taken(self):
        m = nn.Module()
        m.x = 5
        with self.assertRaises(KeyError):
            m.x = nn.Buffer(torch.rand(5))
        m.register_module("y", nn.Linear(1, 1))
        with self.assertRaises((KeyError, TypeError)):
            m.y = nn.Buffer(torch.rand(5))
        m.b = nn.Buffer(torch.zeros(1))
        m.b = nn.Buffer(torch.ones(1), persistent=False)
        self.assertEqual((m.b.item(), list(m.state_dict())), (1, ["y.weight", "y.bias"]))


class Conversions(Case):
    def test_to_takes_what_its_signatures_say(self):
        m, cpu = nn.Linear(2, 2), torch.device("cpu")
        for args, named in (((cpu, True), {}), ((None, True), {}), ((torch.float, 3), {}), ((torch.ones(1), torch.float), {}), ((), {"other": torch.ones(1)}),
                            (("cpu", "cpu"), {}), (([],), {}), ((), {"nonsense": 1})):
            with self.subTest(args=args, named=named), self.raises(TypeError, "invalid combination of arguments"):
                m.to(*args, **named)
        for args, named in ((("cpu",), {"copy": True}), ((torch.float, True, True), {}), (("cpu",), {"copy": False})):
            with self.subTest(args=args, named=named), self.raises(RuntimeError, ".to() does not accept copy argument"):
                m.to(*args, **named)
        for args, named in (((), {}), (("cpu", None, True), {}), ((torch.float, True), {}), ((torch.ones(1), True), {}), ((), {"tensor": torch.ones(1)}), ((None,), {})):
            self.assertIs(m.to(*args, **named), m)
        self.assertEqual(m.to("cpu", torch.float64).weight.dtype, torch.float64)

    def test_new_parameters_when_torch_future_says_so(self):
        future = torch.__future__
        self.assertFalse(future.get_overwrite_module_params_on_conversion() or future.get_swap_module_params_on_conversion())
        m = nn.Linear(2, 2)
        old = m.weight
        old.grad = torch.ones(2, 2)
        future.set_overwrite_module_params_on_conversion(True)
        try:
            m.double()
        finally:
            future.set_overwrite_module_params_on_conversion(False)
        self.assertIsNot(m.weight, old)
        self.assertEqual((m.weight.dtype, m.weight.grad.dtype, old.dtype, old.grad.dtype), (torch.double, torch.double, torch.float, torch.float))
        self.assertTrue(m.weight.requires_grad and isinstance(m.weight, nn.Parameter))
        now = m.weight
        self.assertIs(m.float().weight, now)

    def test_parameters_that_become_sparse_are_new_ones(self):
        m = nn.Linear(3, 2, bias=False)
        old = m.weight
        m._apply(lambda t: torch.sparse_coo_tensor(torch.zeros(2, 1, dtype=torch.long), torch.ones(1), (2, 3)))
        self.assertIsNot(m.weight, old)
        self.assertEqual((m.weight.layout, old.layout), (torch.sparse_coo, torch.strided))

    def test_replicas_have_no_parameters_of_their_own(self):
        m = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))[1]
        r = m._replicate_for_data_parallel()
        self.assertEqual((list(r._parameters), list(r._buffers)), ([], list(m._buffers)))
        r.weight = m.weight.view_as(m.weight)
        self.assertIs(r.weight._base, m.weight)
        self.assertEqual(len(list(m.parameters())), 2)
        self.assertFalse(list(r.parameters()))


class SpectralNorm(Case):
    def old_form(self, m):
        """A state_dict of before version 1: the weight is a buffer, and there is no v."""
        state = copy.deepcopy(m.state_dict())
        del state._metadata[""]["spectral_norm"], state["weight_v"]
        state["weight"] = m.weight.detach().clone()
        return state

    def test_state_dicts_of_old_versions_load(self):
        torch.manual_seed(0)
        m, x = nn.utils.spectral_norm(nn.Linear(3, 5)), torch.randn(2, 3)
        for _ in range(3):
            m(x)
        old = self.old_form(m)
        expected = m.eval()(x)
        other = nn.utils.spectral_norm(nn.Linear(3, 5)).eval()
        other.load_state_dict(old)
        self.close(other(x), expected)
        with self.raises(RuntimeError, 'Missing key', '"weight_u"'):
            del old["weight_u"]
            other.load_state_dict(old)

    def test_removing_it_removes_its_hooks(self):
        m = nn.utils.remove_spectral_norm(nn.utils.spectral_norm(nn.Linear(2, 2)))
        self.assertFalse(m._state_dict_hooks or m._forward_pre_hooks)


class Words(Case):
    """Errors in PyTorch's words."""

    def test_targets_of_classes(self):
        for x, y, kind, text in (((10, 3), (10, 2), RuntimeError, "0D or 1D target tensor expected, multi-target not supported"),
                                 ((3,), (2,), ValueError, "For 1D input, 1D target must have size 1, but got target size: 2"),
                                 ((10, 3), (9,), ValueError, "Expected input batch_size (10) to match target batch_size (9)"),
                                 ((10, 3), (), ValueError, "Expected input batch_size (10) to match target batch_size (0)"),
                                 ((2, 3, 4, 5), (2, 4), RuntimeError, "only batches of spatial targets supported (3D tensors) but got targets of dimension: 2"),
                                 ((2, 3, 4, 5), (2, 4, 6), RuntimeError, "size mismatch (got input: [2, 3, 4, 5] , target: [2, 4, 6]"),
                                 ((2, 3, 4), (2, 5), RuntimeError, "Expected target size [2, 4], got [2, 5]")):
            for loss in (F.nll_loss, F.cross_entropy):
                with self.subTest(x=x, y=y), self.raises(kind, text):
                    loss(torch.randn(x), torch.zeros(y, dtype=torch.long))

    def test_grids(self):
        x = torch.zeros(1, 1, 2, 2)
        for x, grid, text in ((x[0], (1, 1, 1, 2), "expected grid to have size 1 in last dimension"), (x, (1, 1, 1, 1, 3), "expected grid to have size 2 in last dimension"),
                              (x, (2, 1, 1, 2), "expected grid and input to have same batch size")):
            with self.raises(RuntimeError, text):
                F.grid_sample(x, torch.zeros(grid), align_corners=False)

    def test_linear_of_a_number(self):
        with self.raises(RuntimeError, "both arguments to linear need to be at least 1D, but they are 0D and 2D"):
            nn.Linear(1, 1)(torch.ones(()))

    def test_ratios_of_fractional_pools(self):
        with self.raises(ValueError, "fractional_max_pool2d requires output_ratio to either be a single Int or tuple of Ints."):
            nn.FractionalMaxPool2d([2, 1], output_ratio=[0.5, 0.5, 0.6])(torch.rand(2, 3, 8, 8))


    def test_sizes_are_integers(self):
        for size in (4.0, torch.tensor(4.0)):
            with self.raises(TypeError, "expected size to be one of int or"):
                F.interpolate(torch.rand(1, 1, 2, 2), size=(size, size))
        self.assertEqual(F.interpolate(torch.rand(1, 1, 2, 2), size=(torch.tensor(4), 3)).shape, (1, 1, 4, 3))

    def test_pads_of_nothing(self):
        for pad, empty, fine, dims in ((nn.ReflectionPad1d(2), (3, 0, 10), (0, 3, 10), "2D or 3D"), (nn.ReplicationPad1d(2), (0, 10), (3, 10), "2D or 3D"),
                                       (nn.ReflectionPad2d(2), (3, 0, 10, 10), (0, 3, 10, 10), "3D or 4D"), (nn.ReplicationPad3d(2), (3, 0, 5, 5, 5), (0, 3, 5, 5, 5), "4D or 5D")):
            with self.raises(RuntimeError, f"Expected {dims} (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: {list(empty)}"):
                pad(torch.rand(empty))
            self.assertEqual(pad(torch.rand(fine)).shape[0], fine[0])
        with self.raises(NotImplementedError, "Padding size 2 is not supported for 4D input tensor."):
            F.pad(torch.rand(1, 2, 3, 4), (1, 1), mode="reflect")

    def test_groups_of_one_value(self):
        with self.raises(ValueError, "Expected more than 1 value per channel when training, got input size [1, 10, 1]"):
            nn.GroupNorm(10, 10)(torch.rand(1, 10, 1))
        self.assertEqual(nn.GroupNorm(5, 10)(torch.rand(1, 10, 1)).shape, (1, 10, 1))


class Results(Case):
    def test_gradients_of_nothing(self):
        m, x = nn.BatchNorm2d(3), torch.rand(0, 3, 2, 2, requires_grad=True)
        m(x).sum().backward()
        self.assertEqual((m.weight.grad.tolist(), m.bias.grad.tolist(), x.grad.shape), ([0] * 3, [0] * 3, (0, 3, 2, 2)))

    def test_exponential_units_far_below_zero(self):
        for f, scale in ((F.elu, 1), (F.celu, 1), (F.selu, 1.7580993408473768)):
            x = torch.tensor([-20.0, -2.0, 0.5], requires_grad=True)
            f(x).sum().backward()
            self.assertAlmostEqual(x.grad[0].item() / (scale * 2.0611536e-09), 1, places=4)
            half = torch.tensor([-5.0, -4.0], dtype=torch.bfloat16, requires_grad=True)
            f(half).sum().backward()
            self.close(half.grad.float() / torch.tensor([-5.0, -4.0]).exp() / scale, torch.ones(2), 0.02)

    def test_grad_under_its_other_name(self):
        p = nn.Parameter(torch.ones(2))
        p._grad = torch.full((2,), 3.0)
        self.assertIs(p.grad, p._grad)
        nn.utils.clip_grad_norm_([p], 1.0)
        self.close(p.grad.norm(), 1.0)

    def test_affine_grid_keeps_nothing(self):
        theta = torch.rand(2, 2, 3, requires_grad=True)
        grid = F.affine_grid(theta, (2, 1, 4, 5), align_corners=False)
        g = torch.rand(grid.shape)
        grid.backward(g.contiguous(memory_format=torch.channels_last))
        first = theta.grad.clone()
        grid.backward(g)
        self.close(theta.grad, 2 * first)
        self.assertTrue(torch.autograd.gradgradcheck(lambda t: F.affine_grid(t, (1, 1, 2, 2, 3), align_corners=True),
                                                     torch.rand(1, 3, 4, dtype=torch.double, requires_grad=True)))

    def test_batch_norm_lies_as_its_input(self):
        for x, strides in ((torch.rand(1, 3, 2, 1).permute(0, 2, 1, 3), (6, 1, 2, 2)), (torch.rand(2, 3, 4, 1).permute(0, 3, 1, 2), (12, 12, 4, 1)),
                           (torch.rand(2, 4, 5, 3).permute(0, 3, 1, 2), (60, 1, 15, 3)), (torch.rand(1, 3, 2, 4).permute(0, 2, 1, 3), (24, 12, 4, 1))):
            for training in (False, True):
                bn = nn.BatchNorm2d(x.shape[1]).train(training)
                self.assertEqual(bn(x).stride(), strides)
                self.close(bn(x), bn(x.contiguous()))

    def test_batch_norm_update_stats(self):
        x, mean, var = torch.rand(5, 2), torch.ones(2), torch.ones(2)
        of_batch = torch.batch_norm_update_stats(x, mean, var, 0.25)
        self.close(of_batch[0], x.mean(0))
        self.close(of_batch[1], x.var(0, unbiased=False))
        self.close(mean, 0.75 + 0.25 * x.mean(0))
        self.close(var, 0.75 + 0.25 * x.var(0))
        with self.raises(RuntimeError, "input tensor must have at least one element, but got input_sizes = [0, 1]"):
            torch.batch_norm_update_stats(torch.rand(0, 1), torch.rand(1), torch.rand(1), 0.0)

    def test_gradcheck_of_batches(self):
        x, y = (torch.randn(*shape, dtype=torch.double, requires_grad=True) for shape in ((3, 2), (2,)))
        self.assertTrue(torch.autograd.gradcheck(lambda x, y: ((x * y).sin().sum(1), x.t().exp(), y * 2), (x, y), check_batched_grad=True))
        self.assertTrue(torch.autograd.gradgradcheck(lambda x: x.sin(), x, check_batched_grad=True))


if __name__ == "__main__":
    unittest.main()
