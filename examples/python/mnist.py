"""A convolutional network on small grey images: DataLoader, dropout, log_softmax and nll_loss, StepLR, evaluation, checkpoint."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.optim.lr_scheduler import StepLR

from images import Images


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv1 = nn.Conv2d(1, 32, 3, 1)
        self.conv2 = nn.Conv2d(32, 64, 3, 1)
        self.dropout1 = nn.Dropout(0.25)
        self.dropout2 = nn.Dropout(0.5)
        self.fc1 = nn.Linear(9216, 128)
        self.fc2 = nn.Linear(128, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.relu(self.conv2(x))
        x = F.max_pool2d(x, 2)
        x = self.dropout1(x)
        x = torch.flatten(x, 1)
        x = F.relu(self.fc1(x))
        x = self.dropout2(x)
        return F.log_softmax(self.fc2(x), dim=1)


def train(args, model, device, loader, optimizer, epoch):
    model.train()
    for batch_idx, (data, target) in enumerate(loader):
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        output = model(data)
        loss = F.nll_loss(output, target)
        loss.backward()
        optimizer.step()
        if args.steps or batch_idx % args.log_interval == 0:
            print("epoch {} step {}/{} loss {:.6f}".format(epoch, batch_idx, len(loader), loss.item()))
        if args.steps and batch_idx + 1 >= args.steps:
            break


def test(args, model, device, loader):
    model.eval()
    test_loss = correct = seen = 0
    with torch.no_grad():
        for data, target in loader:
            data, target = data.to(device), target.to(device)
            output = model(data)
            test_loss += F.nll_loss(output, target, reduction="sum").item()
            pred = output.argmax(dim=1, keepdim=True)
            correct += pred.eq(target.view_as(pred)).sum().item()
            seen += len(data)
            if args.steps:
                break
    print("test loss {:.6f} accuracy {}/{} ({:.1f}%)".format(test_loss / seen, correct, seen, 100.0 * correct / seen))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--test-batch-size", type=int, default=500)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=1.0)
    parser.add_argument("--gamma", type=float, default=0.7)
    parser.add_argument("--optimizer", choices=("adadelta", "adam"), default="adadelta")
    parser.add_argument("--no-cuda", action="store_true", default=False)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log-interval", type=int, default=10)
    parser.add_argument("--steps", type=int, default=0, help="end each epoch after so many steps, and print each")
    parser.add_argument("--save-model", metavar="FILE")
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() and not args.no_cuda else "cpu")
    normalize = lambda image: (image - 0.2860) / 0.3530
    train_loader = torch.utils.data.DataLoader(Images(True, transform=normalize), batch_size=args.batch_size, shuffle=True)
    test_loader = torch.utils.data.DataLoader(Images(False, transform=normalize), batch_size=args.test_batch_size)

    model = Net().to(device)
    if args.optimizer == "adam":
        optimizer = optim.Adam(model.parameters(), lr=args.lr * 1e-3)
    else:
        optimizer = optim.Adadelta(model.parameters(), lr=args.lr)
    scheduler = StepLR(optimizer, step_size=1, gamma=args.gamma)
    for epoch in range(1, args.epochs + 1):
        train(args, model, device, train_loader, optimizer, epoch)
        test(args, model, device, test_loader)
        scheduler.step()
    if args.save_model:
        torch.save(model.state_dict(), args.save_model)
        again = Net()
        again.load_state_dict(torch.load(args.save_model))
        test(args, again.to(device), device, test_loader)


if __name__ == "__main__":
    main()
