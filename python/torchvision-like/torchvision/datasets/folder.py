"""Images and other files in folders, a folder for each class."""
import os

from .vision import VisionDataset


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
