"""Translation with attention, packed sequences, teacher forcing, beam search."""
import random, torch, torch.nn as nn, torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence, pack_sequence

torch.manual_seed(1)
random.seed(1)
PAD, SOS, EOS, V = 0, 1, 2, 12


def batch(n=16):
    src = [torch.randint(3, V, (random.randint(2, 6),)) for _ in range(n)]
    tgt = [torch.cat([torch.tensor([SOS]), s.flip(0), torch.tensor([EOS])]) for s in src]
    lens = torch.tensor([len(s) for s in src])
    return pad_sequence(src, batch_first=True, padding_value=PAD), lens, pad_sequence(tgt, batch_first=True)


class Enc(nn.Module):
    def __init__(s, h=24):
        super().__init__()
        s.e = nn.Embedding(V, 16, padding_idx=PAD)
        s.r = nn.GRU(16, h, bidirectional=True, batch_first=True)
        s.f = nn.Linear(2 * h, h)

    def forward(s, x, l):
        p = pack_padded_sequence(s.e(x), l, batch_first=True, enforce_sorted=False)
        o, h = s.r(p)
        o, ol = pad_packed_sequence(o, batch_first=True)
        return o, torch.tanh(s.f(torch.cat((h[-2], h[-1]), 1)))[None]


class Attn(nn.Module):
    def __init__(s, h=24):
        super().__init__()
        s.a = nn.Linear(3 * h, h)
        s.v = nn.Linear(h, 1, bias=False)

    def forward(s, h, enc, mask):
        h = h[-1].unsqueeze(1).expand(-1, enc.size(1), -1)
        e = s.v(torch.tanh(s.a(torch.cat((h, enc), 2)))).squeeze(2)
        return F.softmax(e.masked_fill(~mask, -1e10), 1)


class Dec(nn.Module):
    def __init__(s, h=24):
        super().__init__()
        s.e = nn.Embedding(V, 16)
        s.at = Attn(h)
        s.r = nn.GRU(16 + 2 * h, h, batch_first=True)
        s.o = nn.Linear(h, V)

    def forward(s, y, h, enc, mask):
        a = s.at(h, enc, mask)
        c = torch.bmm(a.unsqueeze(1), enc)
        o, h = s.r(torch.cat((s.e(y)[:, None], c), 2), h)
        return s.o(o.squeeze(1)), h, a


enc, dec = Enc(), Dec()


def init(m):
    for n, p in m.named_parameters():
        if "weight" in n and p.dim() > 1:
            nn.init.xavier_uniform_(p)
        else:
            nn.init.zeros_(p)


enc.apply(lambda m: None)
init(dec)
params = list(enc.parameters()) + list(dec.parameters())
opt = torch.optim.RMSprop(params, 2e-3, momentum=0.5)
crit = nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=0.05)
sch = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=2, factor=0.5)
for i in range(25):
    x, l, y = batch()
    e, h = enc(x, l)
    mask = x != PAD
    loss = 0
    inp = y[:, 0]
    for t in range(1, y.size(1)):
        o, h, a = dec(inp, h, e, mask)
        loss = loss + crit(o, y[:, t]) if (y[:, t] != PAD).any() else loss
        inp = y[:, t] if random.random() < 0.5 else o.argmax(1)
    opt.zero_grad()
    (loss / y.size(1)).backward()
    torch.nn.utils.clip_grad_value_(params, 0.5)
    opt.step()
    sch.step(loss.detach())
    if i % 6 == 0:
        print(i, f"{loss.item():.3f}", opt.param_groups[0]["lr"])


@torch.no_grad()
def beam(x, l, k=3, maxlen=8):
    e, h = enc(x, l)
    mask = x != PAD
    e, mask, h = e.expand(k, -1, -1).contiguous(), mask.expand(k, -1), h.expand(-1, k, -1).contiguous()
    seqs = torch.full((k, 1), SOS)
    scores = torch.tensor([0.0] + [float("-inf")] * (k - 1))
    done = torch.zeros(k, dtype=torch.bool)
    for _ in range(maxlen):
        o, h, _ = dec(seqs[:, -1], h, e, mask)
        lp = F.log_softmax(o, -1)
        lp[done] = float("-inf")
        lp[done, EOS] = 0.0
        tot = scores[:, None] + lp
        scores, idx = tot.view(-1).topk(k)
        bi, ti = torch.div(idx, V, rounding_mode="floor"), idx % V
        seqs = torch.cat([seqs[bi], ti[:, None]], 1)
        h = h[:, bi]
        done = done[bi] | (ti == EOS)
        if done.all():
            break
    return seqs, scores


s, sc = beam(*batch(1)[:2])
print(s.tolist())
print([f"{v:.3f}" for v in sc.tolist()])
ps = pack_sequence([torch.arange(3.0), torch.arange(1.0)], enforce_sorted=False)
print(ps)
