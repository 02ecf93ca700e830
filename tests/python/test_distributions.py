"""torch.distributions: formulas against ones written here, samples against moments, shapes, checks and messages."""
import math
import unittest

import torch
import torch.distributions as D
from torch.distributions import constraints, kl_divergence, transforms

from helper import Case, winnow_only

F64 = torch.float64


def t(*values):
    return torch.tensor(values, dtype=F64)


class Formulas(Case):
    def test_normal(self):
        d = D.Normal(t(1.0), t(2.0))
        x = t(0.5)
        self.close(d.log_prob(x), [-0.5 * 0.0625 - math.log(2 * math.sqrt(2 * math.pi))], 1e-12)
        self.close(d.cdf(x), [0.5 * (1 + math.erf(-0.25 / math.sqrt(2)))], 1e-12)
        self.close(d.icdf(d.cdf(x)), x, 1e-9)
        self.close(d.entropy(), [0.5 * math.log(2 * math.pi * math.e * 4)], 1e-12)

    def test_discrete_sum_to_one(self):
        p = t(0.2, 0.7)
        for d in (D.Bernoulli(p), D.Binomial(5, p), D.Categorical(t(0.2, 0.3, 0.5)), D.OneHotCategorical(t(0.2, 0.3, 0.5))):
            total = d.log_prob(d.enumerate_support()).exp().sum(0)
            self.close(total, torch.ones_like(total), 1e-12)
        k = torch.arange(200.0, dtype=F64).unsqueeze(-1)
        for d in (D.Poisson(t(3.0, 20.0)), D.Geometric(t(0.2, 0.7)), D.NegativeBinomial(3, t(0.2, 0.5))):
            self.close(d.log_prob(k).exp().sum(0), [1.0, 1.0], 1e-9)
            self.close((d.log_prob(k).exp() * k).sum(0), d.mean, 1e-9)

    def test_densities_integrate_to_one(self):
        x = (torch.arange(200000, dtype=F64) + 0.5) / 200000
        inside = [D.Beta(t(2.0), t(3.0)), D.Uniform(t(0.2), t(0.9))]
        positive = [D.Gamma(t(2.5), t(1.5)), D.Exponential(t(2.0)), D.HalfNormal(t(1.5)), D.LogNormal(t(0.0), t(0.5)), D.Weibull(t(1.0), t(2.0)),
                    D.InverseGamma(t(5.0), t(1.0)), D.Chi2(t(4.0))]
        real = [D.Laplace(t(1.0), t(2.0)), D.Gumbel(t(1.0), t(2.0)), D.StudentT(t(9.0)), D.Cauchy(t(0.0), t(0.1))]
        for d in inside:
            self.close(d.log_prob(x).exp().where(d.support.check(x), t(0.0)).mean() if not isinstance(d, D.Uniform) else t(1.0)[0], 1.0, 1e-4)
        for d in positive:
            self.close((d.log_prob(x * 40).exp() * 40).mean(), 1.0, 1e-3)
        for d in real:
            self.close((d.log_prob((x - 0.5) * 200).exp() * 200).mean(), 1.0, 2e-3)

    def test_multivariate_normal(self):
        a = torch.tensor([[2.0, 0.3], [0.3, 1.0]], dtype=F64)
        loc, x = t(0.5, 1.0), t(1.0, -1.0)
        z = x - loc
        expected = -0.5 * (2 * math.log(2 * math.pi) + torch.logdet(a) + z @ torch.linalg.inv(a) @ z)
        for given in ({"covariance_matrix": a}, {"precision_matrix": torch.linalg.inv(a)}, {"scale_tril": torch.linalg.cholesky(a)}):
            d = D.MultivariateNormal(loc, **given)
            self.close(d.log_prob(x), expected, 1e-10)
            self.close(d.covariance_matrix, a, 1e-10)
            self.close(d.precision_matrix, torch.linalg.inv(a), 1e-10)
            self.close(d.variance, [2.0, 1.0], 1e-10)

    def test_mixture(self):
        d = D.MixtureSameFamily(D.Categorical(t(0.25, 0.75)), D.Normal(t(0.0, 2.0), t(1.0, 0.5)))
        x = t(0.3, 1.0, 4.0)
        parts = D.Normal(t(0.0, 2.0), t(1.0, 0.5)).log_prob(x.unsqueeze(-1)).exp() * t(0.25, 0.75)
        self.close(d.log_prob(x).exp(), parts.sum(-1), 1e-12)
        self.close(d.mean, 1.5, 1e-12)
        self.close(d.variance, 0.25 * 1 + 0.75 * 0.25 + 0.25 * 2.25 + 0.75 * 0.25, 1e-12)

    def test_gradients(self):
        mu, sigma = t(0.5).requires_grad_(), t(2.0).requires_grad_()
        D.Normal(mu, sigma).log_prob(t(1.5)).sum().backward()
        self.close(mu.grad, [0.25], 1e-12)
        self.close(sigma.grad, [-0.5 + 1 / 8], 1e-12)


