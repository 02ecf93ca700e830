"""torch.optim.Optimizer: groups, state_dict, hooks, closures, pickles. SPDX-License-Identifier: Apache-2.0"""
import copy
import pickle
import unittest
import warnings

import torch

from helper import Case

ALL = ["Adadelta", "Adafactor", "Adagrad", "Adam", "Adamax", "AdamW", "ASGD", "NAdam", "RAdam", "RMSprop", "Rprop", "SGD"]


def parameters(seed=0.0):
    return [torch.full((3, 2), 1.0 + seed, requires_grad=True), torch.full((4,), -1.0 + seed, requires_grad=True)]


def fill(params, value):
    for i, p in enumerate(params):
        p.grad = torch.full(tuple(p.shape), value + 0.1 * i)


class Groups(Case):
    def test_defaults_and_options(self):
        a, b = parameters()
        optimizer = torch.optim.SGD([{"params": a}, {"params": [b], "lr": 0.5}], lr=0.1, momentum=0.9)
        self.assertEqual([g["lr"] for g in optimizer.param_groups], [0.1, 0.5])
        self.assertEqual([g["momentum"] for g in optimizer.param_groups], [0.9, 0.9])
        self.assertIs(optimizer.param_groups[0]["params"][0], a)
        c = torch.ones(1, requires_grad=True)
        optimizer.add_param_group({"params": iter([c])})
        self.assertEqual(optimizer.param_groups[2]["lr"], 0.1)
        self.assertEqual(optimizer.defaults["lr"], 0.1)

    def test_refused(self):
        p = torch.ones(2, requires_grad=True)
        for params, kind, word in (([], ValueError, "empty"), (p, TypeError, "iterable"), ([1.0], TypeError, "only optimize Tensors"),
                                   ([p * 2], ValueError, "non-leaf"), ([{"params": {p}}], TypeError, "ordered"),
                                   ([{"params": [p]}, {"params": [p]}], ValueError, "more than one")):
            with self.raises(kind, word):
                torch.optim.SGD(params, lr=0.1)
        for options in ({"lr": -1.0}, {"momentum": -0.1}, {"weight_decay": -1.0}, {"nesterov": True}):
            with self.raises(ValueError):
                torch.optim.SGD([p], **options)
        with self.raises(ValueError, "beta"):
            torch.optim.Adam([p], betas=(1.0, 0.5))
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            torch.optim.SGD([p, p], lr=0.1)
        self.assertIn("duplicate", str(seen[0].message))

    def test_names(self):
        p = torch.ones(1, requires_grad=True)
        optimizer = torch.optim.SGD([("weight", p)], lr=0.1)
        self.assertEqual(optimizer.param_groups[0]["param_names"], ["weight"])
        self.assertEqual(optimizer.state_dict()["param_groups"][0]["param_names"], ["weight"])

    def test_required_options(self):
        from torch.optim.optimizer import Optimizer, required

        class Needs(Optimizer):
            def __init__(self, params):
                super().__init__(params, {"lr": required})
        with self.raises(ValueError, "required optimization parameter lr"):
            Needs([torch.ones(1)])
        self.assertEqual(Needs([{"params": torch.ones(1), "lr": 2}]).param_groups[0]["lr"], 2)

    def test_text(self):
        text = repr(torch.optim.SGD([torch.ones(1)], lr=0.1))
        self.assertTrue(text.startswith("SGD (\nParameter Group 0\n    dampening: 0\n"))
        self.assertIn("    lr: 0.1\n", text)

    def test_options_that_select_implementations_are_accepted(self):
        p = torch.ones(2, requires_grad=True)
        p.grad = torch.ones(2)
        for options in ({"foreach": True}, {"foreach": False}, {"fused": True}):
            torch.optim.Adam([p], **options).step()
        with self.raises(RuntimeError, "fused"):
            torch.optim.Adam([p], fused=True, foreach=True)


