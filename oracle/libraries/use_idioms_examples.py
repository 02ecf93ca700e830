"""Programs as in PyTorch's examples and lectures: VAE, DCGAN, language model with truncated backpropagation, LBFGS on a sequence, character models."""
import torch, torch.nn as nn, torch.nn.functional as F, torch.optim as optim, math
from torch.optim.lr_scheduler import StepLR, OneCycleLR, CosineAnnealingWarmRestarts, LambdaLR
from torch.distributions import Categorical
torch.manual_seed(1)
class VAE(nn.Module):
    def __init__(s): super().__init__(); s.fc1, s.fc21, s.fc22, s.fc3, s.fc4 = nn.Linear(64, 32), nn.Linear(32, 4), nn.Linear(32, 4), nn.Linear(4, 32), nn.Linear(32, 64)
    def reparameterize(s, mu, logvar): std = torch.exp(0.5 * logvar); eps = torch.randn_like(std); return mu + eps * std
    def forward(s, x): h = F.relu(s.fc1(x.view(-1, 64))); mu, lv = s.fc21(h), s.fc22(h); return torch.sigmoid(s.fc4(F.relu(s.fc3(s.reparameterize(mu, lv))))), mu, lv
m = VAE(); o = optim.Adam(m.parameters(), lr=1e-3); x = torch.rand(16, 1, 8, 8)
for _ in range(5):
    o.zero_grad(); r, mu, lv = m(x); l = F.binary_cross_entropy(r, x.view(-1, 64), reduction="sum") - 0.5 * torch.sum(1 + lv - mu.pow(2) - lv.exp()); l.backward(); o.step()
print("vae", round(l.item(), 1))
def weights_init(m):
    c = m.__class__.__name__
    if c.find("Conv") != -1: torch.nn.init.normal_(m.weight, 0.0, 0.02)
    elif c.find("BatchNorm") != -1: torch.nn.init.normal_(m.weight, 1.0, 0.02); torch.nn.init.zeros_(m.bias)
G = nn.Sequential(nn.ConvTranspose2d(8, 16, 4, 1, 0, bias=False), nn.BatchNorm2d(16), nn.ReLU(True), nn.ConvTranspose2d(16, 3, 4, 2, 1, bias=False), nn.Tanh()); G.apply(weights_init)
D = nn.Sequential(nn.Conv2d(3, 16, 4, 2, 1, bias=False), nn.BatchNorm2d(16), nn.LeakyReLU(0.2, inplace=True), nn.Conv2d(16, 1, 4, 1, 0, bias=False), nn.Sigmoid()); D.apply(weights_init)
crit = nn.BCELoss(); od, og = optim.Adam(D.parameters(), lr=2e-4, betas=(0.5, 0.999)), optim.Adam(G.parameters(), lr=2e-4, betas=(0.5, 0.999))
for _ in range(3):
    D.zero_grad(); label = torch.full((4,), 1.0); real = torch.randn(4, 3, 8, 8); e1 = crit(D(real).view(-1, 1).squeeze(1), label); e1.backward(); fake = G(torch.randn(4, 8, 1, 1)); label.fill_(0); e2 = crit(D(fake.detach()).view(-1, 1).squeeze(1), label); e2.backward(); od.step()
    G.zero_grad(); label.fill_(1); e3 = crit(D(fake).view(-1, 1).squeeze(1), label); e3.backward(); og.step()
print("dcgan", round((e1 + e2).item(), 3), round(e3.item(), 3))
class RNNModel(nn.Module):
    def __init__(s, ntoken=20, ninp=16, nhid=16, nl=2):
        super().__init__(); s.drop, s.encoder, s.rnn, s.decoder = nn.Dropout(0.2), nn.Embedding(ntoken, ninp), nn.LSTM(ninp, nhid, nl, dropout=0.2), nn.Linear(nhid, ntoken); s.decoder.weight = s.encoder.weight; nn.init.uniform_(s.encoder.weight, -0.1, 0.1); s.nl, s.nhid = nl, nhid
    def forward(s, i, h): out, h = s.rnn(s.drop(s.encoder(i)), h); return F.log_softmax(s.decoder(s.drop(out)).view(-1, 20), dim=1), h
    def init_hidden(s, b): w = next(s.parameters()); return (w.new_zeros(s.nl, b, s.nhid), w.new_zeros(s.nl, b, s.nhid))
m = RNNModel(); data = torch.randint(0, 20, (36, 4)); h = m.init_hidden(4)
for i in range(0, 35, 7):
    m.zero_grad(); h = tuple(v.detach() for v in h); out, h = m(data[i:i + 7], h); l = nn.NLLLoss()(out, data[i + 1:i + 8].view(-1)[:out.size(0)] if data[i + 1:i + 8].numel() >= out.size(0) else data[i:i + 7].view(-1)); l.backward(); torch.nn.utils.clip_grad_norm_(m.parameters(), 0.25)
    for p in m.parameters(): p.data.add_(p.grad, alpha=-20 * 0.1)
print("lm", round(l.item(), 3), round(math.exp(l.item()), 1))
class Seq(nn.Module):
    def __init__(s): super().__init__(); s.l1, s.l2, s.lin = nn.LSTMCell(1, 8), nn.LSTMCell(8, 8), nn.Linear(8, 1)
    def forward(s, x, future=0):
        o = []; h1, c1, h2, c2 = (torch.zeros(x.size(0), 8, dtype=torch.double) for _ in range(4))
        for t in x.split(1, dim=1): h1, c1 = s.l1(t, (h1, c1)); h2, c2 = s.l2(h1, (h2, c2)); o += [s.lin(h2)]
        return torch.cat(o, dim=1)
s = Seq().double(); d = torch.sin(torch.arange(20, dtype=torch.double) / 3)[None].repeat(3, 1); opt = optim.LBFGS(s.parameters(), lr=0.8, max_iter=5)
def closure(): opt.zero_grad(); l = F.mse_loss(s(d[:, :-1]), d[:, 1:]); l.backward(); return l
for _ in range(2): print("lbfgs", round(opt.step(closure).item(), 4))
C, W1, b1, W2, b2 = torch.randn((27, 4), requires_grad=True), torch.randn((12, 20)) * (5 / 3) / 12 ** 0.5, torch.randn(20) * 0.01, torch.randn((20, 27)) * 0.01, torch.zeros(27); ps = [C, W1, b1, W2, b2]
for p in ps: p.requires_grad = True
X, Y = torch.randint(0, 27, (64, 3)), torch.randint(0, 27, (64,)); g = torch.Generator().manual_seed(2147483647)
for k in range(10):
    ix = torch.randint(0, X.shape[0], (32,), generator=g); emb = C[X[ix]]; h = torch.tanh(emb.view(emb.shape[0], -1) @ W1 + b1); logits = h @ W2 + b2; counts = logits.exp(); probs = counts / counts.sum(1, keepdims=True); loss = -probs[range(32), Y[ix]].log().mean()
    for p in ps: p.grad = None
    for t in (logits, probs, h, emb): t.retain_grad()
    loss.backward()
    for p in ps: p.data += -0.1 * p.grad
print("makemore", round(loss.item(), 3), emb.grad.shape, round(h.grad.abs().sum().item(), 3), logits.grad[0].sum().abs().item() < 1e-6)
P = torch.zeros((27, 27), dtype=torch.int32)
for a, b in zip(X[:, 0], Y): P[a, b] += 1
Pn = (P + 1).float(); Pn /= Pn.sum(1, keepdims=True); print(torch.multinomial(Pn[0], num_samples=5, replacement=True, generator=g).tolist(), P.sum().item())
