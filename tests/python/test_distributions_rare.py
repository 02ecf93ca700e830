"""The rarer distributions: densities integrate to one and have the moments that are claimed, samples agree with them, formulas of
matrices with those of dense ones, the Jacobian with autograd's."""
import math
import unittest

import torch
import torch.distributions as D
from torch.distributions import kl_divergence

from helper import Case

F64 = torch.float64


def t(*values):
    return torch.tensor(values, dtype=F64)


def midpoints(begin, end, n=20000):
    x = begin + (end - begin) * (torch.arange(n, dtype=F64) + 0.5) / n
    return x.unsqueeze(-1), (end - begin) / n


class OfOneNumber(Case):
    CASES = [  # (distribution, where its density lies)
        (D.FisherSnedecor(t(5.0, 7.0), t(12.0, 15.0)), (0, 200)), (D.Kumaraswamy(t(2.0, 3.0), t(3.0, 1.5)), (0, 1)),
        (D.VonMises(t(0.3, -1.0), t(2.0, 0.1)), (-math.pi, math.pi)), (D.ContinuousBernoulli(t(0.2, 0.4995)), (0, 1)),
        (D.ContinuousBernoulli(logits=t(0.2, -3.0)), (0, 1))]

    def test_densities_moments_and_samples(self):
        torch.manual_seed(0)
        for d, (begin, end) in self.CASES:
            x, step = midpoints(begin, end, 200000 if end == 200 else 20000)
            density = d.log_prob(x).exp() * step
            self.close(density.sum(0), torch.ones(2, dtype=F64), 1e-5)
            samples = d.sample((40000,))
            self.assertEqual(samples.dtype, F64)
            self.assertTrue(d.support.check(samples).all())
            if isinstance(d, D.VonMises):
                self.close((density * x.sub(d.loc).cos()).sum(0), 1 - d.variance, 1e-4)
                self.close(samples.sub(d.loc).cos().mean(0), 1 - d.variance, 0.02)
                self.close(samples.sub(d.loc).sin().mean(0), [0.0, 0.0], 0.02)
                continue
            mean = (density * x).sum(0)
            self.close(mean, d.mean, 1e-4)
            self.close((density * (x - mean).square()).sum(0), d.variance, 1e-3)
            self.close(samples.mean(0), d.mean, 0.03)
            self.close(samples.std(0), d.stddev, 0.1)

    def test_distribution_functions(self):
        for d in (D.Kumaraswamy(t(2.0, 3.0), t(3.0, 1.5)), D.ContinuousBernoulli(t(0.2, 0.4995))):
            x, step = midpoints(0.0, 0.3)
            self.close(d.cdf(t(0.3, 0.3)), (d.log_prob(x).exp() * step).sum(0), 1e-3)  # near 1/2 torch takes the value itself
            self.close(d.icdf(d.cdf(t(0.3, 0.6))), [0.3, 0.6], 1e-9)
            x, step = midpoints(0.0, 1.0)
            log = d.log_prob(x)
            self.close(-(log.exp() * log * step).sum(0), d.entropy(), 1e-4)

    def test_continuous_bernoulli_kl(self):
        p, q = D.ContinuousBernoulli(t(0.2, 0.5)), D.ContinuousBernoulli(t(0.3, 0.9))
        x, step = midpoints(0.0, 1.0)
        expected = (p.log_prob(x).exp() * (p.log_prob(x) - q.log_prob(x)) * step).sum(0)
        self.close(kl_divergence(p, q), expected, 1e-5)

    def test_generalized_pareto(self):
        d = D.GeneralizedPareto(torch.tensor([0.0, 1.0, 0.0]), torch.tensor([1.0, 2.0, 1.5]), torch.tensor([0.2, -0.3, 0.0]))
        x = torch.tensor([0.5, 1.5, 0.7])
        z = [0.5, 0.25, 0.7 / 1.5]
        expected = [-6 * math.log(1 + 0.2 * z[0]), -math.log(2.0) + (1 / 0.3 - 1) * math.log(1 - 0.3 * z[1]), -math.log(1.5) - z[2]]
        self.close(d.log_prob(x), expected, 1e-5)
        self.close(d.mean, [1.25, 1 + 2 / 1.3, 1.5], 1e-5)
        self.close(d.icdf(d.cdf(x)), x, 1e-4)
        self.close(d.entropy(), [1.2, math.log(2.0) + 0.7, math.log(1.5) + 1], 1e-5)
        self.assertTrue(d.support.check(d.sample((1000,))).all())