class Steps(Case):
    def test_closure(self):
        x = torch.tensor([2.0], requires_grad=True)
        optimizer = torch.optim.SGD([x], lr=0.25)

        def closure():
            optimizer.zero_grad()
            loss = (x * x).sum()
            loss.backward()
            return loss
        with torch.no_grad():  # the closure records all the same
            self.assertEqual(optimizer.step(closure).item(), 4.0)
        self.values(x.detach(), [1.0])
        self.assertIsNone(optimizer.step())

    def test_zero_grad(self):
        params = parameters()
        optimizer = torch.optim.SGD(params, lr=0.1)
        fill(params, 1.0)
        kept = params[0].grad
        optimizer.zero_grad(set_to_none=False)
        self.assertIs(params[0].grad, kept)
        self.values(kept, [[0.0, 0.0]] * 3)
        optimizer.zero_grad()
        self.assertIsNone(params[0].grad)

    def test_parameters_stay_leaves_and_versions_count(self):
        p = torch.ones(2, requires_grad=True)
        y = (p * p).sum()
        p.grad = torch.ones(2)
        torch.optim.SGD([p], lr=0.1).step()
        self.assertTrue(p.is_leaf and p.requires_grad)
        with self.raises(RuntimeError, "modified by an inplace operation"):
            y.backward()

    def test_lr_may_be_a_tensor(self):
        for make in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW):
            results = []
            for lr in (0.5, torch.tensor(0.5)):
                params = parameters()
                optimizer = make(params, lr=lr)
                fill(params, 1.0)
                optimizer.step()
                results.append(params[0].tolist())
            self.close(results[0], results[1], 1e-6)
        with self.raises(ValueError, "1-element"):
            torch.optim.SGD(parameters(), lr=torch.ones(2))

    def test_hooks(self):
        p = torch.ones(1, requires_grad=True)
        p.grad = torch.ones(1)
        optimizer, calls = torch.optim.SGD([p], lr=0.5), []
        before = optimizer.register_step_pre_hook(lambda o, args, kwargs: calls.append(("before", o is optimizer, p.item())))
        after = optimizer.register_step_post_hook(lambda o, args, kwargs: calls.append(("after", p.item())))
        optimizer.step()
        self.assertEqual(calls, [("before", True, 1.0), ("after", 0.5)])
        before.remove()
        after.remove()
        optimizer.step()
        self.assertEqual(len(calls), 2)
        optimizer.register_step_pre_hook(lambda o, args, kwargs: 3)
        with self.raises(RuntimeError, "tuple of (new_args, new_kwargs)"):
            optimizer.step()

    def test_an_optimiser_of_ones_own(self):
        class Sign(torch.optim.Optimizer):
            def __init__(self, params, lr=0.1):
                super().__init__(params, {"lr": lr})

            @torch.no_grad()
            def step(self, closure=None):
                for group in self.param_groups:
                    for p in group["params"]:
                        self.state[p]["count"] = self.state[p].get("count", 0) + 1
                        p.add_(p.grad.sign(), alpha=-group["lr"])
        p = torch.ones(2, requires_grad=True)
        optimizer, seen = Sign([p]), []
        optimizer.register_step_post_hook(lambda *a: seen.append(1))
        p.grad = torch.tensor([3.0, -3.0])
        optimizer.step()
        self.close(p, [0.9, 1.1])
        self.assertEqual(optimizer.state_dict()["state"], {0: {"count": 1}})
        self.assertEqual(seen, [1])

    def test_differentiable(self):
        for make in (torch.optim.SGD, torch.optim.Adam, torch.optim.RMSprop, torch.optim.Adagrad):
            start = torch.tensor([1.0, 2.0], requires_grad=True)
            p = start.clone()
            g = torch.tensor([0.5, -1.0], requires_grad=True)
            optimizer = make([p], lr=0.1, differentiable=True)
            p.grad = g * 1
            optimizer.step()
            p.sum().backward()
            self.values(start.grad, [1.0, 1.0])
            self.assertIsNotNone(g.grad)
        self.assertIsNotNone(optimizer)


