"""Custom functions, DQN, pruning, hooks, parametrizations."""
import torch, torch.nn as nn, torch.nn.functional as F, collections, random, warnings

torch.manual_seed(0)
random.seed(0)


# custom functions
class STE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, bits):
        s = x.abs().max() / (2 ** (bits - 1) - 1)
        ctx.mark_non_differentiable(s)
        ctx.save_for_backward(x, s)
        return (x / s).round().clamp(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) * s, s

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g, _):
        x, s = ctx.saved_tensors
        assert ctx.needs_input_grad == (True, False)
        return g * (x.abs() <= 127 * s), None


x = torch.randn(5, requires_grad=True)
q, s = STE.apply(x, 8)
q.pow(2).sum().backward()
print(x.grad, s.requires_grad)
try:
    y = torch.randn(3, requires_grad=True)
    z, _ = STE.apply(y, 4)
    (g,) = torch.autograd.grad(z.sum(), y, create_graph=True)
    g.sum().backward()
except RuntimeError as e:
    print("RuntimeError", str(e)[:80])


class Swish(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * x.sigmoid()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = x.sigmoid()
        return g * s * (1 + x * (1 - s))


print(
    torch.autograd.gradcheck(Swish.apply, (torch.randn(4, dtype=torch.double, requires_grad=True),)),
    torch.func.vmap(torch.func.grad(lambda v: Swish.apply(v)))(torch.arange(3.0)),
)
# DQN
Tr = collections.namedtuple("Tr", "s a ns r")


class Mem:
    def __init__(s, n):
        s.m = collections.deque([], maxlen=n)

    def push(s, *a):
        s.m.append(Tr(*a))

    def sample(s, n):
        return random.sample(s.m, n)


pol, tgt = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2)), nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
tgt.load_state_dict(pol.state_dict())
opt = torch.optim.AdamW(pol.parameters(), lr=1e-3, amsgrad=True)
mem = Mem(200)
s = torch.zeros(1, 4)
for i in range(120):
    with torch.no_grad():
        a = pol(s).max(1).indices.view(1, 1) if random.random() > 0.3 else torch.tensor([[random.randrange(2)]])
    ns = None if i % 17 == 16 else s + 0.1 * torch.randn(1, 4) + (a.item() - 0.5) * 0.1
    mem.push(s, a, ns, torch.tensor([-(ns.norm().item()) if ns is not None else -5.0]))
    s = torch.zeros(1, 4) if ns is None else ns
    if len(mem.m) < 32:
        continue
    b = Tr(*zip(*mem.sample(32)))
    nf = torch.tensor(tuple(map(lambda s: s is not None, b.ns)), dtype=torch.bool)
    nfs = torch.cat([s for s in b.ns if s is not None])
    qa = pol(torch.cat(b.s)).gather(1, torch.cat(b.a))
    nv = torch.zeros(32)
    with torch.no_grad():
        nv[nf] = tgt(nfs).max(1).values
    l = nn.SmoothL1Loss()(qa, (nv * 0.99 + torch.cat(b.r)).unsqueeze(1))
    opt.zero_grad()
    l.backward()
    torch.nn.utils.clip_grad_value_(pol.parameters(), 100)
    opt.step()
    sd, td = pol.state_dict(), tgt.state_dict()
    for k in sd:
        td[k] = sd[k] * 0.005 + td[k] * 0.995
    tgt.load_state_dict(td)
print(f"dqn {l:.4f}")
# pruning
import torch.nn.utils.prune as prune

m = nn.Sequential(nn.Linear(6, 4), nn.ReLU(), nn.Linear(4, 2))
prune.l1_unstructured(m[0], "weight", 0.3)
prune.random_unstructured(m[2], name="weight", amount=2)
prune.ln_structured(m[0], "weight", amount=1, n=2, dim=0)
print([n for n, _ in m.named_parameters()], [n for n, _ in m.named_buffers()], (m[0].weight == 0).sum().item())
print(m[0]._forward_pre_hooks.values().__len__())
prune.global_unstructured([(m[0], "weight"), (m[2], "weight")], pruning_method=prune.L1Unstructured, amount=0.2)
prune.remove(m[0], "weight")
print(prune.is_pruned(m), (m[0].weight == 0).float().mean().item())
# hooks
acts = {}


def hook(name):
    def f(mod, i, o):
        acts[name] = (o.detach().mean().item(), tuple(o.shape))

    return f


hs = [mod.register_forward_hook(hook(n)) for n, mod in m.named_modules() if isinstance(mod, nn.Linear)]
fb = m[0].register_full_backward_hook(
    lambda mod, gi, go: print("bw", [None if g is None else tuple(g.shape) for g in gi], [tuple(g.shape) for g in go])
)
m(torch.randn(3, 6)).sum().backward()
print({k: (round(v, 4), s) for k, (v, s) in acts.items()})
[h.remove() for h in hs]
fb.remove()
m.register_load_state_dict_post_hook(lambda mod, k: print("keys", k))
print(m.load_state_dict({"0.bias": torch.zeros(4), "zz": torch.ones(1)}, strict=False))
try:
    m.load_state_dict({"0.bias": torch.zeros(5), "zz": torch.ones(1)})
except RuntimeError as e:
    print(e)
w = nn.utils.parametrizations.weight_norm(nn.Linear(3, 2))
print(w, list(w.state_dict()))
sn = nn.utils.parametrizations.spectral_norm(nn.Linear(3, 2))
print(f"{torch.linalg.matrix_norm(sn.weight, 2):.2f}")
print(nn.utils.parametrizations.orthogonal(nn.Linear(3, 3)).weight.det().abs().round(decimals=4))
