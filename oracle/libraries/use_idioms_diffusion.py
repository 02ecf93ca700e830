"""A DDPM: a small U-Net with time embeddings, an average of the weights, cosine noise, sampling."""
import math, copy, torch, torch.nn as nn, torch.nn.functional as F

torch.manual_seed(0)


class SinusoidalPosEmb(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, t):
        half = self.dim // 2
        emb = torch.exp(torch.arange(half, device=t.device) * -(math.log(10000) / (half - 1)))
        emb = t[:, None] * emb[None, :]
        return torch.cat((emb.sin(), emb.cos()), dim=-1)


class Block(nn.Module):
    def __init__(self, i, o, t):
        super().__init__()
        self.net = nn.Sequential(nn.GroupNorm(4, i), nn.SiLU(), nn.Conv2d(i, o, 3, padding=1))
        self.time = nn.Sequential(nn.SiLU(), nn.Linear(t, o * 2))
        self.res = nn.Conv2d(i, o, 1) if i != o else nn.Identity()
        self.out = nn.Sequential(nn.GroupNorm(4, o), nn.SiLU(), nn.Dropout(0.1), nn.Conv2d(o, o, 3, padding=1))

    def forward(self, x, t):
        h = self.net(x)
        scale, shift = self.time(t)[..., None, None].chunk(2, dim=1)
        h = h * (scale + 1) + shift
        return self.out(h) + self.res(x)


class UNet(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.temb = nn.Sequential(SinusoidalPosEmb(16), nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 32))
        self.inc = nn.Conv2d(1, c, 7, padding=3)
        self.downs = nn.ModuleList([Block(c, c * 2, 32), Block(c * 2, c * 4, 32)])
        self.pool = nn.ModuleList([nn.Conv2d(c * 2, c * 2, 4, 2, 1), nn.Conv2d(c * 4, c * 4, 4, 2, 1)])
        self.mid = Block(c * 4, c * 4, 32)
        self.attn = nn.MultiheadAttention(c * 4, 4, batch_first=True)
        self.ups = nn.ModuleList([nn.ConvTranspose2d(c * 4, c * 4, 4, 2, 1), nn.Upsample(scale_factor=2, mode="nearest")])
        self.upb = nn.ModuleList([Block(c * 8, c * 2, 32), Block(c * 4, c, 32)])
        self.outc = nn.Conv2d(c, 1, 1)

    def forward(self, x, t):
        t = self.temb(t)
        x = self.inc(x)
        skips = []
        for b, p in zip(self.downs, self.pool):
            x = b(x, t)
            skips.append(x)
            x = p(x)
        x = self.mid(x, t)
        b, c, h, w = x.shape
        y = x.flatten(2).transpose(1, 2)
        x = x + self.attn(y, y, y, need_weights=False)[0].transpose(1, 2).reshape(b, c, h, w)
        for u, blk in zip(self.ups, self.upb):
            x = torch.cat((u(x), skips.pop()), dim=1)
            x = blk(x, t)
        return self.outc(x)


def cosine_beta_schedule(T, s=0.008):
    x = torch.linspace(0, T, T + 1, dtype=torch.float64)
    ac = torch.cos(((x / T) + s) / (1 + s) * math.pi * 0.5) ** 2
    ac = ac / ac[0]
    return torch.clip(1 - (ac[1:] / ac[:-1]), 0, 0.999)


T = 20
betas = cosine_beta_schedule(T)
alphas = 1.0 - betas
ac = torch.cumprod(alphas, 0)
acp = F.pad(ac[:-1], (1, 0), value=1.0)


class D(nn.Module):
    def __init__(self, m):
        super().__init__()
        self.m = m

        def reg(n, v):
            return self.register_buffer(n, v.to(torch.float32))

        reg("betas", betas)
        reg("sac", ac.sqrt())
        reg("s1", (1 - ac).sqrt())
        reg("rra", (1 / alphas).sqrt())
        reg("post", betas * (1 - acp) / (1 - ac))

    def extract(self, a, t, shape):
        return a.gather(-1, t).reshape(t.shape[0], *((1,) * (len(shape) - 1)))

    def loss(self, x):
        t = torch.randint(0, T, (x.shape[0],)).long()
        noise = torch.randn_like(x)
        xt = self.extract(self.sac, t, x.shape) * x + self.extract(self.s1, t, x.shape) * noise
        return F.smooth_l1_loss(self.m(xt, t), noise)

    @torch.inference_mode()
    def sample(self, n):
        x = torch.randn(n, 1, 16, 16)
        for i in reversed(range(T)):
            t = torch.full((n,), i, dtype=torch.long)
            mean = self.extract(self.rra, t, x.shape) * (x - self.extract(self.betas, t, x.shape) * self.m(x, t) / self.extract(self.s1, t, x.shape))
            x = mean if i == 0 else mean + self.extract(self.post, t, x.shape).sqrt() * torch.randn_like(x)
        return x.clamp(-1, 1)


class EMA:
    def __init__(self, m, d=0.9):
        self.m = copy.deepcopy(m).eval().requires_grad_(False)
        self.d = d

    @torch.no_grad()
    def update(self, m):
        for a, b in zip(self.m.parameters(), m.parameters()):
            a.lerp_(b, 1 - self.d)
        for a, b in zip(self.m.buffers(), m.buffers()):
            a.copy_(b)


net = D(UNet())
ema = EMA(net)
print(sum(p.numel() for p in net.parameters()), len(list(net.buffers())))
opt = torch.optim.AdamW(net.parameters(), 2e-3)
sch = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 8)
data = torch.zeros(16, 1, 16, 16)
data[:, :, 4:12, 4:12] = 1
for i in range(8):
    opt.zero_grad(set_to_none=True)
    l = net.loss(data * 2 - 1)
    l.backward()
    n = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    sch.step()
    ema.update(net)
    print(f"{i} {l.item():.4f} {n.item():.3f} {sch.get_last_lr()[0]:.2e}")
net.eval()
s = ema.m.sample(2)
print(s.shape, f"{s.mean():.3f} {s.std():.3f}", s.is_inference())
print(net.m.downs[0])
