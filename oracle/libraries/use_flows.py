# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch, zuko, nflows

torch.manual_seed(0)
f = zuko.flows.NSF(2, 0, transforms=2, hidden_features=[16])
x = torch.randn(64, 2)
o = torch.optim.Adam(f.parameters(), 1e-2)
for i in range(5):
    l = -f().log_prob(x).mean()
    o.zero_grad()
    l.backward()
    o.step()
print(round(l.item(), 3), f().sample((3,)).shape)
from nflows.flows.autoregressive import MaskedAutoregressiveFlow

m = MaskedAutoregressiveFlow(2, 8, 2, 1)
print(round(-m.log_prob(x).mean().item(), 3), m.sample(4).shape)
