# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch, warnings

warnings.filterwarnings("ignore")
torch.manual_seed(0)
from pytorch_metric_learning import losses, miners

e = torch.randn(16, 8, requires_grad=True)
y = torch.arange(16) % 4
l = losses.TripletMarginLoss()(e, y, miners.BatchHardMiner()(e, y))
l.backward()
print("metric", round(l.item(), 4))
import torch_optimizer

p = torch.nn.Parameter(torch.ones(3))
for n in ("RAdam", "Lamb", "Yogi", "DiffGrad", "AdaBelief", "SWATS"):
    o = getattr(torch_optimizer, n)([p])
    (p**2).sum().backward()
    o.step()
    o.zero_grad()
print("opt", [round(v, 4) for v in p.tolist()])
from torchinfo import summary

print(
    str(
        summary(torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(144, 2)), (1, 1, 8, 8), verbose=0)
    ).count("\n")
)
import higher

m = torch.nn.Linear(2, 1)
o = torch.optim.SGD(m.parameters(), 0.1)
with higher.innerloop_ctx(m, o) as (f, d):
    for _ in range(2):
        d.step(f(torch.ones(4, 2)).square().mean())
    g = torch.autograd.grad(f(torch.ones(1, 2)).sum(), list(f.parameters(time=0)))
    print("higher", [round(v.abs().sum().item(), 4) for v in g])
from pytorch_msssim import ssim

x = torch.rand(1, 3, 32, 32)
print("ssim", round(ssim(x, x * 0.9, data_range=1).item(), 4))
from entmax import sparsemax, entmax15

print(
    "entmax",
    [round(v, 3) for v in sparsemax(torch.tensor([1.0, 2.0, 0.1]), dim=0).tolist()],
    [round(v, 3) for v in entmax15(torch.tensor([1.0, 2.0, 0.1]), dim=0).tolist()],
)
from local_attention import LocalAttention

print(LocalAttention(dim=8, window_size=4, causal=True)(*[torch.randn(1, 2, 8, 8) for _ in range(3)]).shape)
import schedulefree

o = schedulefree.AdamWScheduleFree([p])
o.train()
(p**2).sum().backward()
o.step()
o.eval()
print("sf", [round(v, 4) for v in p.tolist()])