class Relaxed(Case):
    def test_bernoulli(self):
        torch.manual_seed(0)
        for given in ({"probs": t(0.2, 0.8)}, {"logits": t(-0.5, 1.0)}):
            d = D.RelaxedBernoulli(t(0.7), **given)
            x, step = midpoints(0.0, 1.0, 200000)
            density = d.log_prob(x).exp() * step
            self.close(density.sum(0), [1.0, 1.0], 1e-2)
            self.close(d.sample((40000,)).mean(0), (density * x).sum(0), 0.02)
            cold = D.RelaxedBernoulli(t(1e-3), **given).sample((20000,))
            self.close((cold > 0.5).to(F64).mean(0), d.probs, 0.02)

    def test_categorical(self):
        torch.manual_seed(0)
        p = t(0.2, 0.3, 0.5)
        d = D.RelaxedOneHotCategorical(t(0.7)[0], probs=p)
        x = t(0.3, 0.6, 0.1)
        # C. J. Maddison et al., equation 10
        expected = math.log(2.0) + 2 * math.log(0.7) + sum(math.log(p[i]) - 1.7 * math.log(x[i]) for i in range(3)) \
            - 3 * math.log(sum(p[i] * x[i] ** -0.7 for i in range(3)))
        self.close(d.log_prob(x), expected, 1e-9)
        samples = d.sample((20000,))
        self.assertTrue(d.support.check(samples).all())
        self.close(torch.nn.functional.one_hot(samples.argmax(-1), 3).to(F64).mean(0), p, 0.02)
        self.assertEqual(d.expand((4,)).rsample((2,)).shape, (2, 4, 3))

    def test_gradients_reach_the_logits(self):
        logits = torch.zeros(3, dtype=F64, requires_grad=True)
        D.RelaxedOneHotCategorical(t(0.5), logits=logits).rsample((5,)).square().sum().backward()
        self.assertTrue(logits.grad.abs().sum() > 0)
        logits = torch.zeros(3, dtype=F64, requires_grad=True)
        D.RelaxedBernoulli(t(0.5), logits=logits).rsample((5,)).square().sum().backward()
        self.assertTrue(logits.grad.abs().sum() > 0)

    def test_logistic_normal(self):
        d = D.LogisticNormal(t(0.1, 0.5), t(1.0, 0.3))
        self.assertEqual((d.batch_shape, d.event_shape), ((), (3,)))
        torch.manual_seed(0)
        samples = d.sample((1000,))
        self.assertTrue(d.support.check(samples).all())
        base = D.TransformedDistribution(D.Normal(t(0.1, 0.5), t(1.0, 0.3)), D.StickBreakingTransform())
        self.close(d.log_prob(samples), base.log_prob(samples), 1e-9)


