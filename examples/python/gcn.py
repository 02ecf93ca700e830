"""A graph convolutional network: classes of nodes from a few labels and a sparse adjacency matrix."""
import argparse
import math
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.nn.parameter import Parameter


def make_graph(nodes, classes, features, degree):
    """Communities: four edges of five lead to the same class; noisy features. Returns normalised adjacency, features, labels."""
    labels = torch.arange(nodes) % classes
    source = torch.randint(nodes, (nodes * degree,))
    same = torch.rand(len(source)) < 0.8
    near = (source + classes * torch.randint(1, nodes // classes, source.shape)) % nodes
    target = torch.where(same, near, torch.randint(nodes, source.shape))
    loops = torch.arange(nodes)
    edges = torch.stack([torch.cat([source, target, loops]), torch.cat([target, source, loops])])
    adj = torch.sparse_coo_tensor(edges, torch.ones(edges.shape[1]), (nodes, nodes)).coalesce()
    count = torch.sparse.sum(adj, dim=1).to_dense()
    row, col = adj.indices()
    values = adj.values() / (count[row] * count[col]).sqrt()
    adj = torch.sparse_coo_tensor(adj.indices(), values, adj.size())
    x = torch.rand(nodes, features) < 0.05
    x[torch.arange(nodes), labels * 3 + torch.randint(12, (nodes,))] = True
    return adj, F.normalize(x.float(), p=1, dim=1), labels


class GraphConvolution(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super(GraphConvolution, self).__init__()
        self.weight = Parameter(torch.empty(in_features, out_features))
        if bias:
            self.bias = Parameter(torch.empty(out_features))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        stdv = 1.0 / math.sqrt(self.weight.size(1))
        self.weight.data.uniform_(-stdv, stdv)
        if self.bias is not None:
            self.bias.data.uniform_(-stdv, stdv)

    def forward(self, input, adj):
        support = torch.mm(input, self.weight)
        output = torch.sparse.mm(adj, support)
        return output + self.bias if self.bias is not None else output


class GCN(nn.Module):
    def __init__(self, nfeat, nhid, nclass, dropout):
        super().__init__()
        self.gc1 = GraphConvolution(nfeat, nhid)
        self.gc2 = GraphConvolution(nhid, nclass)
        self.dropout = dropout

    def forward(self, x, adj):
        x = F.relu(self.gc1(x, adj))
        x = F.dropout(x, self.dropout, training=self.training)
        return F.log_softmax(self.gc2(x, adj), dim=1)


def accuracy(output, labels):
    return output.max(1)[1].type_as(labels).eq(labels).double().mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=2700)
    parser.add_argument("--features", type=int, default=500)
    parser.add_argument("--classes", type=int, default=7)
    parser.add_argument("--degree", type=int, default=3)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--dropout", type=float, default=0.5)
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--weight-decay", type=float, default=5e-4)
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--steps", type=int, default=0, help="so many epochs instead")
    parser.add_argument("--seed", type=int, default=42)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    adj, features, labels = make_graph(args.nodes, args.classes, args.features, args.degree)
    adj, features, labels = adj.to(device), features.to(device), labels.to(device)
    idx_train, idx_val, idx_test = torch.randperm(args.nodes).split([140, 500, args.nodes - 640])

    model = GCN(args.features, args.hidden, args.classes, args.dropout).to(device)
    optimizer = optim.Adam(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    start = time.time()
    for epoch in range(args.steps or args.epochs):
        model.train()
        optimizer.zero_grad()
        output = model(features, adj)
        loss_train = F.nll_loss(output[idx_train], labels[idx_train])
        loss_train.backward()
        optimizer.step()
        model.eval()
        with torch.no_grad():
            output = model(features, adj)
            loss_val = F.nll_loss(output[idx_val], labels[idx_val])
            acc_val = accuracy(output[idx_val], labels[idx_val])
        print(f"step {epoch} train loss {loss_train.item():.6f}")
        print(f"step {epoch} accuracy {acc_val.item():.4f} validation loss {loss_val.item():.6f}")
    model.eval()
    with torch.no_grad():
        output = model(features, adj)
    print(f"accuracy {accuracy(output[idx_test], labels[idx_test]).item():.4f} "
          f"test loss {F.nll_loss(output[idx_test], labels[idx_test]).item():.6f}")


if __name__ == "__main__":
    main()
