"""torch.func: gradients, Jacobians and maps over a batch as functions. SPDX-License-Identifier: Apache-2.0"""
import torch
from torch.func import functional_call, grad, hessian, jacfwd, jacrev, jvp, vjp, vmap
from helper import Case


def cube(x):
    return (x ** 3).sum()


class Derivatives(Case):
    def setUp(self):
        self.x = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64)

    def test_jacobians(self):
        x = self.x
        for jacobian in (jacrev, jacfwd):
            self.close(jacobian(torch.sin)(x), x.cos().diag(), 1e-12)
            self.assertFalse(jacobian(torch.sin)(x).requires_grad)
        j = jacrev(lambda a, b: {"product": a * b, "sum": [a.sum()]}, argnums=(0, 1))(x, 2 * x)
        self.close(j["product"][0], (2 * x).diag(), 1e-12)
        self.close(j["product"][1], x.diag(), 1e-12)
        self.assertEqual([t.tolist() for t in j["sum"][0]], [[1.0] * 3, [0.0] * 3])
        j, aux = jacrev(lambda a: (a * a, a.sum()), has_aux=True)(x)
        self.close(j, (2 * x).diag(), 1e-12)
        self.close(aux, x.sum(), 1e-12)
        self.assertEqual(jacrev(lambda a: a.new_empty(0))(x).shape, (0, 3))
        with self.raises(RuntimeError, "argnum"):
            jacrev(torch.sin, argnums=1)(x)

    def test_hessian(self):
        self.close(hessian(cube)(self.x), (6 * self.x).diag(), 1e-12)
        self.close(hessian(lambda a, b: (a * a * b).sum(), argnums=1)(self.x, self.x), torch.zeros(3, 3, dtype=torch.float64), 0)
        self.close(jacrev(grad(cube))(self.x), (6 * self.x).diag(), 1e-12)

    def test_along_a_tangent(self):
        x = self.x
        y, along = jvp(torch.exp, (x,), (torch.ones_like(x),))
        self.close(y, x.exp(), 1e-12)
        self.close(along, x.exp(), 1e-12)
        y, along, aux = jvp(lambda a, b: ((a * b, a.sum()), a), (x, x), (x, 2 * x), has_aux=True)
        self.close(along[0], 3 * x * x, 1e-12)
        self.close(along[1], x.sum(), 1e-12)
        self.close(aux, x, 0)
        with self.raises(RuntimeError, "jvp"):
            jvp(torch.exp, (x,), ())

    def test_pull(self):
        x = self.x
        (product, total), pull = vjp(lambda a, b: (a * b, a.sum()), x, x + 1)
        ga, gb = pull((torch.ones_like(x), torch.tensor(2.0, dtype=torch.float64)))
        self.close(ga, x + 3, 1e-12)
        self.close(gb, x, 1e-12)
        self.assertFalse(ga.requires_grad)


class Outside(Case):
    """What a function uses without getting it as an argument keeps its gradients."""

    def setUp(self):
        self.w = torch.tensor([2.0, 3.0], dtype=torch.float64, requires_grad=True)
        self.t, self.x = torch.tensor([0.5, 0.7], dtype=torch.float64)

    def u(self, t, x):
        return self.w[0] * t * x ** 3 + self.w[1] * t

    def test_gradients_of_gradients(self):
        t, x = self.t, self.x
        for result, expected in ((grad(self.u)(t, x), [x ** 3, 1.0]), (grad(grad(self.u, 1), 1)(t, x), [6 * t * x, 0.0]),
                                 (jacrev(self.u, 1)(t, x), [3 * t * x ** 2, 0.0]), (hessian(self.u, 1)(t, x), [6 * t * x, 0.0]),
                                 (vjp(self.u, t, x)[1](torch.ones_like(t))[0], [x ** 3, 1.0]), (vjp(self.u, t, x)[0], [t * x ** 3, t]),
                                 (jvp(self.u, (t, x), (t, t))[1], [x ** 3 * t + 3 * x ** 2 * t * t, t])):
            self.close(torch.autograd.grad(result, self.w)[0], torch.tensor(expected, dtype=torch.float64), 1e-12)

    def test_residuals_of_a_network(self):
        torch.manual_seed(0)
        net = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1)).double()
        t, x = torch.rand(2, 5, dtype=torch.float64)

        def u(t, x):
            return net(torch.stack([t, x]))[0]
        vmap(lambda t, x: grad(u)(t, x) - grad(grad(u, 1), 1)(t, x))(t, x).square().mean().backward()
        found = [p.grad for p in net.parameters()]
        net.zero_grad()
        a, b = t.clone().requires_grad_(), x.clone().requires_grad_()
        first = torch.autograd.grad(net(torch.stack([a, b], 1)).sum(), (a, b), create_graph=True)
        second, = torch.autograd.grad(first[1].sum(), b, create_graph=True)
        (first[0] - second).square().mean().backward()
        for g, p in zip(found[:3], net.parameters()):
            self.close(g, p.grad, 1e-12)

    def test_only_what_has_an_influence(self):
        t, x = self.t, self.x
        g, value = torch.func.grad_and_value(lambda t: t * t + self.w[0])(t)
        self.assertEqual((g.requires_grad, value.requires_grad), (False, True))
        self.assertFalse(vjp(torch.sin, t)[0].requires_grad)
        with torch.no_grad():
            self.assertFalse(grad(self.u)(t, x).requires_grad)
            self.assertFalse(grad(torch.sin)(t.clone().requires_grad_()).requires_grad)


