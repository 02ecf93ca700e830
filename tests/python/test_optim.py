"""torch.optim: the optimisers' formulas, written out in plain numbers. SPDX-License-Identifier: Apache-2.0"""
import math
import unittest

import torch

from helper import Case

PARAMETER = [0.5, -1.25, 2.0, 0.0]


def gradient(x, t):
    """The gradient that step t (from 1) sees; both sides compute it in float64."""
    return x - 0.3 * t * (1 if t % 3 else -1)


def steps(make, count=7, **options):
    """The parameter's values after each of `count` steps of make([p], **options)."""
    p = torch.tensor(PARAMETER, dtype=torch.float64, requires_grad=True)
    optimizer = make([p], **options)
    result = []
    for t in range(1, count + 1):
        p.grad = torch.tensor([gradient(x, t) for x in p.tolist()], dtype=torch.float64)
        optimizer.step()
        result.append(p.tolist())
    return result


def reference(rule, count=7):
    """The same by rule(x, g, t, state) -> x, element by element; state is a dict of the element."""
    xs, states, result = list(PARAMETER), [{} for _ in PARAMETER], []
    for t in range(1, count + 1):
        xs = [rule(x, gradient(x, t), t, s) for x, s in zip(xs, states)]
        result.append(list(xs))
    return result


def sign(x):
    return (x > 0) - (x < 0)


