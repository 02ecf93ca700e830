"""Pyro: SVI with an automatic and a written guide, Beta-Bernoulli, mixture by enumeration, NUTS."""
import torch, pyro, warnings
import pyro.distributions as dist
from pyro.infer import SVI, Trace_ELBO, TraceEnum_ELBO, config_enumerate, MCMC, NUTS, Predictive
from pyro.infer.autoguide import AutoDiagonalNormal, AutoDelta
from torch.distributions import constraints
warnings.simplefilter("ignore")
pyro.set_rng_seed(0)
data = torch.tensor([1.0] * 6 + [0.0] * 4)
def model(data):
    f = pyro.sample("f", dist.Beta(10.0, 10.0))
    with pyro.plate("d", len(data)):
        pyro.sample("obs", dist.Bernoulli(f), obs=data)
def guide(data):
    a = pyro.param("a", torch.tensor(15.0), constraint=constraints.positive)
    b = pyro.param("b", torch.tensor(15.0), constraint=constraints.positive)
    pyro.sample("f", dist.Beta(a, b))
svi = SVI(model, guide, pyro.optim.Adam({"lr": 0.005, "betas": (0.9, 0.999)}), loss=Trace_ELBO())
losses = [svi.step(data) for _ in range(60)]
print("beta", round(sum(losses), 2), round(pyro.param("a").item(), 3), round(pyro.param("b").item(), 3))
pyro.clear_param_store()
x = torch.randn(40, 2); y = x @ torch.tensor([1.0, -2.0]) + 0.5
def regression(x, y=None):
    w = pyro.sample("w", dist.Normal(0.0, 1.0).expand([2]).to_event(1)); b = pyro.sample("b", dist.Normal(0.0, 10.0)); s = pyro.sample("s", dist.Gamma(2.0, 2.0))
    with pyro.plate("n", len(x)):
        return pyro.sample("y", dist.Normal(x @ w + b, s), obs=y)
auto = AutoDiagonalNormal(regression)
svi = SVI(regression, auto, pyro.optim.ClippedAdam({"lr": 0.03}), Trace_ELBO())
losses = [svi.step(x, y) for _ in range(100)]
print("auto", round(losses[-1], 2), [round(v, 3) for v in auto.median()["w"].tolist()])
print(round(Predictive(regression, guide=auto, num_samples=20)(x[:3])["y"].mean().item(), 3))
pyro.clear_param_store()
pts = torch.cat([torch.randn(20) - 3, torch.randn(20) + 3])
@config_enumerate
def mixture(pts):
    weights = pyro.sample("weights", dist.Dirichlet(0.5 * torch.ones(2)))
    with pyro.plate("c", 2):
        locs = pyro.sample("locs", dist.Normal(0.0, 10.0))
    scale = pyro.sample("scale", dist.LogNormal(0.0, 2.0))
    with pyro.plate("p", len(pts)):
        pyro.sample("o", dist.Normal(locs[pyro.sample("k", dist.Categorical(weights))], scale), obs=pts)
from pyro import poutine
auto = AutoDelta(poutine.block(mixture, expose=["weights", "locs", "scale"]))
svi = SVI(mixture, auto, pyro.optim.Adam({"lr": 0.1}), TraceEnum_ELBO(max_plate_nesting=1))
for _ in range(60): loss = svi.step(pts)
print("mixture", round(loss, 2), auto(pts)["locs"].sort().values)
mcmc = MCMC(NUTS(regression, jit_compile=False), num_samples=10, warmup_steps=10, disable_progbar=True)
mcmc.run(x, y)
print("nuts", mcmc.get_samples()["w"].shape)
