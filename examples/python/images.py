"""Small grey images for the examples beside this file: Fashion-MNIST where Debian's package dataset-fashion-mnist is installed,
else the hand-written digits in examples/data. The same files, read with nothing but gzip and torch."""
import gzip
import os

import torch
from torch.utils.data import Dataset

FASHION = "/usr/share/datasets/fashion-mnist"
DIGITS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")


def read_idx(path):
    """A file of the IDX format, unsigned bytes, as a tensor."""
    with gzip.open(path, "rb") as file:
        data = bytearray(file.read())
    if data[:3] != b"\0\0\x08":
        raise ValueError(f"{path}: no IDX file of bytes")
    dims = [int.from_bytes(data[4 + 4 * i:8 + 4 * i], "big") for i in range(data[3])]
    return torch.frombuffer(data, dtype=torch.uint8, offset=4 + 4 * len(dims)).view(*dims)


class Images(Dataset):
    """(image, label): 1 x side x side floats in 0..1, or what transform makes of them, and the class, 0..9."""

    def __init__(self, train=True, side=28, transform=None, source="auto"):
        if source == "auto":
            source = "fashion" if os.path.exists(os.path.join(FASHION, "train-images-idx3-ubyte.gz")) else "digits"
        part = "train" if train else "test"
        if source == "fashion":
            prefix = os.path.join(FASHION, "train" if train else "t10k")
        else:
            prefix = os.path.join(DIGITS, f"digits-{part}")
        self.images = read_idx(prefix + "-images-idx3-ubyte.gz")
        self.labels = read_idx(prefix + "-labels-idx1-ubyte.gz").long()
        self.transform = transform
        if self.images.shape[-1] != side:
            images = self.images.unsqueeze(1).float()
            images = torch.nn.functional.interpolate(images, size=(side, side), mode="bilinear", align_corners=False)
            self.images = images.round_().squeeze_(1).to(torch.uint8)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        image = self.images[index].unsqueeze(0).float().div_(255)
        if self.transform is not None:
            image = self.transform(image)
        return image, self.labels[index]
