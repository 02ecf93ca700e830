# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch, gpytorch

torch.manual_seed(0)
x = torch.linspace(0, 1, 30)
y = torch.sin(6 * x) + 0.1 * torch.randn(30)


class GP(gpytorch.models.ExactGP):
    def __init__(s, x, y, l):
        super().__init__(x, y, l)
        s.mean_module = gpytorch.means.ConstantMean()
        s.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())

    def forward(s, x):
        return gpytorch.distributions.MultivariateNormal(s.mean_module(x), s.covar_module(x))


l = gpytorch.likelihoods.GaussianLikelihood()
m = GP(x, y, l)
m.train()
l.train()
o = torch.optim.Adam(m.parameters(), 0.1)
mll = gpytorch.mlls.ExactMarginalLogLikelihood(l, m)
for i in range(20):
    o.zero_grad()
    loss = -mll(m(x), y)
    loss.backward()
    o.step()
print(round(loss.item(), 3))
m.eval()
l.eval()
with torch.no_grad():
    p = l(m(torch.tensor([0.25, 0.5])))
    print([round(v, 2) for v in p.mean.tolist()], [round(v, 2) for v in p.variance.tolist()])
