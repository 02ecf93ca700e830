"""BoTorch: a Gaussian process, expected improvement, its optimisation by Sobol starting points and L-BFGS."""
import torch, warnings
warnings.simplefilter("ignore")
from botorch.models import SingleTaskGP
from botorch.fit import fit_gpytorch_mll
from botorch.acquisition import LogExpectedImprovement, qLogExpectedImprovement, UpperConfidenceBound
from botorch.optim import optimize_acqf
from botorch.sampling import SobolQMCNormalSampler
from botorch.utils.sampling import draw_sobol_samples
from gpytorch.mlls import ExactMarginalLogLikelihood
torch.manual_seed(0)
x = torch.rand(12, 2, dtype=torch.float64)
y = -((x - 0.4) ** 2).sum(-1, keepdim=True) + 0.05 * torch.sin(20 * x[:, :1])
model = SingleTaskGP(x, y)
fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
bounds = torch.tensor([[0.0, 0.0], [1.0, 1.0]], dtype=torch.float64)
for acquisition in (LogExpectedImprovement(model, best_f=y.max()), UpperConfidenceBound(model, beta=0.2)):
    candidate, value = optimize_acqf(acquisition, bounds=bounds, q=1, num_restarts=4, raw_samples=32)
    print([round(v, 2) for v in candidate[0].tolist()], round(value.item(), 2))
print(draw_sobol_samples(bounds, n=4, q=1, seed=5).squeeze(1))
sampler = SobolQMCNormalSampler(sample_shape=torch.Size([16]), seed=1)
print([round(v, 3) for v in sampler(model.posterior(x[:3])).mean(0).flatten().tolist()])