class Batches(Case):
    def test_dimensions(self):
        x, y = torch.arange(6.0).view(2, 3), torch.ones(3, 2)
        self.assertEqual(vmap(torch.dot)(x, y.t()).tolist(), [3.0, 12.0])
        self.assertEqual(vmap(torch.dot, in_dims=(0, 1))(x, y).tolist(), [3.0, 12.0])
        self.assertEqual(vmap(lambda a, b: a + b, in_dims=(0, None))(x, torch.ones(3)).tolist(), (x + 1).tolist())
        self.assertEqual(vmap(torch.neg, in_dims=1, out_dims=1)(x).tolist(), (-x).tolist())
        self.assertEqual(vmap(torch.neg, in_dims=-1)(x).tolist(), (-x.t()).tolist())
        a, b = vmap(lambda t: (t.sum(), t * 2), out_dims=(0, 1))(x)
        self.assertEqual((a.tolist(), b.tolist()), ([3.0, 12.0], (2 * x.t()).tolist()))
        self.assertEqual(vmap(lambda d, k=None: d["u"] * d["v"][0] + k, in_dims=({"u": 0, "v": None},))({"u": x, "v": [torch.tensor(2.0)]}, k=1).tolist(), (2 * x + 1).tolist())
        self.assertEqual(vmap(vmap(torch.dot))(torch.ones(2, 3, 4), torch.ones(2, 3, 4)).tolist(), [[4.0] * 3] * 2)
        self.assertEqual(vmap(lambda t: t.sum(), in_dims=1)(torch.ones(2, 0)).shape, (0,))

    def test_gradients_of_samples(self):
        torch.manual_seed(0)
        model, x, y = torch.nn.Linear(4, 2), torch.randn(5, 4), torch.randn(5, 2)
        w = dict(model.named_parameters())

        def loss(w, x, y):
            return (functional_call(model, w, (x,)) - y).square().sum()
        g = vmap(grad(loss), in_dims=(None, 0, 0))(w, x, y)
        self.assertEqual((g["weight"].shape, g["bias"].shape), ((5, 2, 4), (5, 2)))
        loss(w, x, y).backward()
        self.close(g["weight"].sum(0), model.weight.grad, 1e-5)
        t = torch.randn(3, 2, requires_grad=True)
        vmap(cube)(t).sum().backward()
        self.close(t.grad, 3 * t.detach() ** 2, 1e-5)

    def test_errors(self):
        x = torch.ones(2)
        for message, f in (("non-Tensor", lambda: vmap(torch.sin)(1.0)), ("same size", lambda: vmap(torch.add)(x, torch.ones(3))),
                           ("dimensionality", lambda: vmap(torch.sin, in_dims=3)(x)), ("no inputs", lambda: vmap(torch.sin)()),
                           ("only return Tensors", lambda: vmap(lambda t: 3.0)(x)), ("structure", lambda: vmap(torch.add, in_dims=(0,))(x, x)),
                           ("at least one Tensor", lambda: vmap(torch.add, in_dims=(None, None))(x, x)), ("in_dims", lambda: vmap(torch.sin, in_dims="a")(x))):
            with self.raises(ValueError, message):
                f()