class Matrices(Case):
    covariance = torch.tensor([[2.0, 0.3], [0.3, 1.0]], dtype=F64)

    def test_low_rank_normal_is_the_dense_one(self):
        factor, diagonal = torch.tensor([[1.0, 0.2], [0.3, 0.4], [-0.5, 0.1]], dtype=F64), t(0.5, 0.6, 0.7)
        d = D.LowRankMultivariateNormal(t(0.1, 0.2, 0.3), factor, diagonal)
        dense = D.MultivariateNormal(t(0.1, 0.2, 0.3), factor @ factor.mT + torch.diag(diagonal))
        x = t(1.0, 0.0, -1.0)
        for name in ("mean", "variance", "covariance_matrix", "precision_matrix", "scale_tril"):
            self.close(getattr(d, name), getattr(dense, name), 1e-9)
        self.close(d.log_prob(x), dense.log_prob(x), 1e-9)
        self.close(d.entropy(), dense.entropy(), 1e-9)
        other = D.MultivariateNormal(t(0.0, 0.0, 0.0), torch.eye(3, dtype=F64) * 2)
        self.close(kl_divergence(d, other), kl_divergence(dense, other), 1e-9)
        self.close(kl_divergence(other, d), kl_divergence(other, dense), 1e-9)
        self.close(kl_divergence(d, d), 0.0, 1e-9)
        torch.manual_seed(0)
        self.close(torch.cov(d.sample((40000,)).mT), d.covariance_matrix, 0.05)
        with self.assertRaises(ValueError):
            D.LowRankMultivariateNormal(t(0.0, 0.0), factor, diagonal)

    def test_wishart(self):
        a = self.covariance
        d = D.Wishart(t(5.5)[0], covariance_matrix=a)
        x = 3 * a
        expected = (2.5 / 2 * torch.logdet(x) - torch.trace(torch.linalg.inv(a) @ x) / 2 - 5.5 * math.log(2.0) - 5.5 / 2 * torch.logdet(a)
                    - torch.mvlgamma(t(2.75), 2)[0])
        self.close(d.log_prob(x), expected, 1e-9)
        for same in (D.Wishart(t(5.5)[0], precision_matrix=torch.linalg.inv(a)), D.Wishart(t(5.5)[0], scale_tril=torch.linalg.cholesky(a))):
            self.close(same.log_prob(x), expected, 1e-9)
            self.close(same.entropy(), d.entropy(), 1e-9)
        self.close(d.mean, 5.5 * a, 1e-12)
        self.close(d.mode, 2.5 * a, 1e-12)
        torch.manual_seed(0)
        samples = d.sample((40000,))
        self.close(samples.mean(0), d.mean, 0.15)
        self.close(samples.var(0), d.variance, 2.0)
        self.close(-d.log_prob(samples).mean(), d.entropy(), 0.05)
        with self.assertRaisesRegex(ValueError, "greater than"):
            D.Wishart(t(0.5)[0], covariance_matrix=a)

    def test_lkj(self):
        torch.manual_seed(0)
        # the only correlation of two: its density is proportional to (1 - r^2)^(c - 1), and that of the factor's entry has a Jacobian of 1 here
        for c in (0.5, 1.5):
            d = D.LKJCholesky(2, t(c)[0])
            r, step = midpoints(-1.0, 1.0, 200000)
            factors = torch.zeros(len(r), 2, 2, dtype=F64)
            factors[:, 0, 0], factors[:, 1, :1], factors[:, 1, 1] = 1, r, (1 - r[:, 0].square()).sqrt()
            self.close((d.log_prob(factors).exp() * step).sum(), 1.0, 5e-3)
            self.close(d.sample((40000,))[:, 1, 0].var(), 1 / (2 * c + 1), 0.02)
        samples = D.LKJCholesky(4, t(1.0, 3.0)).sample((500,))
        self.assertEqual(samples.shape, (500, 2, 4, 4))
        self.assertTrue(D.constraints.corr_cholesky.check(samples).all())
        with self.assertRaises(ValueError):
            D.LKJCholesky(1)

    def test_factor_of_correlations(self):
        transform = D.CorrCholeskyTransform()
        x = torch.linspace(-1, 1, 6, dtype=F64)
        y = transform(x)
        self.assertTrue(D.constraints.corr_cholesky.check(y).all())
        self.close(transform.inv(y), x, 1e-9)
        below = torch.tril_indices(4, 4, -1)
        jacobian = torch.autograd.functional.jacobian(lambda v: transform(v)[below[0], below[1]], x)
        self.close(transform.log_abs_det_jacobian(x, y), torch.linalg.slogdet(jacobian)[1], 1e-9)
        self.assertEqual((transform.forward_shape((2, 6)), transform.inverse_shape((2, 4, 4))), ((2, 4, 4), (2, 6)))
        with self.assertRaises(ValueError):
            transform.forward_shape((5,))


class Shapes(Case):
    def test_expand_and_names(self):
        import torch.distributions.von_mises as by_torchs_name

        self.assertIs(by_torchs_name.VonMises, D.VonMises)
        for d in [c for c, _ in OfOneNumber.CASES] + [D.GeneralizedPareto(torch.zeros(2), torch.ones(2), torch.ones(2) / 4)]:
            e = d.expand((3, 2))
            self.assertEqual((e.batch_shape, e.sample((4,)).shape), ((3, 2), (4, 3, 2)))
            self.assertEqual(e.log_prob(e.sample()).shape, (3, 2))


if __name__ == "__main__":
    unittest.main()
