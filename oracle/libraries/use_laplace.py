"""laplace-torch: posteriors around a trained network, of the last layer and of all, diagonal, Kronecker-factored and full."""
import torch, warnings
warnings.simplefilter("ignore")
from laplace import Laplace
torch.manual_seed(0)
x = torch.linspace(-2, 2, 60)[:, None]; y = torch.sin(2 * x) + 0.1 * torch.randn(60, 1)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=20)
net = torch.nn.Sequential(torch.nn.Linear(1, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), 1e-2)
for _ in range(100):
    for a, b in loader:
        opt.zero_grad(); torch.nn.functional.mse_loss(net(a), b).backward(); opt.step()
for subset, structure in (("last_layer", "full"), ("all", "diag"), ("all", "kron"), ("all", "full")):
    la = Laplace(net, "regression", subset_of_weights=subset, hessian_structure=structure)
    la.fit(loader); la.optimize_prior_precision(method="marglik", n_steps=10)
    mean, var = la(x[:5])
    print(subset, structure, [round(v, 3) for v in mean.flatten().tolist()], [round(v, 3) for v in var.flatten().tolist()])
