"""RealNVP, distributions, CTC, a decoder with a cache, nucleus sampling, rotary embeddings."""
import torch, torch.nn as nn, torch.nn.functional as F, math
import torch.distributions as D

torch.manual_seed(0)


# RealNVP + transforms
class Coup(nn.Module):
    def __init__(s, f):
        super().__init__()
        s.f = f
        s.n = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 2))

    def forward(s, x):
        a, b = (x[:, :1], x[:, 1:]) if not s.f else (x[:, 1:], x[:, :1])
        ls, t = s.n(a).chunk(2, 1)
        ls = ls.tanh()
        b = b * ls.exp() + t
        return torch.cat((a, b) if not s.f else (b, a), 1), ls.sum(1)


fl = nn.ModuleList([Coup(i % 2) for i in range(4)])
base = D.MultivariateNormal(torch.zeros(2), torch.eye(2))
o = torch.optim.Adam(fl.parameters(), 1e-2)
for i in range(20):
    x = torch.randn(64, 2)
    x = torch.stack([x[:, 0], x[:, 1] * 0.5 + x[:, 0] ** 2], 1)
    ld = 0
    for c in fl:
        x, l = c(x)
        ld = ld + l
    loss = -(base.log_prob(x) + ld).mean()
    o.zero_grad()
    loss.backward()
    o.step()
print(f"{loss:.4f}")
# REINFORCE / PPO pieces
net = nn.Linear(4, 3)
s = torch.randn(10, 4)
d = D.Categorical(logits=net(s))
a = d.sample()
print(a.tolist(), f"{d.log_prob(a).mean():.4f} {d.entropy().mean():.4f}")
adv = torch.randn(10)
ratio = (d.log_prob(a) - d.log_prob(a).detach()).exp()
pl = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
pl.backward()
print(f"{net.weight.grad.norm():.4f}")
n = D.Independent(D.Normal(torch.zeros(3, 2), torch.ones(2)), 1)
print(n, n.log_prob(torch.zeros(3, 2)), D.kl_divergence(D.Normal(0.0, 1.0), D.Normal(1.0, 2.0)))
t = D.TransformedDistribution(D.Normal(0.0, 1.0), [D.transforms.TanhTransform(), D.transforms.AffineTransform(1.0, 2.0)])
v = t.rsample((3,))
print(v, t.log_prob(v))
mix = D.MixtureSameFamily(D.Categorical(torch.ones(3)), D.Normal(torch.arange(3.0), 0.5))
print(mix.log_prob(torch.tensor(1.0)), mix.sample((2,)))
print(
    D.Beta(2.0, 3.0).rsample((2,)),
    D.Dirichlet(torch.ones(3)).sample(),
    D.Gamma(2.0, 1.0).sample((2,)),
    D.Bernoulli(0.3).sample((5,)),
    D.Laplace(0.0, 1.0).sample(),
    D.StudentT(3.0).sample(),
    D.OneHotCategorical(torch.ones(4)).sample(),
    D.RelaxedOneHotCategorical(torch.tensor(0.5), torch.ones(3)).rsample(),
    D.VonMises(0.0, 1.0).sample((2,)),
    D.Poisson(3.0).sample((3,)),
    D.LowRankMultivariateNormal(torch.zeros(2), torch.ones(2, 1), torch.ones(2)).sample(),
    sep="\n",
)
try:
    D.Normal(0.0, -1.0)
except ValueError as e:
    print(e)
try:
    D.Categorical(torch.tensor([-1.0, 2.0]))
except ValueError as e:
    print(e)
# CTC, transformer decoder with cache, masks
lp = torch.randn(12, 2, 5).log_softmax(2).requires_grad_()
tg = torch.tensor([[1, 2, 2], [3, 1, 0]])
l = F.ctc_loss(lp, tg, (12, 10), (3, 2), blank=0, zero_infinity=True)
l.backward()
print(f"{l:.4f} {lp.grad.norm():.4f}")
dec = nn.TransformerDecoder(nn.TransformerDecoderLayer(16, 4, 32, 0.0, batch_first=True, norm_first=True, activation="gelu"), 2, nn.LayerNorm(16))
mem = torch.randn(2, 5, 16)
tg = torch.randn(2, 4, 16)
cm = nn.Transformer.generate_square_subsequent_mask(4)
print(f"{dec(tg, mem, tgt_mask=cm, tgt_is_causal=True, memory_key_padding_mask=torch.tensor([[False] * 5, [False] * 3 + [True] * 2])).sum():.4f}")


class KV(nn.Module):
    def __init__(s):
        super().__init__()
        s.q, s.k, s.v = (nn.Linear(16, 16) for _ in range(3))
        s.reset()

    def reset(s):
        s.c = None

    def forward(s, x):
        def sp(t):
            return t.unflatten(-1, (4, 4)).transpose(1, 2)

        q, k, v = sp(s.q(x)), sp(s.k(x)), sp(s.v(x))
        if s.c:
            k, v = torch.cat([s.c[0], k], 2), torch.cat([s.c[1], v], 2)
        s.c = (k, v)
        return F.scaled_dot_product_attention(q, k, v, is_causal=x.size(1) > 1).transpose(1, 2).flatten(2)


kv = KV().eval()
with torch.inference_mode():
    full = kv(mem)
    kv.reset()
    inc = torch.cat([kv(mem[:, i : i + 1]) for i in range(5)], 1)
    print(torch.allclose(full, inc, atol=1e-5))
# top-k / nucleus sampling
lg = torch.randn(3, 10)
v, i = lg.topk(4)
lg2 = lg.masked_fill(lg < v[:, -1:], -float("inf"))
sl, si = lg2.sort(descending=True)
cp = sl.softmax(-1).cumsum(-1)
rm = cp > 0.8
rm[..., 1:] = rm[..., :-1].clone()
rm[..., 0] = 0
lg2[rm.scatter(1, si, rm)] = -float("inf")
print(torch.multinomial(lg2.softmax(-1), 2, replacement=True))


# rope, alibi, rms
def rope(x, th=1e4):
    d = x.shape[-1]
    f = 1 / th ** (torch.arange(0, d, 2) / d)
    a = torch.outer(torch.arange(x.shape[-2]), f)
    c, s = a.cos().repeat_interleave(2, -1), a.sin().repeat_interleave(2, -1)
    r = torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2)
    return x * c + r * s


print(f"{rope(torch.randn(2, 4, 6, 8)).norm():.4f} {nn.RMSNorm(8)(torch.randn(2, 8)).norm():.4f}")