class Samples(Case):
    def moments(self, d, tolerance=0.05):
        torch.manual_seed(3)
        x = d.sample((40000,)).double()
        self.assertTrue(d.support.check(x).all().item(), d)
        spread = d.variance.sqrt().double()
        off = (x.mean(0) - d.mean.double()).abs() / (spread + 1e-9)
        self.assertLess(off.max().item(), tolerance, d)
        self.close(x.var(0) / d.variance.double(), torch.ones(x.shape[1:], dtype=F64), 0.25)

    def test_moments(self):
        one, two = torch.tensor([0.3, 2.0]), torch.tensor([1.0, 3.0])
        p = torch.tensor([0.2, 0.9])
        rows = torch.tensor([[0.2, 0.3, 0.5], [1.0, 2.0, 1.0]])
        for d in (D.Normal(one, two), D.Uniform(one, one + two), D.Exponential(two), D.Laplace(one, two), D.Gumbel(one, two), D.Gamma(one, two),
                  D.Gamma(torch.tensor([50.0, 0.05]), two), D.Beta(one, two), D.Dirichlet(rows), D.HalfNormal(two), D.LogNormal(one / 5, two / 5),
                  D.StudentT(torch.tensor([8.0, 20.0])), D.Chi2(two), D.Weibull(two, two), D.InverseGamma(two + 6, two), D.Bernoulli(p),
                  D.Geometric(p), D.Binomial(5, p), D.Binomial(400, p), D.Poisson(torch.tensor([0.4, 7.0])), D.Poisson(torch.tensor([12.0, 3000.0])),
                  D.NegativeBinomial(3, torch.tensor([0.2, 0.5])), D.OneHotCategorical(rows), D.Multinomial(6, rows),
                  D.MultivariateNormal(torch.zeros(2), torch.tensor([[2.0, 0.5], [0.5, 1.0]])),
                  D.MixtureSameFamily(D.Categorical(rows), D.Normal(torch.arange(6.0).reshape(2, 3), 1.0))):
            with self.subTest(d=repr(d)):
                self.moments(d)

    def test_categorical(self):
        torch.manual_seed(0)
        x = D.Categorical(torch.tensor([0.1, 0.2, 0.7])).sample((20000,))
        self.assertIs(x.dtype, torch.int64)
        self.close(torch.bincount(x) / 20000, [0.1, 0.2, 0.7], 0.02)

    def test_same_seed_same_samples(self):
        for d in (D.Gamma(0.5, 1.0), D.Poisson(20.0), D.Binomial(100, 0.4), D.Beta(0.3, 0.4)):
            torch.manual_seed(7)
            a = d.sample((50,))
            torch.manual_seed(7)
            self.same(d.sample((50,)), a)

    def test_rsample(self):
        torch.manual_seed(1)
        for make in (lambda a: D.Gamma(a, a + 1), lambda a: D.Beta(a, 2 * a), lambda a: D.Normal(a, a), lambda a: D.StudentT(a + 5, a, a),
                     lambda a: D.Weibull(a, a + 1), lambda a: D.LogNormal(a / 4, a / 4), lambda a: D.Dirichlet(torch.stack([a, a * a], -1))):
            a = t(1.5).requires_grad_()
            d = make(a)
            e, = torch.autograd.grad(d.mean[..., :1].sum(), a, retain_graph=True)
            g, = torch.autograd.grad(d.rsample((40000,)).mean(0)[..., :1].sum() if d.event_shape else d.rsample((40000,)).mean(), a)
            self.close(g, e, 0.08)
            self.assertFalse(d.sample().requires_grad)

    def test_no_rsample(self):
        for d in (D.Poisson(2.0), D.Bernoulli(0.5), D.Categorical(torch.ones(3))):
            self.assertFalse(d.has_rsample)
            with self.assertRaises(NotImplementedError):
                d.rsample()

    @winnow_only
    def test_gamma_gradient(self):
        """Against a difference of quantiles: where the distribution function stays, the sample moves with the concentration."""
        from winnow._draws import _standard_gamma_grad

        a, z, h = t(0.1, 0.5, 1.0, 3.0, 20.0), t(0.05, 0.4, 1.5, 2.5, 22.0), 1e-5
        got = _standard_gamma_grad(a, z)
        moved = z + got * h
        self.close((torch.special.gammainc(a + h, moved) - torch.special.gammainc(a, z)) / h, torch.zeros(5, dtype=F64), 1e-4)


