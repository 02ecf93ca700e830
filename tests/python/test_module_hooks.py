"""Hooks of modules. SPDX-License-Identifier: Apache-2.0"""
import copy
import gc
import unittest
import warnings
import weakref

import torch
from torch import nn
from torch.nn.modules import module as module_functions


class Double(nn.Module):
    def forward(self, x, plus=0):
        return x * 2 + plus


class Forward(unittest.TestCase):
    def test_results_replace(self):
        m = Double()
        m.register_forward_pre_hook(lambda m, args: (args[0] + 1,))
        m.register_forward_pre_hook(lambda m, args: args[0] * 10)  # not a tuple: the only argument
        m.register_forward_hook(lambda m, args, out: out + args[0])
        self.assertEqual(m(torch.tensor(1.0)).item(), 60)

    def test_order_and_removal(self):
        m, seen = Double(), []
        handles = [m.register_forward_hook(lambda m, a, o, i=i: seen.append(i), prepend=i == 2) for i in range(3)]
        m(torch.ones(1))
        self.assertEqual(seen, [2, 0, 1])
        handles[0].remove()
        seen.clear()
        m(torch.ones(1))
        self.assertEqual(seen, [2, 1])
        with handles[1]:
            pass
        handles[2].remove()
        self.assertEqual(len(m._forward_hooks), 0)

    def test_with_kwargs(self):
        m, seen = Double(), []
        m.register_forward_pre_hook(lambda m, args, kwargs: (args, {"plus": kwargs["plus"] + 1}), with_kwargs=True)
        m.register_forward_hook(lambda m, args, kwargs, out: seen.append((kwargs, out.item())), with_kwargs=True)
        self.assertEqual(m(torch.tensor(1.0), plus=5).item(), 8)
        self.assertEqual(seen, [({"plus": 6}, 8.0)])
        m.register_forward_pre_hook(lambda m, args, kwargs: 3, with_kwargs=True)
        with self.assertRaises(RuntimeError) as caught:
            m(torch.ones(1), plus=1)
        self.assertEqual(str(caught.exception), "forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got 3.")

    def test_always_call(self):
        class Fails(nn.Module):
            def forward(self, x):
                raise ValueError("no")

        m, seen = Fails(), []
        m.register_forward_hook(lambda m, a, o: seen.append("never"))
        m.register_forward_hook(lambda m, a, o: seen.append(o), always_call=True)

        def bad(m, a, o):
            raise KeyError("silenced")

        m.register_forward_hook(bad, always_call=True)
        with warnings.catch_warnings(record=True) as caught, self.assertRaises(ValueError):
            warnings.simplefilter("always")
            m(torch.ones(1))
        self.assertEqual(seen, [None])
        self.assertIn("silenced", str(caught[0].message))

    def test_global(self):
        seen, net = [], nn.Sequential(nn.ReLU(), Double())
        handles = [module_functions.register_module_forward_pre_hook(lambda m, a: seen.append("pre " + type(m).__name__)),
                   module_functions.register_module_forward_hook(lambda m, a, o: seen.append(type(m).__name__))]
        try:
            net(torch.ones(1))
        finally:
            for h in handles:
                h.remove()
        self.assertEqual(seen, ["pre Sequential", "pre ReLU", "ReLU", "pre Double", "Double", "Sequential"])
        net(torch.ones(1))
        self.assertEqual(len(seen), 6)

    def test_registration_hooks(self):
        seen = []
        handles = [module_functions.register_module_parameter_registration_hook(lambda m, name, p: seen.append("p " + name)),
                   module_functions.register_module_buffer_registration_hook(lambda m, name, b: seen.append("b " + name)),
                   module_functions.register_module_module_registration_hook(lambda m, name, x: seen.append("m " + name))]
        try:
            m = nn.Module()
            m.a = nn.Parameter(torch.ones(1))
            m.register_buffer("b", torch.ones(1))
            m.c = nn.ReLU()
        finally:
            for h in handles:
                h.remove()
        self.assertEqual(seen, ["p a", "b b", "m c"])

    def test_copies_have_the_hooks(self):
        m = Double()
        m.register_forward_hook(lambda m, a, o: o + 1)
        self.assertEqual(copy.deepcopy(m)(torch.tensor(1.0)).item(), 3)

    def test_hooks_keep_nothing_alive(self):
        m = Double()
        m.register_forward_hook(lambda m, a, o: None)
        gone = weakref.ref(m)
        del m
        gc.collect()
        self.assertIsNone(gone())


