"""What PyTorch's own test_optim.py found: optimisers' messages, schedules made of tensors and of schedules, where classes live.
SPDX-License-Identifier: Apache-2.0"""

import importlib
import pickle
import unittest

import torch
from helper import Case
from torch.optim import lr_scheduler
from torch.optim.swa_utils import SWALR

ONCE = True  # whether operations wait has nothing to do with it


def parameter(*size):
    return torch.nn.Parameter(torch.ones(size or (2, 2)))


class Optimisers(Case):
    def test_where_classes_live(self):
        for module, name in (("_adafactor", "Adafactor"), ("_muon", "Muon"), ("adadelta", "Adadelta"), ("adagrad", "Adagrad"), ("adam", "Adam"),
                             ("adamax", "Adamax"), ("adamw", "AdamW"), ("asgd", "ASGD"), ("lbfgs", "LBFGS"), ("nadam", "NAdam"), ("radam", "RAdam"),
                             ("rmsprop", "RMSprop"), ("rprop", "Rprop"), ("sgd", "SGD"), ("sparse_adam", "SparseAdam"), ("optimizer", "Optimizer")):
            kind = getattr(importlib.import_module(f"torch.optim.{module}"), name)
            self.assertIs(kind, getattr(torch.optim, name))
            self.assertEqual(kind.__module__, "torch.optim" if module[0] == "_" else f"torch.optim.{module}")
        for name in ("StepLR", "SequentialLR", "OneCycleLR", "ReduceLROnPlateau"):
            self.assertEqual(getattr(lr_scheduler, name).__module__, "torch.optim.lr_scheduler")

    def test_betas(self):
        t = torch.tensor
        for kind in (torch.optim.Adam, torch.optim.AdamW):
            for betas, options, text in (((0.9, t(0.99)), {}, "betas must be either both floats or both Tensors"),
                                         ((t(0.9), 0.99), {}, "betas must be either both floats or both Tensors"),
                                         ((0, 0.99), {}, "betas must be either both floats or both Tensors"),
                                         ((t(0.9), t(0.99)), {"foreach": True}, r"betas\[0\] as a Tensor is not supported for capturable=False"),
                                         ((t(0.9), t([0.9])), {"foreach": True, "capturable": True}, None),
                                         ((1.0, 0.0), {}, "Invalid beta parameter at index 0: 1.0")):
                if text is None:
                    kind([parameter()], betas=betas, **options)
                else:
                    with self.assertRaisesRegex(ValueError, text):
                        kind(None, betas=betas, **options)

    def test_fused_steps_want_floats(self):
        whole = torch.ones(2, dtype=torch.int64)
        whole.grad = torch.ones(2, dtype=torch.int64)
        for kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.Adagrad):
            with self.assertRaisesRegex(RuntimeError, "`fused=True` requires all the params to be floating point Tensors of supported devices"):
                kind([whole], fused=True).step()
        p = parameter()
        p.grad = torch.ones(2, 2)
        torch.optim.SGD([p], lr=0.5, fused=True).step()
        self.assertEqual(p.tolist(), [[0.5, 0.5], [0.5, 0.5]])

    def test_lbfgs_without_gradients(self):
        p = torch.ones(3)
        result = torch.optim.LBFGS([p], tolerance_grad=-1.0).step(lambda: torch.tensor([10.0]))
        self.assertIsInstance(result, torch.Tensor)
        self.assertEqual(p.tolist(), [1, 1, 1])

    def test_gradients_of_a_product_of_momenta(self):
        def step(product):
            p = torch.linspace(0, 1, 3, dtype=torch.float64, requires_grad=True).clone()
            p.grad = torch.linspace(1, 2, 3, dtype=torch.float64)
            optimizer = torch.optim.NAdam([p], lr=0.5, differentiable=True)
            optimizer.state[p] = {"step": torch.tensor(3.0), "exp_avg": torch.full((3,), 0.2, dtype=torch.float64),
                                  "exp_avg_sq": torch.full((3,), 0.5, dtype=torch.float64), "mu_product": product.clone()}
            optimizer.step()
            return p

        self.assertTrue(torch.autograd.gradcheck(step, [torch.tensor(0.5, dtype=torch.float64, requires_grad=True)]))

    def test_sparse_parameters(self):
        for params in ([torch.eye(3).to_sparse()], [{"params": [torch.eye(3).to_sparse()]}]):
            with self.assertRaisesRegex(ValueError, "SparseAdam requires dense parameter tensors"):
                torch.optim.SparseAdam(params)