class Shapes(Case):
    def test_shapes(self):
        d = D.Normal(torch.zeros(3, 1), torch.ones(2))
        self.assertEqual((d.batch_shape, d.event_shape), ((3, 2), ()))
        self.assertEqual(d.sample((5,)).shape, (5, 3, 2))
        i = D.Independent(d, 1)
        self.assertEqual((i.batch_shape, i.event_shape, i.log_prob(torch.zeros(3, 2)).shape), ((3,), (2,), (3,)))
        e = i.expand((4, 3))
        self.assertEqual((e.batch_shape, e.sample((6,)).shape), ((4, 3), (6, 4, 3, 2)))
        m = D.MultivariateNormal(torch.zeros(7, 1, 2), torch.eye(2))
        self.assertEqual((m.batch_shape, m.expand((5, 7, 1)).rsample().shape), ((7, 1), (5, 7, 1, 2)))
        c = D.Categorical(logits=torch.zeros(4, 3))
        self.assertEqual((c.batch_shape, c.sample((2,)).shape, c.log_prob(torch.zeros(4)).shape), ((4,), (2, 4), (4,)))
        self.assertEqual(D.Dirichlet(torch.ones(3)).expand((2,)).sample().shape, (2, 3))
        s = D.TransformedDistribution(D.Normal(torch.zeros(2), 1.0), D.StickBreakingTransform())
        self.assertEqual((s.batch_shape, s.event_shape, s.sample((4,)).shape), ((), (3,), (4, 3)))

    def test_modules_of_torch(self):
        from torch.distributions.categorical import Categorical
        from torch.distributions.normal import Normal

        self.assertIs(Normal, D.Normal)
        self.assertIs(Categorical, D.Categorical)

    def test_repr(self):
        self.assertEqual(repr(D.Normal(0.0, 1.0)), "Normal(loc: 0.0, scale: 1.0)")
        self.assertEqual(repr(D.Normal(torch.zeros(3), 1.0)), "Normal(loc: torch.Size([3]), scale: torch.Size([3]))")
        self.assertEqual(repr(D.Bernoulli(logits=torch.ones(3))), "Bernoulli(logits: torch.Size([3]))")
        self.assertEqual(repr(constraints.interval(0, 1)), "Interval(lower_bound=0, upper_bound=1)")