class Backward(unittest.TestCase):
    def run_with(self, m, hook, pre=None):
        handles = [m.register_full_backward_hook(hook)]
        if pre is not None:
            handles.append(m.register_full_backward_pre_hook(pre))
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        m(x).sum().backward()
        for h in handles:
            h.remove()
        return x.grad

    def test_full_hook(self):
        seen = []
        grad = self.run_with(Double(), lambda m, gi, go: seen.append((type(gi), gi[0].tolist(), go[0].tolist())))
        self.assertEqual(seen, [(tuple, [2, 2], [1, 1])])
        self.assertEqual(grad.tolist(), [2, 2])

    def test_results_replace(self):
        self.assertEqual(self.run_with(Double(), lambda m, gi, go: (gi[0] * 3,)).tolist(), [6, 6])
        self.assertEqual(self.run_with(Double(), lambda m, gi, go: None, lambda m, go: (go[0] * 5,)).tolist(), [10, 10])

    def test_wrong_numbers(self):
        with self.assertRaisesRegex(RuntimeError, "Backward hook returned an invalid number of grad_input, got 2, but expected 1"):
            self.run_with(Double(), lambda m, gi, go: (gi[0], gi[0]))
        with self.assertRaisesRegex(RuntimeError, "Backward pre hook returned an invalid number of grad_output, got 2, but expected 1"):
            self.run_with(Double(), lambda m, gi, go: None, lambda m, go: (go[0], go[0]))

    def test_several_inputs_and_outputs(self):
        class Pair(nn.Module):
            def forward(self, a, n, b):
                return a * 2, "text", b * n

        seen = []
        m = Pair()
        m.register_full_backward_hook(lambda m, gi, go: seen.append(([None if g is None else g.item() for g in gi],
                                                                     [None if g is None else g.item() for g in go])))
        a, b = torch.tensor(1.0, requires_grad=True), torch.tensor(1.0, requires_grad=True)
        x, _, y = m(a, 3, b)
        (x + y).backward()
        self.assertEqual(seen, [([2, None, 3], [1, None, 1])])

    def test_no_input_needs_a_gradient(self):
        seen = []
        m = nn.Linear(2, 1)
        m.register_full_backward_hook(lambda m, gi, go: seen.append((gi, go[0].tolist())))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            m(torch.ones(1, 2)).sum().backward()
        self.assertIn("Full backward hook is firing when gradients are computed with respect to module outputs", str(caught[0].message))
        self.assertEqual(seen, [((None,), [[1]])])
        self.assertIsNotNone(m.weight.grad)

    def test_in_a_net(self):
        seen = []
        net = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))
        for i, m in enumerate(net):
            m.register_full_backward_hook(lambda m, gi, go, i=i: seen.append((i, tuple(go[0].shape))))
        net(torch.ones(2, 3, requires_grad=True)).sum().backward()
        self.assertEqual(seen, [(2, (2, 1)), (1, (2, 3)), (0, (2, 3))])

    def test_global(self):
        seen = []
        handle = module_functions.register_module_full_backward_hook(lambda m, gi, go: seen.append(type(m).__name__))
        try:
            nn.Sequential(Double(), nn.Tanh())(torch.ones(1, requires_grad=True)).backward()
        finally:
            handle.remove()
        self.assertEqual(seen, ["Tanh", "Double", "Sequential"])

    def test_old_hook(self):
        seen = []
        m = nn.Tanh()
        m.register_backward_hook(lambda m, gi, go: seen.append(len(gi)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            m(torch.ones(1, requires_grad=True)).backward()
        self.assertEqual(seen, [1])
        with self.assertRaisesRegex(RuntimeError, "Cannot use both regular backward hooks and full backward hooks"):
            m.register_full_backward_hook(lambda m, gi, go: None)

    def test_without_grad(self):
        m = Double()
        m.register_full_backward_hook(lambda m, gi, go: self.fail("no backward here"))
        with torch.no_grad():
            self.assertEqual(m(torch.tensor(1.0)).item(), 2)
        self.assertEqual(m(torch.tensor(1.0)).item(), 2)


if __name__ == "__main__":
    unittest.main()
