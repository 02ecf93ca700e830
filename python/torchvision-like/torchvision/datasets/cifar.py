"""CIFAR, from the files of the Python version."""
import codecs
import importlib
import os
import pickle

import torch
from ._image import _Bytes
from .vision import VisionDataset


class _Batches(pickle.Unpickler):
    """Reads CIFAR's files, pickles of Python 2: containers, bytes and arrays of NumPy's, nothing else."""

    def find_class(self, module, name):
        if (module, name) in (("numpy.core.multiarray", "_reconstruct"), ("numpy", "ndarray"), ("numpy", "dtype"), ("numpy._core.multiarray", "_reconstruct")):
            import numpy

            return getattr(importlib.import_module("numpy._core.multiarray" if hasattr(numpy, "_core") else "numpy.core.multiarray"), name, None) or getattr(numpy, name)
        if (module, name) == ("_codecs", "encode"):
            return codecs.encode
        raise pickle.UnpicklingError(f"{module}.{name} does not belong in a file of CIFAR")


class CIFAR10(VisionDataset):
    """60,000 images of 32x32 in ten classes, from the files of the Python version (Krizhevsky 2009) in <root>/cifar-10-batches-py. data: NumPy's uint8
    [N, 32, 32, 3]; targets: a list. Nothing is downloaded."""
    base_folder = "cifar-10-batches-py"
    _train, _test, _meta, _names, _labels = [f"data_batch_{i}" for i in range(1, 6)], ["test_batch"], "batches.meta", "label_names", "labels"

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        import numpy

        super().__init__(root, transform=transform, target_transform=target_transform)
        self.train, folder = train, os.path.join(self.root, self.base_folder)
        if not os.path.isdir(folder):
            raise RuntimeError(f"Dataset not found or corrupted: there is no {folder} (winnow downloads nothing)")
        parts, self.targets = [], []
        for name in self._train if train else self._test:
            entry = self._read(os.path.join(folder, name))
            parts.append(entry["data"])
            self.targets.extend(entry[self._labels])
        self.data = numpy.ascontiguousarray(numpy.vstack(parts).reshape(-1, 3, 32, 32).transpose((0, 2, 3, 1)))
        self.classes = self._read(os.path.join(folder, self._meta))[self._names]
        self.class_to_idx = {name: i for i, name in enumerate(self.classes)}

    @staticmethod
    def _read(path):
        with open(path, "rb") as file:
            return _Batches(file, encoding="latin1").load()

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        image = self.data[index]
        try:
            from PIL import Image
        except ImportError:
            image = _Bytes(torch.from_numpy(image))
        else:
            image = Image.fromarray(image)
        return self._transformed(image, self.targets[index])


class CIFAR100(CIFAR10):
    """The same in a hundred classes, in <root>/cifar-100-python."""
    base_folder = "cifar-100-python"
    _train, _test, _meta, _names, _labels = ["train"], ["test"], "meta", "fine_label_names", "fine_labels"