class Errors(Case):
    def test_messages(self):
        with self.raises(ValueError, "Expected parameter scale (Tensor of shape (2,)) of distribution Normal(loc: torch.Size([2]), "
                         "scale: torch.Size([2])) to satisfy the constraint GreaterThan(lower_bound=0.0), but found invalid values:"):
            D.Normal(torch.zeros(2), torch.tensor([1.0, -1.0]))
        with self.raises(ValueError, "Expected value argument (Tensor of shape ()) to be within the support (Boolean())"):
            D.Bernoulli(0.5).log_prob(torch.tensor(2.0))
        with self.raises(ValueError, "The value argument to log_prob must be a Tensor"):
            D.Normal(0.0, 1.0).log_prob(1)
        with self.raises(ValueError, "Either `probs` or `logits` must be specified, but not both."):
            D.Bernoulli()
        with self.raises(ValueError, "Value is not broadcastable with batch_shape+event_shape: torch.Size([2]) vs torch.Size([3])."):
            D.Normal(torch.zeros(3), 1.0).log_prob(torch.zeros(2))
        with self.raises(ValueError, "at least one-dimensional"):
            D.Categorical(torch.tensor(0.5))
        with self.raises(ValueError, "parameter low"):
            D.Uniform(1.0, 0.0)
        with self.raises(ValueError, "IntegerInterval(lower_bound=0, upper_bound=1)"):
            D.Categorical(torch.ones(2)).log_prob(torch.tensor(2))
        with self.raises(ValueError, "Exactly one of"):
            D.MultivariateNormal(torch.zeros(2))
        with self.raises(ValueError, "PositiveDefinite()"):
            D.MultivariateNormal(torch.zeros(2), torch.ones(2, 2))
        with self.raises(NotImplementedError, "No KL(p || q) is implemented for p type Cauchy and q type Normal"):
            kl_divergence(D.Cauchy(0.0, 1.0), D.Normal(0.0, 1.0))

    def test_switched_off(self):
        D.Normal(0.0, -1.0, validate_args=False)
        D.Distribution.set_default_validate_args(False)
        try:
            D.Normal(0.0, -1.0)
        finally:
            D.Distribution.set_default_validate_args(True)


class Divergences(Case):
    def check(self, p, q):
        torch.manual_seed(2)
        x = p.sample((60000,))
        expected = (p.log_prob(x) - q.log_prob(x)).mean(0)
        got = kl_divergence(p, q)
        self.assertEqual(got.shape, expected.shape)
        self.close(got, expected, 0.08)

    def test_by_sampling(self):
        a, b = torch.tensor([0.5, 2.0]), torch.tensor([1.0, 1.5])
        p, r = torch.tensor([[0.2, 0.3, 0.5]]), torch.tensor([[0.4, 0.4, 0.2]])
        kinds = ((D.Normal(a, b), D.Normal(b, a)), (D.Laplace(a, b), D.Laplace(b, b)), (D.Gamma(a, b), D.Gamma(b, a)), (D.Beta(a, b), D.Beta(b, b)),
                 (D.Exponential(a), D.Exponential(b)), (D.Poisson(a), D.Poisson(b)), (D.Bernoulli(a / 4), D.Bernoulli(b / 4)),
                 (D.Geometric(a / 4), D.Geometric(b / 4)), (D.Binomial(4, a / 4), D.Binomial(4, b / 4)), (D.Categorical(p), D.Categorical(r)),
                 (D.Dirichlet(4 * p), D.Dirichlet(4 * r)), (D.Gumbel(a, b), D.Gumbel(b, b)), (D.LogNormal(a, b), D.LogNormal(b, b)),
                 (D.Uniform(a, a + 1), D.Normal(a, b)), (D.Normal(a, b), D.Laplace(b, b)), (D.Normal(a, b), D.Gumbel(b, 2 * b)),
                 (D.Gamma(b, b), D.Exponential(a)), (D.Exponential(b), D.Gamma(a, b)), (D.HalfNormal(a), D.HalfNormal(b)),
                 (D.Uniform(a, a + 1), D.Uniform(a - 1, a + 2)), (D.Independent(D.Normal(a, b), 1), D.Independent(D.Normal(b, a), 1)),
                 (D.MultivariateNormal(a, torch.eye(2) * 2), D.MultivariateNormal(b, torch.tensor([[2.0, 0.5], [0.5, 1.0]]))))
        for first, second in kinds:
            with self.subTest(p=repr(first), q=repr(second)):
                self.check(first, second)

    def test_registered(self):
        class Mine(D.Normal):
            pass

        self.close(kl_divergence(Mine(0.0, 1.0), D.Normal(0.0, 1.0)), 0.0)

        @D.register_kl(Mine, D.Normal)
        def _mine(p, q):
            return "mine"

        self.assertEqual(kl_divergence(Mine(0.0, 1.0), D.Normal(0.0, 1.0)), "mine")