class Schedules(Case):
    def test_options_that_are_tensors_are_copied(self):
        lr, high, low = torch.tensor(0.1), torch.tensor(0.2), torch.tensor(0.05)
        for make in (lambda o: lr_scheduler.CyclicLR(o, base_lr=lr, max_lr=high, base_momentum=low, max_momentum=high),
                     lambda o: lr_scheduler.OneCycleLR(o, max_lr=high, total_steps=9, base_momentum=low, max_momentum=high),
                     lambda o: SWALR(o, swa_lr=low)):
            lr.fill_(0.1), high.fill_(0.2), low.fill_(0.05)
            optimizer = torch.optim.SGD([parameter()], lr=lr)
            schedule = make(optimizer)
            group = optimizer.param_groups[0]
            before = {k: float(v) for k, v in group.items() if k in ("initial_lr", "max_lr", "min_lr", "swa_lr", "max_momentum", "base_momentum")}
            for t in (lr, high, low):
                t.mul_(0.5)
            optimizer.step()
            schedule.step()
            for key, value in before.items():
                self.assertEqual(float(group[key]), value, key)

    def test_state_of_cycles(self):
        def half(_):
            return 0.5

        def make(**options):
            return lr_scheduler.CyclicLR(torch.optim.SGD([parameter()], lr=1.0), base_lr=1, max_lr=5, cycle_momentum=False, step_size_up=2, **options)

        for options in ({}, {"mode": "exp_range", "gamma": 0.5}, {"mode": "triangular2"}, {"scale_fn": half}):
            schedule = make(**options)
            state = pickle.loads(pickle.dumps(schedule.state_dict()))
            self.assertNotIn("_scale_fn_ref", state)
            self.assertIsNone(state["_scale_fn_custom"])  # PyTorch takes it out of every state that it loads
            again = make(**({"scale_fn": half} if "scale_fn" in options else {}))
            again.load_state_dict(state)
            rates = []
            for s in (schedule, again):
                rates.append([])
                for _ in range(7):
                    s.optimizer.step()
                    s.step()
                    rates[-1].append(s.get_last_lr())
            self.assertEqual(rates[0], rates[1])

    def test_one_cycle_of_old(self):
        schedule = lr_scheduler.OneCycleLR(torch.optim.SGD([parameter()], lr=1.0, momentum=0.9), max_lr=2.0, total_steps=5)
        state = schedule.state_dict()
        del state["_anneal_func_type"], schedule._anneal_func_type
        schedule.load_state_dict({**state, "anneal_func": lr_scheduler.OneCycleLR._annealing_linear})
        schedule.optimizer.step()
        schedule.step()
        self.assertAlmostEqual(schedule.get_last_lr()[0], lr_scheduler.OneCycleLR._annealing_linear(2.0, 2.0 / 25 / 1e4, 1 / 7), 5)

    def test_sequences_of_chains(self):
        optimizer = torch.optim.SGD([parameter()], lr=1.0)
        chain = lr_scheduler.ChainedScheduler([lr_scheduler.LinearLR(optimizer, 0.1, total_iters=5), lr_scheduler.ConstantLR(optimizer, 0.1, 5)])
        schedule = lr_scheduler.SequentialLR(optimizer, [chain, lr_scheduler.ConstantLR(optimizer, 0.5, 5)], [3])
        rates = []
        for _ in range(6):
            optimizer.step()
            rates.append(round(optimizer.param_groups[0]["lr"], 6))
            schedule.step()
        self.assertEqual(rates, [0.01, 0.028, 0.046, 0.5, 0.5, 0.5])

    def test_a_first_milestone_of_zero(self):
        optimizer = torch.optim.SGD([parameter()], lr=1.0)
        parts = [lr_scheduler.ConstantLR(optimizer, f, 9) for f in (0.5, 0.25)]
        self.assertEqual(lr_scheduler.SequentialLR(optimizer, parts, [0]).get_last_lr(), [0.25])


if __name__ == "__main__":
    unittest.main()