class Formulas(Case):
    def check(self, make, rule, **options):
        for got, expected in zip(steps(make, **options), reference(rule)):
            self.close(got, expected, 1e-7)  # counts and products are float32 in the state

    def test_sgd(self):
        self.check(torch.optim.SGD, lambda x, g, t, s: x - 0.1 * g, lr=0.1)
        self.check(torch.optim.SGD, lambda x, g, t, s: x - 0.1 * (g + 0.2 * x), lr=0.1, weight_decay=0.2)
        self.check(torch.optim.SGD, lambda x, g, t, s: x + 0.1 * g, lr=0.1, maximize=True)

    def test_sgd_with_momentum(self):
        for nesterov, dampening, decay in ((False, 0, 0), (False, 0.4, 0.1), (True, 0, 0.1)):
            def rule(x, g, t, s):
                g += decay * x
                s["b"] = g if t == 1 else 0.9 * s["b"] + (1 - dampening) * g
                return x - 0.1 * (g + 0.9 * s["b"] if nesterov else s["b"])
            with self.subTest(nesterov=nesterov):
                self.check(torch.optim.SGD, rule, lr=0.1, momentum=0.9, dampening=dampening, nesterov=nesterov, weight_decay=decay)

    def test_adam(self):
        for decoupled in (False, True):
            for amsgrad in (False, True):
                def rule(x, g, t, s):
                    if decoupled:
                        x *= 1 - 0.05 * 0.1
                    else:
                        g += 0.1 * x
                    s["m"] = 0.8 * s.get("m", 0) + 0.2 * g
                    s["v"] = v = 0.9 * s.get("v", 0) + 0.1 * g * g
                    if amsgrad:
                        s["top"] = v = max(v, s.get("top", 0))
                    return x - 0.05 / (1 - 0.8**t) * s["m"] / (math.sqrt(v) / math.sqrt(1 - 0.9**t) + 1e-3)
                with self.subTest(decoupled=decoupled, amsgrad=amsgrad):
                    self.check(torch.optim.AdamW if decoupled else torch.optim.Adam, rule, lr=0.05, betas=(0.8, 0.9), eps=1e-3,
                               weight_decay=0.1, amsgrad=amsgrad)

    def test_adagrad(self):
        def rule(x, g, t, s):
            g += 0.1 * x
            s["s"] = s.get("s", 0.5) + g * g
            return x - 0.2 / (1 + (t - 1) * 0.1) * g / (math.sqrt(s["s"]) + 1e-10)
        self.check(torch.optim.Adagrad, rule, lr=0.2, lr_decay=0.1, weight_decay=0.1, initial_accumulator_value=0.5)

    def test_adadelta(self):
        def rule(x, g, t, s):
            s["v"] = 0.8 * s.get("v", 0) + 0.2 * g * g
            d = math.sqrt(s.get("u", 0) + 1e-6) / math.sqrt(s["v"] + 1e-6) * g
            s["u"] = 0.8 * s.get("u", 0) + 0.2 * d * d
            return x - 0.5 * d
        self.check(torch.optim.Adadelta, rule, lr=0.5, rho=0.8)

    def test_adamax(self):
        def rule(x, g, t, s):
            s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
            s["u"] = max(0.99 * s.get("u", 0), abs(g) + 1e-8)
            return x - 0.1 / (1 - 0.9**t) * s["m"] / s["u"]
        self.check(torch.optim.Adamax, rule, lr=0.1, betas=(0.9, 0.99))

    def test_nadam(self):
        def rule(x, g, t, s):
            mu, after = (0.9 * (1 - 0.5 * 0.96**(k * 0.1)) for k in (t, t + 1))
            s["p"] = s.get("p", 1) * mu
            s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
            s["v"] = 0.99 * s.get("v", 0) + 0.01 * g * g
            root = math.sqrt(s["v"] / (1 - 0.99**t)) + 1e-8
            return x - 0.1 * (1 - mu) / (1 - s["p"]) * g / root - 0.1 * after / (1 - s["p"] * after) * s["m"] / root
        self.check(torch.optim.NAdam, rule, lr=0.1, betas=(0.9, 0.99), momentum_decay=0.1)

    def test_radam(self):
        def rule(x, g, t, s):
            s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
            s["v"] = 0.95 * s.get("v", 0) + 0.05 * g * g
            limit = 2 / 0.05 - 1
            rho = limit - 2 * t * 0.95**t / (1 - 0.95**t)
            mean = s["m"] / (1 - 0.9**t)
            if rho <= 5:
                return x - 0.1 * mean
            r = math.sqrt((rho - 4) * (rho - 2) * limit / ((limit - 4) * (limit - 2) * rho))
            return x - 0.1 * mean * r * math.sqrt(1 - 0.95**t) / (math.sqrt(s["v"]) + 1e-8)
        self.check(torch.optim.RAdam, rule, lr=0.1, betas=(0.9, 0.95))

    def test_rmsprop(self):
        for centered in (False, True):
            for momentum in (0, 0.9):
                def rule(x, g, t, s):
                    s["v"] = 0.9 * s.get("v", 0) + 0.1 * g * g
                    s["a"] = 0.9 * s.get("a", 0) + 0.1 * g
                    d = g / (math.sqrt(s["v"] - (s["a"]**2 if centered else 0)) + 1e-8)
                    s["b"] = momentum * s.get("b", 0) + d
                    return x - 0.01 * (s["b"] if momentum else d)
                with self.subTest(centered=centered, momentum=momentum):
                    self.check(torch.optim.RMSprop, rule, alpha=0.9, centered=centered, momentum=momentum)

    def test_rprop(self):
        def rule(x, g, t, s):
            change = sign(g * s.get("g", 0))
            size = s.get("size", 0.1) * {1: 1.2, -1: 0.5, 0: 1}[change]
            s["size"] = min(max(size, 0.06), 0.2)
            s["g"] = 0 if change < 0 else g
            return x - s["size"] * sign(s["g"])
        self.check(torch.optim.Rprop, rule, lr=0.1, step_sizes=(0.06, 0.2))

    def test_asgd(self):
        def rule(x, g, t, s):
            eta = s.get("eta", 0.1)
            s["eta"] = 0.1 / (1 + 0.2 * 0.1 * t)**0.75
            return x * (1 - 0.2 * eta) - eta * g
        self.check(torch.optim.ASGD, rule, lr=0.1, lambd=0.2)

    def test_asgd_averages(self):
        p = torch.tensor([1.0], dtype=torch.float64, requires_grad=True)
        optimizer = torch.optim.ASGD([p], lr=0.5, lambd=0.0, t0=0)
        seen = []
        for g in (1.0, 2.0, -1.0, 0.5):
            p.grad = torch.tensor([g], dtype=torch.float64)
            optimizer.step()
            seen.append(p.item())
        mean = seen[0]  # step t averages with 1/(t - 1)
        for n, x in zip((1, 2, 3), seen[1:]):
            mean += (x - mean) / n
        self.close(optimizer.state[p]["ax"], [mean], 1e-7)

    def test_options_of_groups_and_late_gradients(self):
        a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
        optimizer = torch.optim.Adam([{"params": [a]}, {"params": [b], "lr": 0.5}], lr=0.1, eps=0.0)
        a.grad = torch.ones(2)
        optimizer.step()
        self.close(a, [0.9, 0.9])
        self.values(b.detach(), [1.0, 1.0])
        b.grad = torch.ones(2)
        optimizer.step()
        self.close(b, [0.5, 0.5])  # its own first step
        self.assertEqual([optimizer.state[p]["step"].item() for p in (a, b)], [2.0, 1.0])

    def test_narrow_types(self):
        for dtype in (torch.float16, torch.bfloat16, torch.float32):
            for make in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW, torch.optim.RMSprop, torch.optim.Adagrad):
                p = torch.ones(3, dtype=dtype, requires_grad=True)
                optimizer = make([p], lr=0.25)
                p.grad = torch.ones(3, dtype=dtype)
                optimizer.step()
                self.assertIs(p.dtype, dtype)
                self.assertLess(p.max().item(), 1.0)
                for value in optimizer.state[p].values():
                    if isinstance(value, torch.Tensor) and value.dim():
                        self.assertIs(value.dtype, dtype)

    def test_layouts(self):
        base = torch.zeros(4, 6)
        p = base[:, ::2].t().detach().requires_grad_()
        for make in (torch.optim.SGD, torch.optim.Adam, torch.optim.RMSprop):
            before = p.detach().clone()
            p.grad = torch.arange(12.0).reshape(3, 4) + 1
            make([p], lr=0.1).step()
            self.assertTrue((p < before).all().item())
        self.values(base[:, 1::2], [[0.0] * 3] * 4)  # nothing else was written
        self.assertLess(base[:, ::2].max().item(), 0)

    def test_no_elements_and_scalars(self):
        for make in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW, torch.optim.NAdam, torch.optim.Rprop, torch.optim.Adadelta):
            p, q = torch.zeros(0, requires_grad=True), torch.tensor(1.0, requires_grad=True)
            p.grad, q.grad = torch.zeros(0), torch.tensor(2.0)
            make([p, q], lr=0.1).step()
            self.assertLess(q.item(), 1.0)

    def test_an_infinite_parameter_without_decay(self):
        for make in (torch.optim.SGD, torch.optim.Adam):
            p = torch.tensor([math.inf, 1.0], requires_grad=True)
            p.grad = torch.ones(2)
            make([p], lr=0.5).step()
            self.assertEqual(p[0].item(), math.inf)

    def test_large_parameters_step_together(self):
        for make in (torch.optim.RMSprop, torch.optim.NAdam, torch.optim.Adamax, torch.optim.Adadelta, torch.optim.Rprop):
            big, small = torch.full((40_000,), 0.5, requires_grad=True), torch.full((4,), 0.5, requires_grad=True)
            optimizer = make([big, small])
            for g in (1.0, 0.5, -2.0):
                big.grad, small.grad = torch.full((40_000,), g), torch.full((4,), g)
                optimizer.step()
            self.close(big[-4:], small.tolist(), 1e-6)


