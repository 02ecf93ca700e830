"""A vision transformer with mixup, distillation by hooks, metrics, losses of metric learning."""
import torch, torch.nn as nn, torch.nn.functional as F

torch.manual_seed(0)


# ViT + EMA + warmup cosine, timm-like
class Patch(nn.Module):
    def __init__(s, img=16, p=4, d=32):
        super().__init__()
        s.proj = nn.Conv2d(3, d, p, p)
        s.n = (img // p) ** 2

    def forward(s, x):
        return s.proj(x).flatten(2).transpose(1, 2)


class Attn(nn.Module):
    def __init__(s, d, h=4):
        super().__init__()
        s.h = h
        s.scale = (d // h) ** -0.5
        s.qkv = nn.Linear(d, d * 3)
        s.proj = nn.Linear(d, d)
        s.drop = nn.Dropout(0.1)

    def forward(s, x):
        B, N, C = x.shape
        q, k, v = s.qkv(x).reshape(B, N, 3, s.h, C // s.h).permute(2, 0, 3, 1, 4).unbind(0)
        a = s.drop(((q * s.scale) @ k.transpose(-2, -1)).softmax(dim=-1))
        return s.proj((a @ v).transpose(1, 2).reshape(B, N, C))


def drop_path(x, p, training):
    if p == 0.0 or not training:
        return x
    keep = 1 - p
    r = x.new_empty((x.shape[0],) + (1,) * (x.ndim - 1)).bernoulli_(keep)
    r.div_(keep)
    return x * r


class Blk(nn.Module):
    def __init__(s, d, dp):
        super().__init__()
        s.n1, s.n2 = nn.LayerNorm(d, eps=1e-6), nn.LayerNorm(d, eps=1e-6)
        s.a = Attn(d)
        s.m = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(approximate="tanh"), nn.Linear(2 * d, d))
        s.g = nn.Parameter(1e-1 * torch.ones(d))
        s.dp = dp

    def forward(s, x):
        x = x + drop_path(s.g * s.a(s.n1(x)), s.dp, s.training)
        return x + drop_path(s.m(s.n2(x)), s.dp, s.training)


class ViT(nn.Module):
    def __init__(s, d=32, depth=3, n=5):
        super().__init__()
        s.patch = Patch(d=d)
        s.cls = nn.Parameter(torch.zeros(1, 1, d))
        s.pos = nn.Parameter(torch.zeros(1, s.patch.n + 1, d))
        dpr = [x.item() for x in torch.linspace(0, 0.2, depth)]
        s.blocks = nn.Sequential(*[Blk(d, dpr[i]) for i in range(depth)])
        s.norm = nn.LayerNorm(d)
        s.head = nn.Linear(d, n)
        nn.init.trunc_normal_(s.pos, std=0.02)
        nn.init.trunc_normal_(s.cls, std=0.02)
        s.apply(s._init)

    @torch.no_grad()
    def _init(s, m):
        if isinstance(m, nn.Linear):
            nn.init.trunc_normal_(m.weight, std=0.02)
            nn.init.constant_(m.bias, 0) if m.bias is not None else None

    def forward(s, x):
        x = s.patch(x)
        x = torch.cat((s.cls.expand(x.shape[0], -1, -1), x), 1) + s.pos
        return s.head(s.norm(s.blocks(x))[:, 0])


net = ViT()
opt = torch.optim.AdamW(net.parameters(), 1e-3, weight_decay=0.05)
sch = torch.optim.lr_scheduler.LambdaLR(opt, lambda i: min((i + 1) / 3, 0.5 * (1 + __import__("math").cos(i / 10 * 3.14159))))
X, Y = torch.randn(32, 3, 16, 16), torch.randint(0, 5, (32,))


def mixup(x, y, a=0.4):
    lam = torch.distributions.Beta(a, a).sample().item()
    i = torch.randperm(len(x))
    return lam * x + (1 - lam) * x[i], lam * F.one_hot(y, 5).float() + (1 - lam) * F.one_hot(y[i], 5).float()


for i in range(10):
    x, y = mixup(X, Y)
    l = torch.sum(-y * F.log_softmax(net(x), -1), -1).mean()
    opt.zero_grad()
    l.backward()
    opt.step()
    sch.step()
print(f"{l.item():.4f}")
net.eval()
print((net(X).argmax(-1) == Y).sum().item(), [tuple(p.shape) for p in net.parameters()][:4])
# distillation with hooks
teacher, student = ViT(d=32).eval(), ViT(d=16, depth=1)
feats = {}
teacher.norm.register_forward_hook(lambda m, i, o: feats.__setitem__("t", o))
student.norm.register_forward_hook(lambda m, i, o: feats.__setitem__("s", o))
ad = nn.Linear(16, 32)
o = torch.optim.Adam([{"params": student.parameters()}, {"params": ad.parameters(), "lr": 1e-2}], lr=1e-3)
for i in range(4):
    with torch.no_grad():
        t = teacher(X)
    s = student(X)
    T = 4.0
    kd = F.kl_div(F.log_softmax(s / T, 1), F.softmax(t / T, 1), reduction="batchmean") * T * T
    ft = F.mse_loss(ad(feats["s"]), feats["t"].detach())
    l = F.cross_entropy(s, Y, label_smoothing=0.1) + kd + 0.1 * ft
    o.zero_grad()
    l.backward()
    o.step()
print(l, f"{kd:.4f} {ft:.4f}")
print(o)
# metric: confusion, topk accuracy, ece, iou
lg = torch.randn(50, 5)
y = torch.randint(0, 5, (50,))
cm = torch.bincount(y * 5 + lg.argmax(1), minlength=25).view(5, 5)
print(cm, cm.diag() / cm.sum(1))
_, p = lg.topk(3, 1, True, True)
c = p.t().eq(y.view(1, -1).expand_as(p.t()))
print([c[:k].reshape(-1).float().sum(0, keepdim=True).mul_(100 / 50) for k in (1, 3)])
conf, pred = lg.softmax(1).max(1)
b = torch.bucketize(conf, torch.linspace(0, 1, 11))
print(b.bincount(minlength=11))
bx = torch.rand(4, 2)
bx = torch.cat([bx, bx + torch.rand(4, 2)], 1)
lt = torch.max(bx[:, None, :2], bx[:, :2])
rb = torch.min(bx[:, None, 2:], bx[:, 2:])
inter = (rb - lt).clamp(min=0).prod(2)
ar = (bx[:, 2:] - bx[:, :2]).prod(1)
print(inter / (ar[:, None] + ar - inter))


# focal, dice, triplet, arcface, contrastive
def focal(l, y, g=2.0):
    ce = F.cross_entropy(l, y, reduction="none")
    return ((1 - torch.exp(-ce)) ** g * ce).mean()


w = nn.Parameter(torch.randn(5, 8))
e = torch.randn(50, 8, requires_grad=True)
cos = F.linear(F.normalize(e), F.normalize(w))
th = torch.acos(cos.clamp(-1 + 1e-7, 1 - 1e-7))
arc = torch.where(F.one_hot(y, 5).bool(), torch.cos(th + 0.5), cos) * 30
print(
    focal(lg, y),
    F.cross_entropy(arc, y),
    F.triplet_margin_loss(e[:10], e[10:20], e[20:30]),
    F.cosine_embedding_loss(e[:10], e[10:20], torch.ones(10)),
    F.margin_ranking_loss(e[:, 0], e[:, 1], torch.ones(50)),
    F.multilabel_soft_margin_loss(lg, (lg > 0).float()),
    F.gaussian_nll_loss(lg, lg * 2, lg.exp()),
    F.poisson_nll_loss(lg, y[:, None].float().expand(-1, 5)),
    F.kl_div(lg.log_softmax(1), lg.flip(0).softmax(1), reduction="sum"),
    F.hinge_embedding_loss(lg, lg.sign()),
    sep="\n",
)
