"""torch.optim.lr_scheduler and swa_utils. SPDX-License-Identifier: Apache-2.0"""
import copy
import math
import unittest
import warnings

import torch
from torch.optim import lr_scheduler as schedules

from helper import Case


def optimizer(lr=0.1, two=False, make=torch.optim.SGD, **options):
    params = [torch.ones(1, requires_grad=True), torch.ones(2, requires_grad=True)]
    groups = [{"params": params[:1]}, {"params": params[1:], "lr": lr / 2}] if two else params
    return make(groups, lr=lr, **options)


def rates(o, schedule, count):
    """The first group's rate before each of `count` steps."""
    result = []
    for _ in range(count):
        result.append(float(o.param_groups[0]["lr"]))
        o.step()
        schedule.step()
    return result


FORMS = {
    "LambdaLR": ({"lr_lambda": lambda t: 0.9**t}, lambda t: 0.1 * 0.9**t),
    "MultiplicativeLR": ({"lr_lambda": lambda t: 0.5}, lambda t: 0.1 * 0.5**t),
    "StepLR": ({"step_size": 3, "gamma": 0.5}, lambda t: 0.1 * 0.5**(t // 3)),
    "MultiStepLR": ({"milestones": [2, 5, 5], "gamma": 0.5}, lambda t: 0.1 * 0.5**((t >= 2) + 2 * (t >= 5))),
    "ConstantLR": ({"factor": 0.5, "total_iters": 4}, lambda t: 0.05 if t < 4 else 0.1),
    "LinearLR": ({"start_factor": 0.5, "end_factor": 1.0, "total_iters": 4}, lambda t: 0.1 * (0.5 + 0.5 * min(t, 4) / 4)),
    "ExponentialLR": ({"gamma": 0.8}, lambda t: 0.1 * 0.8**t),
    "PolynomialLR": ({"total_iters": 5, "power": 2.0}, lambda t: 0.1 * (1 - min(t, 5) / 5)**2),
    "CosineAnnealingLR": ({"T_max": 4, "eta_min": 0.02}, lambda t: 0.02 + 0.08 * (1 + math.cos(math.pi * t / 4)) / 2),
    "CosineAnnealingWarmRestarts": ({"T_0": 4}, lambda t: 0.1 * (1 + math.cos(math.pi * (t % 4) / 4)) / 2),
    "CyclicLR": ({"base_lr": 0.1, "max_lr": 0.5, "step_size_up": 2, "cycle_momentum": False}, lambda t: (0.1, 0.3, 0.5, 0.3)[t % 4]),
}


class Forms(Case):
    def test_closed_forms(self):
        for name, (options, form) in FORMS.items():
            with self.subTest(name):
                o = optimizer()
                got = rates(o, getattr(schedules, name)(o, **options), 12)
                self.close(got, [form(t) for t in range(12)], 1e-9)

    def test_every_group_has_its_own(self):
        o = optimizer(two=True)
        s = schedules.LambdaLR(o, [lambda t: 1 + t, lambda t: 2.0])
        self.assertEqual([g["lr"] for g in o.param_groups], [0.1, 0.1])
        o.step()
        s.step()
        self.assertEqual(s.get_last_lr(), [0.2, 0.1])
        self.assertEqual(s.base_lrs, [0.1, 0.05])

    def test_one_cycle(self):
        o = optimizer(make=torch.optim.Adam)
        got = rates(o, schedules.OneCycleLR(o, max_lr=1.0, total_steps=10, pct_start=0.5, anneal_strategy="linear"), 9)
        self.close(got[:5], [0.04, 0.28, 0.52, 0.76, 1.0], 1e-9)
        self.close(got[5], 1 - (1 - 4e-6) / 5, 1e-9)
        self.close(o.param_groups[0]["betas"][0], 0.95, 1e-9)
        with self.raises(ValueError, "total_steps"):
            schedules.OneCycleLR(optimizer(momentum=0.9), max_lr=1.0)

    def test_cyclic_momentum(self):
        o = optimizer(momentum=0.9)
        s = schedules.CyclicLR(o, 0.1, 0.5, step_size_up=2)
        o.step()
        s.step()
        self.close(o.param_groups[0]["momentum"], 0.85, 1e-9)
        with self.raises(ValueError, "momentum"):
            schedules.CyclicLR(optimizer(make=torch.optim.Adagrad), 0.1, 0.5)

    def test_one_after_the_other(self):
        o = optimizer(1.0)
        s = schedules.SequentialLR(o, [schedules.ConstantLR(o, 0.1, 2), schedules.ExponentialLR(o, 0.5)], milestones=[2])
        self.close(rates(o, s, 5), [0.1, 0.1, 1.0, 0.5, 0.25], 1e-9)

    def test_together(self):
        o = optimizer(1.0)
        s = schedules.ChainedScheduler([schedules.ConstantLR(o, 0.1, 2), schedules.ExponentialLR(o, 0.5)])
        self.close(rates(o, s, 4), [0.1, 0.05, 0.25, 0.125], 1e-9)

    def test_plateau(self):
        o = optimizer(1.0)
        s, got = schedules.ReduceLROnPlateau(o, factor=0.5, patience=1, min_lr=0.2), []
        for loss in (1.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.1):
            s.step(torch.tensor(loss))
            got.append(s.get_last_lr()[0])
        self.assertEqual(got, [1.0, 1.0, 1.0, 0.5, 0.5, 0.25, 0.25, 0.2, 0.2])
        with self.raises(ValueError, "mode"):
            schedules.ReduceLROnPlateau(o, mode="median")

    def test_tensor_rates_stay_the_tensors_they_are(self):
        lr = torch.tensor(1.0)
        o = torch.optim.SGD([torch.ones(1)], lr=lr)
        s = schedules.ExponentialLR(o, 0.5)
        o.step()
        s.step()
        self.assertIs(o.param_groups[0]["lr"], lr)
        self.assertEqual(lr.item(), 0.5)


class Going(Case):
    def test_state_dicts(self):
        for name, (options, _) in FORMS.items():
            with self.subTest(name):
                o = optimizer()
                s = getattr(schedules, name)(o, **options)
                rates(o, s, 5)
                saved = copy.deepcopy((o.state_dict(), s.state_dict()))
                self.assertNotIn("optimizer", saved[1])
                after = rates(o, s, 5)
                o2 = optimizer()
                s2 = getattr(schedules, name)(o2, **options)
                o2.load_state_dict(saved[0])
                s2.load_state_dict(saved[1])
                self.close(rates(o2, s2, 5), after, 1e-12)

    def test_last_epoch(self):
        o = optimizer()
        with self.raises(KeyError, "initial_lr"):
            schedules.StepLR(o, 3, last_epoch=4)
        o.param_groups[0]["initial_lr"] = 1.0
        s = schedules.LambdaLR(o, lambda t: 1 / (1 + t), last_epoch=3)
        self.assertEqual((s.last_epoch, o.param_groups[0]["lr"]), (4, 0.2))

    def test_warnings(self):
        def seen(function):
            with warnings.catch_warnings(record=True) as got:
                warnings.simplefilter("always")
                function()
            return [str(w.message) for w in got]
        o = optimizer()
        s = schedules.StepLR(o, 1)
        self.assertIn("before `optimizer.step()`", seen(s.step)[0])
        self.assertIn("get_last_lr()", seen(s.get_lr)[0])
        o = optimizer()
        s = schedules.StepLR(o, 1)
        o.step()
        self.assertEqual(seen(s.step), [])
        self.assertIn("epoch parameter", seen(lambda: s.step(3))[0])
        with self.raises(TypeError, "not an Optimizer"):
            schedules.StepLR(3, 1)

    def test_a_schedule_of_ones_own(self):
        class Down(schedules.LRScheduler):
            def get_lr(self):
                return [base - 0.01 * self.last_epoch for base in self.base_lrs]
        o = optimizer()
        self.close(rates(o, Down(o), 3), [0.1, 0.09, 0.08], 1e-9)


@unittest.skipUnless(hasattr(torch.nn, "Module"), "needs nn.Module")
class Averages(Case):
    def test_swalr(self):
        from torch.optim.swa_utils import SWALR

        o = optimizer(1.0)
        self.close(rates(o, SWALR(o, swa_lr=0.5, anneal_epochs=2, anneal_strategy="linear"), 4), [1.0, 0.75, 0.5, 0.5], 1e-9)

    def test_averaged_model(self):
        from torch.optim.swa_utils import AveragedModel, get_ema_avg_fn, get_ema_multi_avg_fn

        class Scale(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.w = torch.nn.Parameter(torch.ones(1))

            def forward(self, x):
                return self.w * x
        for options, expected in (({}, 2.0), ({"avg_fn": get_ema_avg_fn(0.5)}, 2.25), ({"multi_avg_fn": get_ema_multi_avg_fn(0.5)}, 2.25)):
            model = Scale()
            average = AveragedModel(model, **options)
            for value in (1.0, 2.0, 3.0):
                with torch.no_grad():
                    model.w.fill_(value)
                average.update_parameters(model)
            self.close(average.module.w, [expected], 1e-6)
            self.assertEqual(average.n_averaged.item(), 3)
            self.close(average(torch.ones(1)), [expected], 1e-6)


if __name__ == "__main__":
    unittest.main()