class Matrices(Case):
    def test_adafactor_of_a_vector(self):
        p = torch.tensor([3.0, 4.0], dtype=torch.float64, requires_grad=True)
        p.grad = torch.tensor([1.0, -2.0], dtype=torch.float64)
        torch.optim.Adafactor([p], lr=0.01).step()  # variance = g*g, update = sign(g), length sqrt(2)/sqrt(2) = 1
        alpha = 5 / math.sqrt(2) * 0.01
        self.close(p, [3 - alpha, 4 + alpha], 1e-9)

    def test_adafactor_of_a_matrix(self):
        p = torch.ones(2, 3, requires_grad=True)
        optimizer = torch.optim.Adafactor([p])
        p.grad = torch.ones(2, 3) * 2
        optimizer.step()
        self.close(optimizer.state[p]["row_var"], [[4.0], [4.0]])
        self.close(optimizer.state[p]["col_var"], [[4.0, 4.0, 4.0]])
        self.close(p, [[0.99] * 3] * 2)

    def test_muon(self):
        p = torch.zeros(2, 2, requires_grad=True)
        p.grad = torch.tensor([[3.0, 0.0], [0.0, 1.0]])
        torch.optim.Muon([p], lr=1.0, weight_decay=0.0).step()
        for i in (0, 1):
            self.assertLess(abs(p[i, i].item() + 1), 0.35)  # nearly orthogonal
        self.close(p[0, 1].item(), 0.0, 1e-2)
        with self.raises(ValueError, "2D"):
            torch.optim.Muon([torch.ones(2)])


class Quasi(Case):
    def minimise(self, function, start, calls, **options):
        x = torch.tensor(start, dtype=torch.float64, requires_grad=True)
        optimizer = torch.optim.LBFGS([x], **options)

        def closure():
            optimizer.zero_grad()
            loss = function(x)
            loss.backward()
            return loss
        for _ in range(calls):
            loss = optimizer.step(closure)
        return x, loss, optimizer

    def test_rosenbrock(self):
        def rosenbrock(x):
            return (1 - x[0])**2 + 100 * (x[1] - x[0]**2)**2
        x, _, optimizer = self.minimise(rosenbrock, [-1.2, 1.0], 8, line_search_fn="strong_wolfe")
        self.close(x, [1.0, 1.0], 1e-3)
        self.assertGreater(optimizer.state[x]["func_evals"], 20)

    def test_search_ends_with_the_evaluations(self):
        x, _, optimizer = self.minimise(lambda x: (x.exp() - 4 * x + (20 * x).sin()).sum(), [3.0], 1, line_search_fn="strong_wolfe", max_iter=3)
        self.assertEqual(optimizer.state_dict()["state"][0]["func_evals"], 4)  # 3 * 5 / 4, and one

    def test_quadratic(self):
        def bowl(x):
            return ((x - torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64))**2 * torch.tensor([1.0, 10.0, 0.5], dtype=torch.float64)).sum()
        for search in (None, "strong_wolfe"):
            x, loss, _ = self.minimise(bowl, [0.0, 0.0, 0.0], 3, line_search_fn=search, lr=0.5 if search is None else 1)
            self.close(x, [1.0, 2.0, 3.0], 1e-4)

    def test_stops_at_a_minimum(self):
        _, loss, optimizer = self.minimise(lambda x: (x * x).sum(), [0.0, 0.0], 1)
        self.assertEqual(loss.item(), 0.0)
        self.assertEqual(optimizer.state_dict()["state"][0]["func_evals"], 1)

    def test_two_groups_are_refused(self):
        with self.raises(ValueError, "per-parameter"):
            torch.optim.LBFGS([{"params": [torch.ones(1)]}, {"params": [torch.ones(1)]}])


if __name__ == "__main__":
    unittest.main()
