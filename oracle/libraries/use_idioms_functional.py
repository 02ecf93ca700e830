"""WGAN-GP, MAML, per-sample gradients, ensembles, Jacobians, averaged weights."""
import torch, torch.nn as nn, torch.nn.functional as F, copy, math
from torch.func import functional_call, grad, vmap, jacrev, jacfwd, hessian, stack_module_state, vjp, jvp

torch.manual_seed(0)
# WGAN-GP
G = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(0.2), nn.Linear(16, 2))
C = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
og, oc = torch.optim.Adam(G.parameters(), 1e-3, betas=(0.0, 0.9)), torch.optim.Adam(C.parameters(), 1e-3, betas=(0.0, 0.9))
for i in range(5):
    real = torch.randn(32, 2) + 2
    fake = G(torch.randn(32, 4)).detach()
    a = torch.rand(32, 1)
    xi = (a * real + (1 - a) * fake).requires_grad_(True)
    g = torch.autograd.grad(C(xi).sum(), xi, create_graph=True)[0]
    gp = ((g.norm(2, dim=1) - 1) ** 2).mean()
    lc = C(fake).mean() - C(real).mean() + 10 * gp
    oc.zero_grad()
    lc.backward()
    oc.step()
    lg = -C(G(torch.randn(32, 4))).mean()
    og.zero_grad()
    lg.backward()
    og.step()
print(f"{lc:.4f} {gp:.4f} {lg:.4f}")
# MAML
net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
meta = torch.optim.Adam(net.parameters(), 1e-2)
for it in range(5):
    tot = 0
    for task in range(3):
        ph, am = torch.rand(()) * math.pi, torch.rand(()) * 5

        def f(x):
            return am * torch.sin(x + ph)

        p = dict(net.named_parameters())
        x = torch.rand(10, 1) * 10 - 5
        l = F.mse_loss(functional_call(net, p, (x,)), f(x))
        gs = torch.autograd.grad(l, p.values(), create_graph=True)
        p = {k: v - 0.01 * g for (k, v), g in zip(p.items(), gs)}
        x = torch.rand(10, 1) * 10 - 5
        tot = tot + F.mse_loss(functional_call(net, p, (x,)), f(x))
    meta.zero_grad()
    tot.backward()
    meta.step()
print(f"maml {tot:.4f}")
# per-sample grads, ensembles, jacobians
x = torch.randn(6, 1)
y = torch.randn(6, 1)
prm = {k: v.detach() for k, v in net.named_parameters()}


def lossf(p, x, y):
    return F.mse_loss(functional_call(net, p, (x[None],)), y[None])


ps = vmap(grad(lossf), in_dims=(None, 0, 0))(prm, x, y)
print({k: tuple(v.shape) for k, v in ps.items()}, f"{ps['0.weight'].norm():.4f}")
models = [nn.Linear(3, 2) for _ in range(4)]
params, bufs = stack_module_state(models)
base = copy.deepcopy(models[0]).to("meta")
out = vmap(lambda p, b, x: functional_call(base, (p, b), (x,)), in_dims=(0, 0, None))(params, bufs, torch.ones(5, 3))
print(out.shape, f"{out.sum():.4f}")


def f(x):
    return (x**3).sum() + x.prod()


v = torch.tensor([1.0, 2.0, 3.0])
print(hessian(f)(v))
print(jacrev(torch.sin)(v).diag(), jacfwd(lambda x: x.outer(x).sum(1))(v))
o, fn = vjp(torch.tanh, v)
print(o, fn(torch.ones(3))[0])
print(jvp(torch.exp, (v,), (torch.ones(3),))[1])
# SWA
from torch.optim.swa_utils import AveragedModel, SWALR, update_bn, get_ema_multi_avg_fn

m = nn.Sequential(nn.Linear(2, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 2))
opt = torch.optim.SGD(m.parameters(), 0.1, momentum=0.9)
sw = AveragedModel(m)
em = AveragedModel(m, multi_avg_fn=get_ema_multi_avg_fn(0.9), use_buffers=True)
s1 = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 5)
s2 = SWALR(opt, swa_lr=0.05, anneal_epochs=2)
X, Y = torch.randn(64, 2), torch.randint(0, 2, (64,))
dl = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(X, Y), 16, shuffle=True)
for e in range(8):
    for a, b in dl:
        l = F.cross_entropy(m(a), b)
        opt.zero_grad()
        l.backward()
        opt.step()
        em.update_parameters(m)
    if e >= 4:
        sw.update_parameters(m)
        s2.step()
    else:
        s1.step()
update_bn(dl, sw)
print(
    f"{F.cross_entropy(sw(X), Y):.4f} {F.cross_entropy(em.eval()(X), Y):.4f} {sw.n_averaged}",
    f"{opt.param_groups[0]['lr']:.4f} {opt.param_groups[0]['swa_lr']}",
)
print(list(sw.state_dict())[:3])
