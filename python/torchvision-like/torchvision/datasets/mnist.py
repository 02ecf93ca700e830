"""MNIST and its like, from IDX files."""
import gzip
import os
import struct

import torch
from ._image import _image
from .vision import VisionDataset


def _idx(path):
    """The tensor in an IDX file (big endian sizes, then bytes), packed with gzip or not."""
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rb") as file:
        zero, kind, dims = struct.unpack(">HBB", file.read(4))
        if zero != 0 or kind != 8 or dims not in (1, 3):
            raise ValueError(f"{path}: not an IDX file of bytes")
        shape = struct.unpack(f">{dims}I", file.read(4 * dims))
        n = 1
        for s in shape:
            n *= s
        data = torch.empty(shape, dtype=torch.uint8)  # read into its memory: huge pages, of which a fork copies only the table's upper level
        found = file.readinto(memoryview(data).cast("B")) if n else 0
        found += len(file.read(1))
    if found != n:
        raise ValueError(f"{path}: {n} bytes expected for a shape of {shape}, found {'more' if found > n else found}")
    return data



class MNIST(VisionDataset):
    """Handwritten digits from root/MNIST/raw (or root itself): the four IDX files, packed or not."""
    classes = ["0 - zero", "1 - one", "2 - two", "3 - three", "4 - four", "5 - five", "6 - six", "7 - seven", "8 - eight", "9 - nine"]

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.train = train
        part = "train" if train else "t10k"
        paths = [self._find(f"{part}-{kind}-ubyte") for kind in ("images-idx3", "labels-idx1")]
        if None in paths:
            raise RuntimeError(f"Dataset not found in {self.raw_folder} (winnow downloads nothing: put the IDX files there)")
        self.data, self.targets = _idx(paths[0]), _idx(paths[1]).long()

    raw_folder = property(lambda self: os.path.join(self.root, type(self).__name__, "raw"))
    class_to_idx = property(lambda self: {c: i for i, c in enumerate(self.classes)})

    def _find(self, name):
        for folder in (self.raw_folder, self.root):
            for end in ("", ".gz"):
                path = os.path.join(folder, name + end)
                if os.path.isfile(path):
                    return path
        return None

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self._transformed(_image(self.data[index]), int(self.targets[index]))

    def _winnow_rows(self):
        """For DataLoader (`utils/data/_utils/rows.py`): tensors, and what makes a batch of their rows, where that is the same as
        going through the samples; else None."""
        from ..transforms import on_batches

        kind, data, targets = type(self), self.data, self.targets
        if kind.__getitem__ is not MNIST.__getitem__ or kind._transformed is not VisionDataset._transformed or self.transforms is not None:
            return None
        if not (_rows_of(data, 3, torch.uint8) and _rows_of(targets, 1, torch.int64) and len(data) == len(targets)):
            return None
        transform = on_batches(self.transform) if self.target_transform is None else None
        return transform and ((data, targets), lambda rows: [transform(rows[0]), rows[1]])


def _rows_of(x, dims, dtype):
    return isinstance(x, torch.Tensor) and x.dim() == dims and x.dtype is dtype


class FashionMNIST(MNIST):
    """Articles of clothing, in files like MNIST's."""
    classes = ["T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"]


class KMNIST(MNIST):
    """Japanese characters, in files like MNIST's."""
    classes = ["o", "ki", "su", "tsu", "na", "ha", "ma", "ya", "re", "wo"]
