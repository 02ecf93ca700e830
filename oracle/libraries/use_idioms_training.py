"""Learning-rate finder, parameter groups, autocast and scaler, data loaders of all kinds, checkpoints."""
import torch, torch.nn as nn, torch.nn.functional as F, math, warnings, os, tempfile, io, time
from torch.utils.data import *
from torch.optim.lr_scheduler import *

torch.manual_seed(0)
# LR finder
m = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
X, Y = torch.randn(128, 10), torch.randn(128, 1)
opt = torch.optim.SGD(m.parameters(), 1e-5)
sch = LambdaLR(opt, lambda i: (10 / 1e-5) ** (i / 19))
best, hist = float("inf"), []
state = {k: v.clone() for k, v in m.state_dict().items()}
for i in range(20):
    idx = torch.randperm(128)[:32]
    l = F.mse_loss(m(X[idx]), Y[idx])
    opt.zero_grad()
    l.backward()
    opt.step()
    hist.append((opt.param_groups[0]["lr"], l.item()))
    sch.step()
    if l.item() > 4 * best:
        break
    best = min(best, l.item())
print(len(hist), f"{min(hist, key=lambda t: t[1])[0]:.3e}")
m.load_state_dict(state)


# accumulation, amp, scaler, groups, warmup
def wd(m):
    d = [p for p in m.parameters() if p.dim() > 1]
    n = [p for p in m.parameters() if p.dim() <= 1]
    return [{"params": d, "weight_decay": 0.1}, {"params": n, "weight_decay": 0.0, "lr": 5e-3}]


opt = torch.optim.AdamW(wd(m), lr=1e-2)
sch = SequentialLR(opt, [LinearLR(opt, 0.1, total_iters=3), CosineAnnealingLR(opt, 7)], milestones=[3])
sc = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=2)
dl = DataLoader(TensorDataset(X, Y), batch_size=16, sampler=WeightedRandomSampler(torch.rand(128), 128), drop_last=True)
for i, (a, b) in enumerate(dl):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        o = m(a)
        l = F.mse_loss(o.float(), b) / 2
    sc.scale(l).backward()
    if (i + 1) % 2 == 0:
        sc.unscale_(opt)
        g = nn.utils.clip_grad_norm_(m.parameters(), 1.0)
        sc.step(opt)
        sc.update()
        opt.zero_grad()
        sch.step()
print(o.dtype, [f"{g['lr']:.4f}" for g in opt.param_groups], sc.get_scale())
print(opt)


# iterable dataset with workers, samplers, subset, collate
class It(IterableDataset):
    def __iter__(s):
        w = get_worker_info()
        k, n = (w.id, w.num_workers) if w else (0, 1)
        for i in range(k, 11, n):
            yield {"i": i, "x": torch.full((2,), float(i)), "s": f"s{i}"}


for nw in (0, 2):
    print([b["i"].tolist() for b in DataLoader(It(), batch_size=3, num_workers=nw)])
b = next(iter(DataLoader(It(), batch_size=2)))
print(b)
a, c, d = random_split(range(10), [0.5, 0.3, 0.2], generator=torch.Generator().manual_seed(3))
print(list(a), list(c), list(d))
print(list(BatchSampler(SubsetRandomSampler([1, 5, 7], generator=torch.Generator().manual_seed(1)), 2, False)))


def coll(b):
    xs, ys = zip(*b)
    return nn.utils.rnn.pad_sequence(xs, True, -1.0), torch.tensor(ys)


class Var(Dataset):
    def __len__(s):
        return 5

    def __getitem__(s, i):
        if i >= 5:
            raise IndexError
        return torch.arange(float(i + 1)), i


print(*DataLoader(Var(), 2, collate_fn=coll), sep="\n")
print(len(ConcatDataset([Var(), Var()])), ConcatDataset([Var(), Var()])[7])
print(default_collate([(1, 2.5, "a"), (3, 4.5, "b")]))


class Bad(Var):
    def __getitem__(s, i):
        raise ValueError(f"bad {i}")


for nw in (0, 1):
    try:
        next(iter(DataLoader(Bad(), num_workers=nw)))
    except ValueError as e:
        print(nw, type(e).__name__, str(e).strip().splitlines()[0], str(e).strip().splitlines()[-1])
# checkpoint of everything
path = os.path.join(tempfile.mkdtemp(), "c.pt")
torch.save(
    {"m": m.state_dict(), "o": opt.state_dict(), "s": sch.state_dict(), "rng": torch.get_rng_state(), "e": 3, "cfg": {"lr": 1e-2, "n": [1, 2]}}, path
)
ck = torch.load(path, weights_only=True)
m2 = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
print(m2.load_state_dict(ck["m"]))
o2 = torch.optim.AdamW(wd(m2), lr=1.0)
o2.load_state_dict(ck["o"])
print(o2.param_groups[1]["lr"], sorted(o2.state_dict()["state"][0]), ck["e"], ck["cfg"])
torch.set_rng_state(ck["rng"])
r = torch.rand(2)
torch.set_rng_state(ck["rng"])
print(torch.equal(r, torch.rand(2)))
buf = io.BytesIO()
torch.save(m2, buf)
buf.seek(0)
try:
    torch.load(buf)
except Exception as e:
    print(type(e).__name__, "Weights only load failed" in str(e))
buf.seek(0)
print(torch.load(buf, weights_only=False))
