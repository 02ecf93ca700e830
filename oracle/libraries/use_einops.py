# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch
from einops import rearrange, reduce, repeat, einsum, pack
from einops.layers.torch import Rearrange, Reduce

x = torch.arange(24.0).reshape(2, 3, 4)
print(
    rearrange(x, "b c d -> b (c d)").shape,
    reduce(x, "b c d -> b d", "mean").tolist(),
    repeat(x, "b c d -> b c d k", k=2).shape,
    einsum(x, x, "b c d, b k d -> b c k").sum().item(),
)
print(torch.nn.Sequential(Rearrange("b c d -> b (c d)"), torch.nn.Linear(12, 2))(x).shape)