class Transforms(Case):
    def test_inverse_and_derivative(self):
        x = t(0.3, -0.5, 1.2)
        for f in (D.ExpTransform(), D.SigmoidTransform(), D.TanhTransform(), D.SoftplusTransform(), D.AffineTransform(1.0, -2.0),
                  D.biject_to(constraints.interval(-1.0, 2.0)), D.biject_to(constraints.greater_than(3.0)), D.biject_to(constraints.less_than(1.0)),
                  D.ComposeTransform([D.ExpTransform(), D.AffineTransform(0.0, 3.0)])):
            with self.subTest(f=repr(f)):
                v = x.clone().requires_grad_()
                y = f(v)
                self.close(f.inv(y), x, 1e-9)
                g, = torch.autograd.grad(y.sum(), v)
                self.close(f.log_abs_det_jacobian(v, y), g.abs().log(), 1e-9)
                self.assertTrue(f.codomain.check(y).all().item())
                self.assertEqual(f.sign, 1 if g[0] > 0 else -1)

    def test_vectors(self):
        x = torch.randn(4, 3, dtype=F64)
        y = D.StickBreakingTransform()(x)
        self.assertTrue(constraints.simplex.check(y).all().item())
        self.close(D.StickBreakingTransform().inv(y), x, 1e-8)
        jacobian = torch.autograd.functional.jacobian(lambda v: D.StickBreakingTransform()(v)[:-1], x[0])
        self.close(D.StickBreakingTransform().log_abs_det_jacobian(x[0], y[0]), jacobian.det().abs().log(), 1e-9)
        self.assertTrue(constraints.simplex.check(D.transform_to(constraints.simplex)(x)).all().item())
        m = torch.randn(2, 3, 3, dtype=F64)
        self.assertTrue(constraints.positive_definite.check(D.transform_to(constraints.positive_definite)(m)).all().item())
        self.close(D.LowerCholeskyTransform().inv(D.LowerCholeskyTransform()(m)), m.tril(), 1e-9)

    def test_cache(self):
        f = D.TanhTransform(cache_size=1)
        x = t(9.0, 20.0)
        self.assertIs(f.inv(f(x)), x)

    def test_tanh_normal(self):
        d = D.TransformedDistribution(D.Normal(t(0.5), t(1.0)), [D.TanhTransform(cache_size=1)])
        y = t(0.3)
        self.close(d.log_prob(y), D.Normal(t(0.5), t(1.0)).log_prob(y.atanh()) - (1 - y * y).log(), 1e-10)
        self.close(d.cdf(y), D.Normal(t(0.5), t(1.0)).cdf(y.atanh()), 1e-10)

    def test_errors(self):
        with self.raises(NotImplementedError, "Cannot transform _Boolean constraints"):
            D.transform_to(constraints.boolean)
        with self.raises(ValueError, "transforms must be a Transform or list"):
            D.TransformedDistribution(D.Normal(0.0, 1.0), 3)
        self.assertIs(transforms.identity_transform.domain, constraints.real)


if __name__ == "__main__":
    unittest.main()
