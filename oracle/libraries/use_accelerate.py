# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch
from accelerate import Accelerator

torch.manual_seed(0)
a = Accelerator(cpu=True)
m = torch.nn.Linear(4, 1)
o = torch.optim.SGD(m.parameters(), 0.1)
x = torch.randn(32, 4)
d = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, x.sum(1, keepdim=True)), 8)
m, o, d = a.prepare(m, o, d)
for ep in range(2):
    for xb, yb in d:
        with a.accumulate(m):
            l = (m(xb) - yb).square().mean()
            a.backward(l)
            a.clip_grad_norm_(m.parameters(), 1.0)
            o.step()
            o.zero_grad()
    print(round(l.item(), 4))
