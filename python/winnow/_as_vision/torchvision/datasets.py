"""Data sets from files that are there: nothing is downloaded. Images are PIL's where PIL is installed, otherwise tensors that ToTensor
(and the other transforms) of this torchvision take."""
import codecs
import functools
import gzip
import importlib
import os
import pickle
import struct

import torch
from torch.utils.data import Dataset

__all__ = ["VisionDataset", "MNIST", "FashionMNIST", "KMNIST", "CIFAR10", "CIFAR100", "FakeData", "ImageFolder", "DatasetFolder"]


class VisionDataset(Dataset):
    """A data set in a folder, with transforms of image and target."""

    def __init__(self, root=None, transforms=None, transform=None, target_transform=None):
        if transforms is not None and (transform is not None or target_transform is not None):
            raise ValueError("Only transforms or transform/target_transform can be passed as argument")
        self.root = os.path.expanduser(root) if isinstance(root, str) else root
        self.transforms, self.transform, self.target_transform = transforms, transform, target_transform

    def _transformed(self, image, target):
        if self.transforms is not None:
            return self.transforms(image, target)
        image = image if self.transform is None else self.transform(image)
        return image, target if self.target_transform is None else self.target_transform(target)

    def __repr__(self):
        return f"Dataset {type(self).__name__}\n    Number of datapoints: {len(self)}\n    Root location: {self.root}"


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


class _Bytes:
    """An image without PIL: what ToTensor takes of an array, (H, W) or (H, W, C)."""

    def __init__(self, pixels):
        self.pixels, self.height, self.width = pixels, pixels.shape[0], pixels.shape[1]
        self.mode = "L" if pixels.dim() == 2 else "RGB"
        self.size = self.width, self.height

    def getbands(self):
        return tuple(self.mode)

    def tobytes(self):
        return memoryview(self.pixels.contiguous()).tobytes()

    def crop(self, box):
        from .transforms.transforms import _crop

        left, top, right, bottom = box
        image = self.pixels if self.pixels.dim() == 2 else self.pixels.permute(2, 0, 1)
        image = _crop(image, top, left, bottom - top, right - left)
        return _Bytes(image if self.pixels.dim() == 2 else image.permute(1, 2, 0))

    def transpose(self, method):
        return _Bytes(self.pixels.flip(1 if method == 0 else 0))

    def resize(self, size, method=2):
        raise RuntimeError("this needs PIL, which is not installed: put ToTensor() before Resize")


@functools.cache
def _pil():
    """PIL.Image, or None. Looking for a module that is not there takes 0.1 ms."""
    try:
        from PIL import Image
    except ImportError:
        return None
    return Image


def _image(pixels):
    """Bytes (H, W) or (H, W, 3) as an image."""
    if _pil() is None:
        return _Bytes(pixels)
    return _pil().frombytes("L" if pixels.dim() == 2 else "RGB", (pixels.shape[1], pixels.shape[0]), _Bytes(pixels).tobytes())


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
        from .transforms import on_batches

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


class FakeData(VisionDataset):
    """Random images and labels, always the same for an index."""

    def __init__(self, size=1000, image_size=(3, 224, 224), num_classes=10, transform=None, target_transform=None, random_offset=0):
        super().__init__(None, transform=transform, target_transform=target_transform)
        self.size, self.image_size, self.num_classes, self.random_offset = size, image_size, num_classes, random_offset

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        if index >= len(self):
            raise IndexError(f"{type(self).__name__} index out of range")
        generator = torch.Generator().manual_seed(index + self.random_offset)
        image = torch.randn(self.image_size, generator=generator)
        target = torch.randint(0, self.num_classes, (1,), generator=generator).item()
        pixels = (image * 255).to(torch.int64) % 256
        return self._transformed(_image(pixels.to(torch.uint8).permute(1, 2, 0) if len(self.image_size) == 3 else pixels), target)


IMG_EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")


def default_loader(path):
    """The image of a file, by PIL."""
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError(f"reading {path} needs PIL (Pillow), which is not installed") from error
    with open(path, "rb") as file:
        return Image.open(file).convert("RGB")


class DatasetFolder(VisionDataset):
    """Files in folders: root/<class>/.../<file>."""

    def __init__(self, root, loader, extensions=None, transform=None, target_transform=None, is_valid_file=None, allow_empty=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        if (extensions is None) == (is_valid_file is None):
            raise ValueError("Both extensions and is_valid_file cannot be None or not None at the same time")
        fits = is_valid_file or (lambda path: path.lower().endswith(tuple(extensions)))
        self.loader, self.extensions = loader, extensions
        self.classes = sorted([e.name for e in os.scandir(self.root) if e.is_dir()])
        if not self.classes:
            raise FileNotFoundError(f"Couldn't find any class folder in {self.root}.")
        self.class_to_idx = {c: i for i, c in enumerate(self.classes)}
        self.samples, empty = [], []
        for name, number in self.class_to_idx.items():
            paths = [os.path.join(folder, f) for folder, _, files in sorted(os.walk(os.path.join(self.root, name), followlinks=True))
                     for f in sorted(files)]
            found = [(p, number) for p in paths if fits(p)]
            self.samples += found
            if not found:
                empty.append(name)
        if empty and not allow_empty:
            raise FileNotFoundError(f"Found no valid file for the classes {', '.join(empty)}.")
        self.targets = [t for _, t in self.samples]

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, index):
        path, target = self.samples[index]
        return self._transformed(self.loader(path), target)


class ImageFolder(DatasetFolder):
    """Images in folders: root/<class>/.../<file>."""

    def __init__(self, root, transform=None, target_transform=None, loader=default_loader, is_valid_file=None, allow_empty=False):
        super().__init__(root, loader, None if is_valid_file else IMG_EXTENSIONS, transform, target_transform, is_valid_file, allow_empty)
        self.imgs = self.samples


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"module 'torchvision.datasets' has no attribute '{name}': winnow's small torchvision has {', '.join(__all__)}")
