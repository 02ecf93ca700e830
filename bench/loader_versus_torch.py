#!/usr/bin/env python3
"""DataLoader beside PyTorch's: samples a second, time to the first batch, later epochs, leaving.

    PYTHONPATH=python .venv-torch/bin/python bench/loader_versus_torch.py [--pairs 7] [--only WORD...]

Every pair is one process with winnow and one with PyTorch, in turns; figures are medians over the pairs, ratios medians of ratios
within a pair. Images are 28x28 bytes. "transform" is a data set in Python with ToTensor and Normalize on each image; "MNIST" is
winnow's torchvision reading IDX files, beside what torchvision does after decoding. Run it on a machine that does nothing else. SPDX-License-Identifier: Apache-2.0"""
import argparse
import json
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time

COUNT = 20_000
clock = time.perf_counter


def compose(torch):
    """Compose([ToTensor(), Normalize(mean, std)]) as programs write it where there is no torchvision."""
    mean, std = (0.1307,), (0.3081,)

    def to_tensor(pixels):
        return pixels.unsqueeze(0).to(torch.float32).div(255)

    def normalize(x):
        m, s = torch.as_tensor(mean, dtype=x.dtype).view(-1, 1, 1), torch.as_tensor(std, dtype=x.dtype).view(-1, 1, 1)
        return x.clone().sub_(m).div_(s)
    return to_tensor, normalize


def datasets(torch, folder):
    """name -> data set"""
    pixels = torch.randint(0, 256, (COUNT, 28, 28), dtype=torch.uint8)
    labels = torch.randint(0, 10, (COUNT,))

    class Transformed(torch.utils.data.Dataset):
        def __init__(self):
            self.transform = compose(torch)

        def __len__(self):
            return COUNT

        def __getitem__(self, i):
            x = pixels[i]
            for step in self.transform:
                x = step(x)
            return x, int(labels[i])

    class Digits(Transformed):
        """torchvision's MNIST as it is without PIL's detour: arrays into ToTensor."""

        def __getitem__(self, i):
            image = torch.from_numpy(pixels[i].numpy()[:, :, None].transpose((2, 0, 1))).contiguous()
            return normalize(image.to(torch.float32).div(255)), int(labels[i])

    normalize = compose(torch)[1]
    if hasattr(torch, "_winnow"):
        from torchvision import datasets, transforms

        steps = [transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))]
        digits = datasets.MNIST(folder, transform=transforms.Compose(steps))
    else:
        digits = Digits()
    images = pixels.float().unsqueeze(1)
    images.data_ptr()  # computed
    return {"transform": Transformed(), "tensors": torch.utils.data.TensorDataset(images, labels), "MNIST": digits}


def epoch(loader):
    began = clock()
    n = sum(len(y) for x, y in loader if x.data_ptr())  # asks for the values
    return n / (clock() - began)


def first_batch(make):
    began = clock()
    iterator = iter(make())
    next(iterator)
    return 1e3 * (clock() - began)  # without ending the workers


def second_epoch(loader):
    epoch(loader)
    return epoch(loader)


def leaving(loader):
    """ms to leave the loop after three batches, with all workers gone."""
    iterator = iter(loader)
    for _ in range(3):
        next(iterator)
    began = clock()
    del iterator
    return 1e3 * (clock() - began)


def cases(torch, folder):
    """(name, unit, function) for each measurement."""
    data, loader = datasets(torch, folder), torch.utils.data.DataLoader
    for workers in (2, 0):  # first of all: nothing is loaded or started yet, as in a program
        yield f"first batch, transform, {workers} workers", "ms", lambda: first_batch(lambda: loader(data["transform"], 64, shuffle=True, num_workers=workers))
        yield f"first batch again, {workers} workers", "ms", lambda: first_batch(lambda: loader(data["transform"], 64, shuffle=True, num_workers=workers))
    for name, sizes, counts in (("transform", (64, 256), (0, 1, 2, 4)), ("tensors", (64,), (0, 2)), ("MNIST", (64,), (0, 2))):
        for size in sizes:
            for workers in counts:
                yield (f"{name}, batches of {size}, {workers} workers", "/s",
                       lambda: epoch(loader(data[name], size, shuffle=True, num_workers=workers)))
    for persistent in (False, True):
        yield f"second epoch of 2000, persistent_workers={persistent}", "/s", lambda: second_epoch(
            loader(torch.utils.data.Subset(data["transform"], range(2000)), 64, num_workers=2, persistent_workers=persistent))
    yield "leaving after three batches, 2 workers", "ms", lambda: leaving(loader(data["transform"], 64, num_workers=2))


def child(side, folder, only):
    if side == "winnow":
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "python"))
        import winnow._hook

        winnow._hook.install()
    import torch

    found = {}
    for name, unit, run in cases(torch, folder):
        if not only or any(word in name for word in only):
            found[name] = run(), unit
    print(json.dumps(found))


def write_digits(folder):
    """MNIST's training files with random pixels."""
    raw = os.path.join(folder, "MNIST", "raw")
    os.makedirs(raw)
    for kind, shape in (("images-idx3", (COUNT, 28, 28)), ("labels-idx1", (COUNT,))):
        size = 1
        for n in shape:
            size *= n
        data = os.urandom(size) if len(shape) == 3 else bytes(i % 10 for i in range(size))
        with open(os.path.join(raw, f"train-{kind}-ubyte"), "wb") as file:
            file.write(struct.pack(f">HBB{len(shape)}I", 0, 8, len(shape), *shape) + data)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--child", nargs=2)
    options = parser.parse_args()
    if options.child:
        return child(*options.child, options.only)
    times = {}
    with tempfile.TemporaryDirectory() as folder:
        write_digits(folder)
        for _ in range(options.pairs):
            for side in ("winnow", "torch"):
                line = [sys.executable, os.path.abspath(__file__), "--child", side, folder, "--only", *options.only]
                done = subprocess.run(line, stdout=subprocess.PIPE, text=True, check=True)
                for name, (value, unit) in json.loads(done.stdout.splitlines()[-1]).items():
                    times.setdefault((name, unit), {"winnow": [], "torch": []})[side].append(value)
    print(f"{'':52} {'winnow':>12} {'PyTorch':>12}     better by")
    for (name, unit), both in times.items():
        ratios = [a / b if unit == "/s" else b / a for a, b in zip(both["winnow"], both["torch"])]
        ours, theirs = statistics.median(both["winnow"]), statistics.median(both["torch"])
        print(f"{name:52} {ours:12.{0 if unit == '/s' else 2}f} {theirs:12.{0 if unit == '/s' else 2}f} {unit:3} {statistics.median(ratios):8.1f}x")


if __name__ == "__main__":
    main()
