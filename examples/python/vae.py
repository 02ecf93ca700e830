"""A variational autoencoder of small grey images; draws from the prior at the end of each epoch."""
import argparse

import torch
from torch import nn, optim
from torch.nn import functional as F
from torch.utils.data import DataLoader

from images import Images

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--batch-size", type=int, default=128)
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--log-interval", type=int, default=10)
parser.add_argument("--steps", type=int, default=0, help="end each epoch after so many steps, and print each")
parser.add_argument("--show", action="store_true", help="print the drawn images as text")
args = parser.parse_args()

torch.manual_seed(args.seed)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
kwargs = {"num_workers": 1, "pin_memory": True} if device.type == "cuda" else {}
train_loader = DataLoader(Images(train=True), batch_size=args.batch_size, shuffle=True, **kwargs)
test_loader = DataLoader(Images(train=False), batch_size=args.batch_size, shuffle=False, **kwargs)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(784, 400)
        self.fc21 = nn.Linear(400, 20)
        self.fc22 = nn.Linear(400, 20)
        self.fc3 = nn.Linear(20, 400)
        self.fc4 = nn.Linear(400, 784)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        return mu + eps * std

    def decode(self, z):
        h3 = F.relu(self.fc3(z))
        return torch.sigmoid(self.fc4(h3))

    def forward(self, x):
        mu, logvar = self.encode(x.view(-1, 784))
        z = self.reparameterize(mu, logvar)
        return self.decode(z), mu, logvar


model = VAE().to(device)
optimizer = optim.Adam(model.parameters(), lr=1e-3)


def loss_function(recon_x, x, mu, logvar):
    """Reconstruction and the divergence from the prior, summed over elements and batch."""
    BCE = F.binary_cross_entropy(recon_x, x.view(-1, 784), reduction="sum")
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return BCE + KLD


def train(epoch):
    model.train()
    train_loss = 0
    for batch_idx, (data, _) in enumerate(train_loader):
        data = data.to(device)
        optimizer.zero_grad()
        recon_batch, mu, logvar = model(data)
        loss = loss_function(recon_batch, data, mu, logvar)
        loss.backward()
        train_loss += loss.item()
        optimizer.step()
        if args.steps or batch_idx % args.log_interval == 0:
            print(f"epoch {epoch} step {batch_idx}/{len(train_loader)} loss {loss.item() / len(data):.6f}")
        if args.steps and batch_idx + 1 >= args.steps:
            break
    print(f"epoch {epoch} mean loss {train_loss / (batch_idx + 1) / args.batch_size:.6f}")


@torch.no_grad()
def test(epoch):
    model.eval()
    test_loss = 0.0
    count = 0
    for data, _ in test_loader:
        data = data.to(device)
        recon_batch, mu, logvar = model(data)
        test_loss += loss_function(recon_batch, data, mu, logvar).item()
        count += data.size(0)
        if args.steps:
            break
    print(f"epoch {epoch} test loss {test_loss / count:.6f}")


def show(image):
    for row in image.view(28, 28)[::2]:
        print("".join(" .:-=+*#%@"[int(v * 9.99)] for v in row.tolist()))


if __name__ == "__main__":
    for epoch in range(1, args.epochs + 1):
        train(epoch)
        test(epoch)
        with torch.no_grad():
            sample = model.decode(torch.randn(8, 20).to(device)).cpu()
            print(f"epoch {epoch} brightness of draws loss {sample.mean().item():.6f}")
        if args.show:
            show(sample[0])