class State(Case):
    def test_going_on_from_a_state_dict(self):
        for name in ALL:
            with self.subTest(name):
                make = getattr(torch.optim, name)
                a = parameters()
                first = make(a, lr=0.05)
                for g in (1.0, -0.5):
                    fill(a, g)
                    first.step()
                b = [p.detach().clone().requires_grad_() for p in a]
                second = make(b, lr=0.9)
                second.load_state_dict(copy.deepcopy(first.state_dict()))
                self.assertEqual(second.param_groups[0]["lr"], 0.05)
                for g in (0.25, 2.0):
                    fill(a, g)
                    fill(b, g)
                    first.step()
                    second.step()
                for p, q in zip(a, b):
                    self.same(q.detach(), p.detach())

    def test_format(self):
        a = parameters()
        optimizer = torch.optim.Adam(a, amsgrad=True)
        self.assertEqual(optimizer.state_dict()["state"], {})
        fill(a, 1.0)
        optimizer.step()
        saved = optimizer.state_dict()
        self.assertEqual(sorted(saved), ["param_groups", "state"])
        self.assertEqual(saved["param_groups"][0]["params"], [0, 1])
        self.assertEqual(list(saved["state"]), [0, 1])
        self.assertEqual(set(saved["state"][0]), {"step", "exp_avg", "exp_avg_sq", "max_exp_avg_sq"})
        self.assertIs(saved["state"][0]["step"].dtype, torch.float32)
        self.assertEqual(saved["state"][0]["step"].item(), 1.0)
        self.assertEqual(tuple(saved["state"][0]["step"].shape), ())

    def test_dtype_follows_the_parameter(self):
        a = [torch.ones(2, requires_grad=True)]
        optimizer = torch.optim.SGD(a, lr=0.1, momentum=0.9)
        fill(a, 1.0)
        optimizer.step()
        b = [torch.ones(2, dtype=torch.float64, requires_grad=True)]
        other = torch.optim.SGD(b, lr=0.1, momentum=0.9)
        other.load_state_dict(optimizer.state_dict())
        self.assertIs(other.state[b[0]]["momentum_buffer"].dtype, torch.float64)

    def test_mismatches(self):
        optimizer = torch.optim.SGD(parameters(), lr=0.1)
        saved = optimizer.state_dict()
        with self.raises(ValueError, "doesn't match the size"):
            torch.optim.SGD(parameters()[:1], lr=0.1).load_state_dict(saved)
        with self.raises(ValueError, "number of parameter groups"):
            torch.optim.SGD([{"params": [p]} for p in parameters()], lr=0.1).load_state_dict(saved)

    def test_state_dict_hooks(self):
        optimizer, seen = torch.optim.SGD(parameters(), lr=0.1), []
        optimizer.register_state_dict_pre_hook(lambda o: seen.append("pre"))

        def post(o, state):
            state["more"] = 1
        optimizer.register_state_dict_post_hook(post)
        optimizer.register_load_state_dict_pre_hook(lambda o, state: seen.append(sorted(state)))
        optimizer.register_load_state_dict_post_hook(lambda o: seen.append("loaded"))
        optimizer.load_state_dict(optimizer.state_dict())
        self.assertEqual(seen, ["pre", ["more", "param_groups", "state"], "loaded"])

    def test_pickles_and_copies(self):
        a = parameters()
        optimizer = torch.optim.Adam(a)
        fill(a, 1.0)
        optimizer.step()
        for other in (pickle.loads(pickle.dumps(optimizer)), copy.deepcopy(optimizer)):
            self.assertEqual(other.param_groups[0]["lr"], 1e-3)
            p = other.param_groups[0]["params"][0]
            self.assertEqual(other.state[p]["step"].item(), 1.0)
            p.grad = torch.ones(3, 2)
            other.step()
            self.assertEqual(other.state[p]["step"].item(), 2.0)
        self.assertEqual(optimizer.state[a[0]]["step"].item(), 1.0)


if __name__ == "__main__":
    unittest.main()
