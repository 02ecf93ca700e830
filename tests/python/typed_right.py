"""A program that type checkers accept: test_typed.py has mypy read it. It is not run."""
from typing import assert_type
import winnow as torch
import winnow.nn as nn
import winnow.nn.functional as F
from winnow import Tensor
from winnow.utils.data import DataLoader, TensorDataset

x = torch.ones(2, 3)
assert_type(x, Tensor)
for y in (x + 1, 1 + x, x - 1, 2 - x, x * 2.0, x / 2, 3 / x, x // 2, x % 2, x ** 2, 2 ** x, -x, +x, abs(x), ~x, x @ x.T, x & x, x | 1, x ^ x, x << 1, x == 1, x != x, x < 1, x <= x, x > 0.5, x >= 1):
    assert_type(y, Tensor)
assert_type(x[0], Tensor)
assert_type(x[:, None, ..., 1:], Tensor)
assert_type(x[x > 0], Tensor)
assert_type(x[torch.tensor([0, 1]), 0], Tensor)
x[0] = 1
x[:, 1] = x[:, 0]
x[x > 1] = 0.5
x += 1
x *= x
assert_type(x, Tensor)
assert_type(x.max(), Tensor)
assert_type(x.max(1).values, Tensor)
values, indices = x.max(dim=1)
assert_type(indices, Tensor)
assert_type(x.sum(), Tensor)
assert_type(x.sum(0, keepdim=True), Tensor)
assert_type(x.mean(dim=(0, 1)), Tensor)
assert_type(x.item(), int | float | bool)
assert_type(len(x), int)
assert_type(x.shape[0], int)
assert_type(x.size(0), int)
assert_type(x.size(), torch.Size)
assert_type(x.view(3, 2), Tensor)
assert_type(x.view(-1), Tensor)
assert_type(x.reshape(3, -1), Tensor)
assert_type(x.permute(1, 0).contiguous(), Tensor)
assert_type(x.transpose(0, 1), Tensor)
assert_type(x.unsqueeze(0).squeeze(0), Tensor)
assert_type(x.to(torch.float64), Tensor)
assert_type(x.to("cpu"), Tensor)
assert_type(x.float().double().long(), Tensor)
assert_type(x.detach().clone(), Tensor)
assert_type(x.requires_grad_(), Tensor)
assert_type(x.add_(1).mul_(2), Tensor)
assert_type(x.softmax(-1), Tensor)
assert_type(x.grad, Tensor | None)
assert_type(x.dtype, torch.dtype)
assert_type(x.device, torch.device)
assert_type(x.requires_grad, bool)
assert_type(float(x.sum()), float)
assert_type(int(x.sum()), int)
assert_type(bool(x.any()), bool)
x.tolist()
for row in x:
    assert_type(row, Tensor)
x.sum().backward()
assert_type(torch.cat([x, x], dim=0), Tensor)
assert_type(torch.stack((x, x)), Tensor)
assert_type(torch.where(x > 0, x, 0.0), Tensor)
assert_type(torch.einsum("ij,kj->ik", x, x), Tensor)
assert_type(torch.randn(2, 3, dtype=torch.float64), Tensor)
assert_type(torch.arange(5), Tensor)
assert_type(torch.zeros((2, 3), device="cpu"), Tensor)
assert_type(torch.topk(x, 1).indices, Tensor)
assert_type(x.split(1), tuple[Tensor, ...])
assert_type(x.chunk(2, dim=1), tuple[Tensor, ...])
assert_type(x.unbind(), tuple[Tensor, ...])
assert_type(x.sort().values, Tensor)
assert_type(x.argmax(1), Tensor)
assert_type(x.eq(x).all(), Tensor)
assert_type(x.masked_fill(x > 0, 0), Tensor)
assert_type(x.expand(2, -1), Tensor)
assert_type(x.repeat(2, 1), Tensor)
assert_type(x.T, Tensor)
assert_type(F.relu(x), Tensor)
assert_type(F.cross_entropy(x, torch.tensor([0, 1])), Tensor)
assert_type(F.dropout(x, 0.5, training=True), Tensor)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(3, 4)
        self.w = nn.Parameter(torch.zeros(4))

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(self.lin(x)) + self.w


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
data = DataLoader(TensorDataset(x, torch.tensor([0, 1])), batch_size=2)
for a, b in data:
    opt.zero_grad()
    loss = F.cross_entropy(net(a), b)
    loss.backward()
    opt.step()
with torch.no_grad():
    net.eval()
torch.manual_seed(0)
torch.save(net.state_dict(), "x")
net.load_state_dict(torch.load("x"))
