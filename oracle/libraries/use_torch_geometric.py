# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch
from torch_geometric.nn import GCNConv, GATConv, SAGEConv, GINConv, global_mean_pool
from torch_geometric.data import Data, Batch
from torch_geometric.loader import DataLoader

torch.manual_seed(0)
e = torch.tensor([[0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2]])
x = torch.randn(4, 8)
for C in (GCNConv(8, 4), GATConv(8, 4, heads=2), SAGEConv(8, 4), GINConv(torch.nn.Linear(8, 4))):
    y = C(x, e)
    y.sum().backward()
    print(type(C).__name__, tuple(y.shape), round(y.sum().item(), 4))
ds = [Data(x=torch.randn(3 + i, 8), edge_index=e[:, : 2 + i], y=torch.tensor([i % 2])) for i in range(4)]
for b in DataLoader(ds, batch_size=2):
    print(b, global_mean_pool(b.x, b.batch).shape)
