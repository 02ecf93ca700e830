"""torchsde and torchcde: stochastic and controlled differential equations with their adjoints."""
import torch, torchsde, torchcde
torch.manual_seed(0)
class SDE(torch.nn.Module):
    noise_type, sde_type = "diagonal", "ito"
    def __init__(self):
        super().__init__(); self.mu = torch.nn.Linear(3, 3); self.sigma = torch.nn.Linear(3, 3)
    def f(self, t, y): return self.mu(y)
    def g(self, t, y): return torch.sigmoid(self.sigma(y))
sde = SDE(); y0 = torch.full((4, 3), 0.1); ts = torch.linspace(0, 1, 5)
bm = torchsde.BrownianInterval(t0=0.0, t1=1.0, size=(4, 3), entropy=5)
ys = torchsde.sdeint(sde, y0, ts, bm=bm, dt=0.05, method="euler")
ys.sum().backward()
print(round(ys[-1].sum().item(), 4), round(sde.mu.weight.grad.sum().item(), 4))
ys = torchsde.sdeint_adjoint(sde, y0, ts, dt=0.1, bm=bm, method="milstein"); sde.zero_grad(); ys.sum().backward()
print(round(ys[-1].sum().item(), 3), round(sde.mu.weight.grad.sum().item(), 3))
class F(torch.nn.Module):
    def __init__(self): super().__init__(); self.l = torch.nn.Linear(5, 15)
    def forward(self, t, z): return self.l(z).view(*z.shape[:-1], 5, 3).tanh()
x = torch.rand(2, 7, 3); x[..., 0] = torch.linspace(0, 1, 7)
coeffs = torchcde.hermite_cubic_coefficients_with_backward_differences(x)
X = torchcde.CubicSpline(coeffs); z = torchcde.cdeint(X=X, func=F(), z0=torch.rand(2, 5), t=X.interval, method="rk4", options=dict(step_size=0.5))
print(round(z[:, -1].sum().item(), 4))
