"""STL10 (Coates, Ng, Lee 2011), from its binary files."""
import os

from ._image import _image
from .vision import VisionDataset


class STL10(VisionDataset):
    """Images of 96x96 in ten classes, from <root>/stl10_binary. data: NumPy's uint8 [N, 3, 96, 96]; labels: int64, -1 for those without one. Nothing is
    downloaded."""
    base_folder = "stl10_binary"
    splits = ("train", "train+unlabeled", "unlabeled", "test")

    def __init__(self, root, split="train", folds=None, transform=None, target_transform=None, download=False):
        import numpy

        super().__init__(root, transform=transform, target_transform=target_transform)
        if split not in self.splits:
            raise ValueError(f"Unknown value '{split}' for argument split. Valid values are {self.splits}.")
        self.split, self.folds, parts, labels = split, folds, [], []
        for part in split.split("+"):
            data = self._bytes(part + "_X.bin").reshape(-1, 3, 96, 96).transpose(0, 1, 3, 2)
            parts.append(data)
            labels.append(numpy.full(len(data), -1) if part == "unlabeled" else self._bytes(part + "_y.bin").astype("int64") - 1)
        self.data, self.labels = numpy.concatenate(parts), numpy.concatenate(labels)
        names = os.path.join(self.root, self.base_folder, "class_names.txt")
        if os.path.isfile(names):
            with open(names) as file:
                self.classes = file.read().splitlines()
        if folds is not None and split.startswith("train"):
            with open(os.path.join(self.root, self.base_folder, "fold_indices.txt")) as file:
                chosen = numpy.fromstring(file.read().splitlines()[folds], dtype="int64", sep=" ")
            self.data, self.labels = self.data[chosen], self.labels[chosen]

    def _bytes(self, name):
        import numpy

        path = os.path.join(self.root, self.base_folder, name)
        if not os.path.isfile(path):
            raise RuntimeError(f"Dataset not found or corrupted: there is no {path} (winnow downloads nothing)")
        return numpy.fromfile(path, dtype="uint8")

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        import torch

        pixels = torch.from_numpy(self.data[index].transpose(1, 2, 0).copy())
        return self._transformed(_image(pixels), int(self.labels[index]))
