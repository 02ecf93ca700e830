"""Training steps that must leave nothing behind: a small convolutional network, AdamW, DataLoader, scheduler and clipping, in all the
ways a step may go. As a program it trains long and prints what is alive every --every steps:

    PYTHONPATH=python python3 -m winnow tests/python/flat_memory.py --steps 10000
    python tests/python/flat_memory.py                                  (on PyTorch, which counts fewer things)

and ends with status 1 if a kind of training is not flat: after the first sample the counts of winnow's handles, storages, pending values
and allocated bytes stay exactly as they were, there are at most OBJECTS more Python objects (caches that fill late), and the resident
memory grows by less than GROWTH. Gradients are dropped before a sample: a step that broke off has none.
SPDX-License-Identifier: Apache-2.0"""
import argparse
import contextlib
import gc
import sys

import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, Dataset

from helper import WINNOW, resident_bytes

F = nn.functional
GROWTH = 1 << 20
OBJECTS = 64
COUNTS = ("handles", "storages", "pending", "pinned", "allocated")


class Broken(Exception):
    """What breaks a step off on purpose."""


class Pictures(Dataset):
    """64 images of noise; with broken, now and then one that cannot be read."""

    def __init__(self, broken=False):
        self.images, self.labels = torch.randn(64, 1, 12, 12), torch.arange(64) % 4
        self.broken, self.reads = broken, 0

    def __len__(self):
        return 64

    def __getitem__(self, index):
        self.reads += 1
        if self.broken and self.reads % 97 == 0:
            raise Broken("unreadable")
        return self.images[index], self.labels[index]


class Net(nn.Module):
    def __init__(self, recompute):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Dropout(0.1))
        self.head = nn.Linear(100, 4)
        self.recompute = recompute

    def forward(self, x):
        x = checkpoint(self.body, x, use_reentrant=False) if self.recompute else self.body(x)
        return self.head(x.flatten(1))


class Training:
    """One network and what trains it. kind: one of KINDS."""

    def __init__(self, kind):
        torch.manual_seed(0)
        self.kind, self.steps, self.broken = kind, 0, 0
        self.net = Net(recompute=kind == "checkpoint")
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=1e-3)
        self.schedule = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, 100)
        self.loader = DataLoader(Pictures(broken=kind == "exceptions"), 8, shuffle=True)
        self.batches = iter(())
        self.first = self.last = None

    def batch(self):
        for batch in self.batches:
            return batch
        self.batches = iter(self.loader)
        return next(self.batches)

    def run(self, steps):
        for _ in range(steps):
            self.steps += 1
            try:
                self.step()
            except (Broken, RuntimeError) as error:
                if self.kind != "exceptions" or not (isinstance(error, Broken) or "mat1" in str(error)):
                    raise
                self.broken += 1

    def step(self):
        x, y = self.batch()
        self.optimizer.zero_grad()
        with contextlib.ExitStack() as stack:
            if self.kind == "hooks":
                self.hook(stack)
            loss = self.loss(x, y)
            if self.kind == "exceptions" and self.steps % 3 == 0:
                self.break_off(x, loss)
            loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimizer.step()
        self.schedule.step()
        self.last = loss.item()
        self.first = self.last if self.first is None else self.first

    def loss(self, x, y):
        if self.kind != "create_graph":
            return F.cross_entropy(self.net(x), y)
        x = x.clone().requires_grad_()
        loss = F.cross_entropy(self.net(x), y)
        slope, = torch.autograd.grad(loss, x, create_graph=True)
        return loss + slope.square().sum()

    def hook(self, stack):
        """Hooks of all kinds, for this step only."""
        layer, seen = self.net.head, []
        for handle in (layer.register_forward_pre_hook(lambda module, inputs: None), layer.register_forward_hook(lambda module, inputs, out: out * 1),
                       layer.register_full_backward_hook(lambda module, gin, gout: seen.append(gin)),
                       layer.weight.register_hook(lambda g: g * 1),
                       layer.bias.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad))):
            stack.callback(handle.remove)

    def break_off(self, x, loss):
        """An exception in the middle: in a forward pass, in a module's hook, in a hook during backward."""
        if self.steps % 9 == 0:
            self.net.head(x.flatten(1)[:, :7])
        handle = self.net.body.register_forward_hook(self.refuse) if self.steps % 9 == 3 else self.net.head.weight.register_hook(self.refuse)
        with contextlib.closing(contextlib.ExitStack()) as stack:
            stack.callback(handle.remove)
            self.net(x)
            loss.backward()

    @staticmethod
    def refuse(*arguments):
        raise Broken("refused")


def alive(run):
    """{name: count} of what the steps of run might have left behind."""
    run.optimizer.zero_grad()
    gc.collect()
    counts = {"objects": len(gc.get_objects())}
    if WINNOW:
        stats = torch._C._stats()
        counts.update((name, stats[name]) for name in COUNTS)
    return counts


def is_flat(counts, first):
    return all(count - first[name] <= OBJECTS if name == "objects" else count == first[name] for name, count in counts.items())


@contextlib.contextmanager
def training(kind):
    """A Training of one of KINDS, in the mode that it asks for."""
    old = torch._C.set_defer_from({"deferred": 1, "not deferred": -1}[kind]) if WINNOW and "deferred" in kind else None
    try:
        yield Training(kind)
    finally:
        if old is not None:
            torch._C.set_defer_from(old)


KINDS = ("plain", "deferred", "not deferred", "checkpoint", "hooks", "create_graph", "exceptions")


def watch(kind, steps, every):
    """Prints a line for each sample; whether all after the first are like it."""
    flat, first = True, None
    with training(kind) as run:
        for _ in range(steps // every):
            run.run(every)
            counts, resident = alive(run), resident_bytes()
            first = first or (counts, resident)
            flat = flat and is_flat(counts, first[0]) and resident - first[1] < GROWTH
            print(f"{kind:12} step {run.steps:6}  resident {resident / 1024:.0f} KiB  "
                  + "  ".join(f"{name} {count}" for name, count in counts.items()), flush=True)
    print(f"{kind:12} {'flat' if flat else 'NOT FLAT'}; loss {run.first:.4f} to {run.last:.4f}"
          + (f", {run.broken} steps broken off" if run.broken else ""), flush=True)
    return flat


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=10000)
    parser.add_argument("--every", type=int, default=1000)
    parser.add_argument("--kinds", default=",".join(KINDS))
    args = parser.parse_args()
    torch.set_num_threads(1)
    sys.exit(not all([watch(kind, args.steps, args.every) for kind in args.kinds.split(",")]))
