"""Random images."""
import torch
from ._image import _image
from .vision import VisionDataset


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
