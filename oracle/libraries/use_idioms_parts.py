"""Graph attention by scatters, SimCLR, VQ-VAE, a mixture of experts, LoRA as a parametrization."""
import torch, torch.nn as nn, torch.nn.functional as F
import torch.nn.utils.parametrize as parametrize

torch.manual_seed(2)
N, E = 30, 120
ei = torch.randint(0, N, (2, E))
ei = torch.cat([ei, torch.arange(N).repeat(2, 1)], 1)
x = torch.randn(N, 8)
y = torch.randint(0, 3, (N,))


def scatter_softmax(s, idx, n):
    m = torch.full((n, s.size(1)), float("-inf")).scatter_reduce(0, idx[:, None].expand_as(s), s, "amax", include_self=True)
    e = (s - m[idx]).exp()
    z = torch.zeros(n, s.size(1)).index_add(0, idx, e)
    return e / (z[idx] + 1e-16)


class GAT(nn.Module):
    def __init__(s, i, o, h=4):
        super().__init__()
        s.h, s.o = h, o
        s.w = nn.Linear(i, h * o, bias=False)
        s.al, s.ar = nn.Parameter(torch.empty(1, h, o)), nn.Parameter(torch.empty(1, h, o))
        nn.init.xavier_normal_(s.al, gain=1.414)
        nn.init.xavier_normal_(s.ar, gain=1.414)

    def forward(s, x, ei):
        src, dst = ei
        z = s.w(x).view(-1, s.h, s.o)
        e = F.leaky_relu((z * s.al).sum(-1)[src] + (z * s.ar).sum(-1)[dst], 0.2)
        a = F.dropout(scatter_softmax(e, dst, x.size(0)), 0.2, s.training)
        out = torch.zeros_like(z).scatter_add_(0, dst[:, None, None].expand(-1, s.h, s.o), z[src] * a[..., None])
        return F.elu(out.flatten(1))


net = nn.ModuleList([GAT(8, 8), GAT(32, 3, 1)])
opt = torch.optim.Adagrad(net.parameters(), 0.05)
for i in range(10):
    h = net[1](net[0](x, ei), ei)
    l = F.nll_loss(h.log_softmax(1), y)
    opt.zero_grad()
    l.backward()
    opt.step()
print(f"gat {l:.4f} {(h.argmax(1) == y).float().mean():.3f}")
deg = torch.bincount(ei[1], minlength=N).clamp(min=1).unsqueeze(1)
agg = torch.zeros(N, 8).index_add_(0, ei[1], x[ei[0]]) / deg
print(f"sage {agg.norm():.4f} {torch.segment_reduce(x, 'mean', lengths=torch.tensor([10, 20])).norm():.4f}")


# NT-Xent
def ntxent(a, b, t=0.5):
    z = F.normalize(torch.cat([a, b]), dim=1)
    sim = z @ z.T / t
    n = len(a)
    sim.fill_diagonal_(float("-inf"))
    tgt = torch.cat([torch.arange(n) + n, torch.arange(n)])
    return F.cross_entropy(sim, tgt)


p = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(inplace=True), nn.Linear(16, 8))
o = torch.optim.SGD(p.parameters(), 0.5, momentum=0.9, nesterov=True)
for i in range(10):
    l = ntxent(p(x + 0.1 * torch.randn_like(x)), p(x + 0.1 * torch.randn_like(x)))
    o.zero_grad()
    l.backward()
    o.step()
print(f"simclr {l:.4f}")


class VQ(nn.Module):
    def __init__(s, k, d):
        super().__init__()
        s.e = nn.Embedding(k, d)
        s.e.weight.data.uniform_(-1 / k, 1 / k)
        s.register_buffer("count", torch.zeros(k), persistent=False)

    def forward(s, z):
        d = torch.cdist(z, s.e.weight) ** 2
        i = d.argmin(1)
        q = s.e(i)
        s.count += F.one_hot(i, s.e.num_embeddings).sum(0)
        loss = F.mse_loss(q.detach(), z) * 0.25 + F.mse_loss(q, z.detach())
        pr = s.count / s.count.sum()
        perp = torch.exp(-torch.sum(pr * torch.log(pr + 1e-10)))
        return z + (q - z).detach(), loss, perp


vq = VQ(16, 4)
en, de = nn.Linear(8, 4), nn.Linear(4, 8)
o = torch.optim.NAdam([*vq.parameters(), *en.parameters(), *de.parameters()], 1e-2)
for i in range(20):
    q, l, perp = vq(en(x))
    L = F.mse_loss(de(q), x) + l
    o.zero_grad()
    L.backward()
    o.step()
print(f"vq {L:.4f} {perp:.3f}", list(vq.state_dict()))


class MoE(nn.Module):
    def __init__(s, d=8, n=4, k=2):
        super().__init__()
        s.g = nn.Linear(d, n)
        s.ex = nn.ModuleList(nn.Sequential(nn.Linear(d, 16), nn.GELU(), nn.Linear(16, d)) for _ in range(n))
        s.k = k

    def forward(s, x):
        w, i = s.g(x).softmax(-1).topk(s.k, -1)
        w = w / w.sum(-1, keepdim=True)
        out = torch.zeros_like(x)
        for j, ex in enumerate(s.ex):
            tok, slot = torch.where(i == j)
            if tok.numel():
                out.index_add_(0, tok, ex(x[tok]) * w[tok, slot, None])
        return out


m = MoE()
o = torch.optim.RAdam(m.parameters(), 1e-2)
for i in range(15):
    l = F.huber_loss(m(x), x.flip(1))
    o.zero_grad()
    l.backward()
    o.step()
print(f"moe {l:.4f}")


class LoRA(nn.Module):
    def __init__(s, w, r=2):
        super().__init__()
        s.a = nn.Parameter(torch.randn(r, w.shape[1]) * 0.1)
        s.b = nn.Parameter(torch.zeros(w.shape[0], r))

    def forward(s, w):
        return w + s.b @ s.a


lin = nn.Linear(8, 3)
parametrize.register_parametrization(lin, "weight", LoRA(lin.weight))
lin.parametrizations.weight.original.requires_grad_(False)
o = torch.optim.Adamax([p for p in lin.parameters() if p.requires_grad], 0.05)
for i in range(10):
    l = F.cross_entropy(lin(x), y)
    o.zero_grad()
    l.backward()
    o.step()
print(f"lora {l:.4f}", [n for n, p in lin.named_parameters() if p.requires_grad], parametrize.is_parametrized(lin))
with parametrize.cached():
    print(lin.weight is lin.weight)
parametrize.remove_parametrizations(lin, "weight")
print(lin, type(lin.weight).__name__, lin.state_dict().keys())
