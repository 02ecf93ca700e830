"""A small GPT as people write it: weight tying, parameter groups, clipping, top-k sampling."""
import math, inspect, torch, torch.nn as nn
from torch.nn import functional as F
from dataclasses import dataclass
from contextlib import nullcontext
torch.manual_seed(1337)
torch.backends.cuda.matmul.allow_tf32 = True; torch.backends.cudnn.allow_tf32 = True
@dataclass
class Cfg:
    block_size: int = 16; vocab_size: int = 50; n_layer: int = 2; n_head: int = 2; n_embd: int = 16; dropout: float = 0.1; bias: bool = False
class LayerNorm(nn.Module):
    def __init__(self, ndim, bias):
        super().__init__(); self.weight = nn.Parameter(torch.ones(ndim)); self.bias = nn.Parameter(torch.zeros(ndim)) if bias else None
    def forward(self, input): return F.layer_norm(input, self.weight.shape, self.weight, self.bias, 1e-5)
class Attn(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c_attn = nn.Linear(c.n_embd, 3 * c.n_embd, bias=c.bias); self.c_proj = nn.Linear(c.n_embd, c.n_embd, bias=c.bias); self.drop = nn.Dropout(c.dropout); self.n_head, self.n_embd = c.n_head, c.n_embd
        self.flash = hasattr(torch.nn.functional, "scaled_dot_product_attention")
        self.register_buffer("bias", torch.tril(torch.ones(c.block_size, c.block_size)).view(1, 1, c.block_size, c.block_size))
    def forward(self, x):
        B, T, C = x.size(); q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        k, q, v = (t.view(B, T, self.n_head, C // self.n_head).transpose(1, 2) for t in (k, q, v))
        if T % 2: y = F.scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=0, is_causal=True)
        else:
            att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1))); att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf")); y = F.softmax(att, dim=-1) @ v
        return self.drop(self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C)))
class Block(nn.Module):
    def __init__(self, c):
        super().__init__(); self.ln_1 = LayerNorm(c.n_embd, c.bias); self.attn = Attn(c); self.ln_2 = LayerNorm(c.n_embd, c.bias)
        self.mlp = nn.ModuleDict(dict(c_fc=nn.Linear(c.n_embd, 4 * c.n_embd), c_proj=nn.Linear(4 * c.n_embd, c.n_embd), act=nn.GELU(approximate="tanh"), dropout=nn.Dropout(c.dropout)))
        m = self.mlp; self.mlpf = lambda x: m.dropout(m.c_proj(m.act(m.c_fc(x))))
    def forward(self, x): x = x + self.attn(self.ln_1(x)); return x + self.mlpf(self.ln_2(x))
class GPT(nn.Module):
    def __init__(self, c):
        super().__init__(); self.config = c
        self.transformer = nn.ModuleDict(dict(wte=nn.Embedding(c.vocab_size, c.n_embd), wpe=nn.Embedding(c.block_size, c.n_embd), drop=nn.Dropout(c.dropout), h=nn.ModuleList([Block(c) for _ in range(c.n_layer)]), ln_f=LayerNorm(c.n_embd, bias=c.bias)))
        self.lm_head = nn.Linear(c.n_embd, c.vocab_size, bias=False); self.transformer.wte.weight = self.lm_head.weight; self.apply(self._init)
        for pn, p in self.named_parameters():
            if pn.endswith("c_proj.weight"): torch.nn.init.normal_(p, mean=0.0, std=0.02 / math.sqrt(2 * c.n_layer))
    def _init(self, m):
        if isinstance(m, (nn.Linear, nn.Embedding)): torch.nn.init.normal_(m.weight, mean=0.0, std=0.02)
        if isinstance(m, nn.Linear) and m.bias is not None: torch.nn.init.zeros_(m.bias)
    def forward(self, idx, targets=None):
        b, t = idx.size(); pos = torch.arange(0, t, dtype=torch.long, device=idx.device); x = self.transformer.drop(self.transformer.wte(idx) + self.transformer.wpe(pos))
        for block in self.transformer.h: x = block(x)
        x = self.transformer.ln_f(x)
        if targets is None: return self.lm_head(x[:, [-1], :]), None
        logits = self.lm_head(x); return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
    def configure(self, wd, lr, betas, device_type):
        pd = {pn: p for pn, p in self.named_parameters() if p.requires_grad}
        groups = [{"params": [p for p in pd.values() if p.dim() >= 2], "weight_decay": wd}, {"params": [p for p in pd.values() if p.dim() < 2], "weight_decay": 0.0}]
        fused = "fused" in inspect.signature(torch.optim.AdamW).parameters
        return torch.optim.AdamW(groups, lr=lr, betas=betas, **(dict(fused=True) if fused and device_type == "cuda" else {}))
    @torch.no_grad()
    def generate(self, idx, n, temperature=1.0, top_k=None):
        for _ in range(n):
            logits, _ = self(idx[:, -self.config.block_size:]); logits = logits[:, -1, :] / temperature
            if top_k is not None: v, _ = torch.topk(logits, min(top_k, logits.size(-1))); logits[logits < v[:, [-1]]] = -float("Inf")
            idx = torch.cat((idx, torch.multinomial(F.softmax(logits, dim=-1), num_samples=1)), dim=1)
        return idx
model = GPT(Cfg()); opt = model.configure(0.1, 1e-3, (0.9, 0.95), "cpu"); scaler = torch.amp.GradScaler("cpu", enabled=False); ctx = nullcontext()
for it in range(20):
    for g in opt.param_groups: g["lr"] = 1e-3 * min(1, (it + 1) / 5)
    ix = torch.randint(50 - 17, (4,)); data = torch.arange(50) * 7 % 50
    x = torch.stack([data[i:i + 16] for i in ix]); y = torch.stack([data[i + 1:i + 17] for i in ix])
    with ctx: _, loss = model(x, y); loss = loss / 1
    scaler.scale(loss).backward(); scaler.unscale_(opt); torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0); scaler.step(opt); scaler.update(); opt.zero_grad(set_to_none=True)
print(round(loss.item(), 3)); model.eval(); print(model.generate(torch.zeros((1, 1), dtype=torch.long), 10, top_k=5).tolist()); print(sum(p.numel() for p in model.parameters()))
