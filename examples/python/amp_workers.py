"""Mixed precision: autocast and GradScaler over a DataLoader with worker processes that stay, pinned memory and prefetching."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from images import Images


class ResidualBlock(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU(),
                                  nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x):
        return nn.functional.relu(x + self.body(x))


def build():
    return nn.Sequential(nn.Conv2d(1, 16, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU(), ResidualBlock(16),
                         nn.Conv2d(16, 32, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(32), nn.ReLU(), ResidualBlock(32),
                         nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10))


def flip(image):
    """Mirrors every other image; drawn in the worker, whose seed comes from the loader."""
    return image.flip(-1) if torch.rand(()) < 0.5 else image


def accuracy(model, loader, device, amp, dtype, limit):
    model.eval()
    hits = torch.zeros((), dtype=torch.int64, device=device)
    seen = 0
    with torch.inference_mode(), torch.autocast(device.type, dtype=dtype, enabled=amp):
        for i, (x, y) in enumerate(loader):
            x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
            hits += (model(x).argmax(1) == y).sum()
            seen += y.numel()
            if limit and i + 1 >= limit:
                break
    model.train()
    return hits.item() / seen


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--dtype", choices=("bfloat16", "float16"), default="bfloat16")
    parser.add_argument("--no-amp", dest="amp", action="store_false")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--accumulate", type=int, default=2, help="batches of one optimiser step")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--steps", type=int, default=0, help="end each epoch after so many batches, and print each")
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    dtype = getattr(torch, args.dtype)
    options = dict(num_workers=args.workers, pin_memory=True)
    if args.workers:
        options.update(persistent_workers=True, prefetch_factor=4)
    train = DataLoader(Images(True, transform=flip), args.batch_size, shuffle=True, drop_last=True, **options)
    test = DataLoader(Images(False), 256, **options)
    model = build().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, nesterov=True, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=args.lr, total_steps=args.epochs * len(train) + 1)
    scaler = torch.amp.GradScaler(device.type, enabled=args.amp, init_scale=1024.0)
    loss_fn = nn.CrossEntropyLoss(label_smoothing=0.1)
    for epoch in range(args.epochs):
        for i, (x, y) in enumerate(train):
            x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
            with torch.autocast(device_type=device.type, dtype=dtype, enabled=args.amp):
                loss = loss_fn(model(x), y)
            scaler.scale(loss / args.accumulate).backward()
            if (i + 1) % args.accumulate == 0:
                scaler.unscale_(optimizer)
                torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=5.0)
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad(set_to_none=True)
            scheduler.step()
            if args.steps or i % 10 == 0:
                print(f"epoch {epoch} step {i}/{len(train)} scale {scaler.get_scale():.0f} loss {loss.item():.6f}")
            if args.steps and i + 1 >= args.steps:
                break
        print(f"epoch {epoch} accuracy {accuracy(model, test, device, args.amp, dtype, 2 if args.steps else 0):.3f}")


if __name__ == "__main__":
    main()
