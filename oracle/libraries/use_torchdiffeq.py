# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch
from torchdiffeq import odeint, odeint_adjoint

torch.manual_seed(0)


class F(torch.nn.Module):
    def __init__(s):
        super().__init__()
        s.n = torch.nn.Sequential(torch.nn.Linear(2, 16), torch.nn.Tanh(), torch.nn.Linear(16, 2))

    def forward(s, t, y):
        return s.n(y)


f = F()
y = odeint_adjoint(f, torch.ones(1, 2), torch.linspace(0, 1, 3), method="dopri5")
y.sum().backward()
print(round(y.sum().item(), 3), round(sum(p.grad.abs().sum().item() for p in f.parameters()), 2))
y = odeint(f, torch.ones(1, 2), torch.linspace(0, 1, 3), method="rk4")
print(round(y.sum().item(), 3))
