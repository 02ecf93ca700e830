"""winnow's small torchvision, on winnow where no torchvision is installed."""
import gzip
import os
import struct
import tempfile
import unittest
import zlib
from importlib.util import find_spec

import torch

from helper import WINNOW, Case

ours = WINNOW and find_spec("torchvision") is not None and "torchvision-like" in find_spec("torchvision").origin
if ours:
    from torchvision import datasets, transforms, utils


def write_idx(path, shape, data):
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "wb") as file:
        file.write(struct.pack(f">HBB{len(shape)}I", 0, 8, len(shape), *shape) + data)


@unittest.skipUnless(ours, "about winnow's torchvision")
class Datasets(Case):
    def mnist(self, folder, end):
        raw = os.path.join(folder, "MNIST", "raw")
        os.makedirs(raw)
        write_idx(os.path.join(raw, "train-images-idx3-ubyte" + end), (3, 4, 5), bytes(range(60)))
        write_idx(os.path.join(raw, "train-labels-idx1-ubyte" + end), (3,), bytes([7, 0, 2]))

    def test_mnist(self):
        for end in ("", ".gz"):
            with tempfile.TemporaryDirectory() as folder:
                self.mnist(folder, end)
                data = datasets.MNIST(folder, transform=transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5,), (0.5,))]))
                self.assertEqual((len(data), data.data.shape, data.targets.tolist()), (3, (3, 4, 5), [7, 0, 2]))
                image, label = data[1]
                self.assertEqual((image.shape, label), ((1, 4, 5), 0))
                self.close(image, (torch.arange(20.0, 40.0).reshape(1, 4, 5) / 255 - 0.5) / 0.5, 1e-6)
                batch = next(iter(torch.utils.data.DataLoader(data, batch_size=3)))
                self.assertEqual((batch[0].shape, batch[1].tolist()), ((3, 1, 4, 5), [7, 0, 2]))

    def test_batches_are_the_samples(self):
        """The loader takes MNIST by rows where the transforms allow it; the numbers are those of going through the images."""
        T = transforms

        class Own(datasets.MNIST):
            raw_folder = property(lambda self: os.path.join(self.root, "MNIST", "raw"))

            def __getitem__(self, i):
                return super().__getitem__(i)

        class Brighter(T.ToTensor):
            def __call__(self, pic):
                return super().__call__(pic) + 1
        cases = [(T.ToTensor(), True), (T.Compose([T.ToTensor(), T.Normalize((0.1307,), (0.3081,))]), True),
                 (T.Compose([T.Compose([T.ToTensor()]), T.Normalize(0.5, 0.25), T.ConvertImageDtype(torch.float64)]), True),
                 (T.Compose([T.ToTensor(), T.Normalize((0.1, 0.2, 0.3), (0.5, 0.5, 0.5))]), True), (Brighter(), False),
                 (T.Compose([T.ToTensor(), T.Lambda(lambda x: x.mean())]), False), (T.Compose([T.ToTensor(), T.RandomHorizontalFlip()]), False)]
        with tempfile.TemporaryDirectory() as folder:
            self.mnist(folder, "")
            for transform, by_rows in cases:
                data, own = datasets.MNIST(folder, transform=transform), Own(folder, transform=transform)
                self.assertEqual((data._winnow_rows() is not None, own._winnow_rows()), (by_rows, None))
                for options in ({}, {"shuffle": True}, {"num_workers": 1}):
                    if options and not by_rows:
                        continue
                    seen = []
                    for kind in (data, own):
                        torch.manual_seed(1)
                        seen.append([x for batch in torch.utils.data.DataLoader(kind, batch_size=2, **options) for x in batch])
                    self.assertEqual(len(seen[0]), 4)
                    for a, b in zip(*seen, strict=True):
                        self.same(a, b)
            data = datasets.MNIST(folder, transform=T.ToTensor(), target_transform=lambda y: y + 1)
            self.assertEqual(next(iter(torch.utils.data.DataLoader(data, batch_size=3)))[1].tolist(), [8, 1, 3])
            data = datasets.MNIST(folder, transform=T.ToTensor())
            data.data, data.targets = data.data[1:], data.targets[1:]  # as programs do
            self.assertEqual([b[1].tolist() for b in torch.utils.data.DataLoader(data, batch_size=3)], [[0, 2]])

    def test_mnist_errors(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.raises(RuntimeError, "Dataset not found", "IDX"):
                datasets.FashionMNIST(folder)
            self.mnist(folder, "")
            with open(os.path.join(folder, "MNIST", "raw", "train-labels-idx1-ubyte"), "wb") as file:
                file.write(struct.pack(">HBBI", 0, 8, 1, 10 ** 9) + b"123")
            with self.raises(ValueError, "expected"):
                datasets.MNIST(folder)

    def test_fake_data(self):
        data = datasets.FakeData(size=3, image_size=(3, 6, 5), num_classes=4, transform=transforms.ToTensor())
        image, label = data[2]
        self.assertEqual(image.shape, (3, 6, 5))
        self.same(image, data[2][0])
        self.assertIn(label, range(4))
        self.assertRaises(IndexError, lambda: data[3])

    def test_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("b", "a"):
                os.makedirs(os.path.join(folder, name))
                open(os.path.join(folder, name, "1.png"), "w").close()
            data = datasets.ImageFolder(folder, loader=os.path.basename)
            self.assertEqual((data.class_to_idx, data[1]), ({"a": 0, "b": 1}, ("1.png", 1)))


@unittest.skipUnless(ours, "about winnow's torchvision")
class Transforms(Case):
    def test_crops(self):
        x = torch.arange(24.0).reshape(1, 4, 6)
        self.values(transforms.CenterCrop(2)(x), [[[8.0, 9.0], [14.0, 15.0]]])
        self.assertEqual(transforms.CenterCrop((6, 2))(x).shape, (1, 6, 2))
        self.assertEqual(transforms.RandomCrop(3, padding=1)(x).shape, (1, 3, 3))
        with self.raises(ValueError, "larger than input image size"):
            transforms.RandomCrop(9)(x)
        self.same(transforms.RandomHorizontalFlip(1.0)(x), x.flip(-1))
        self.same(transforms.RandomVerticalFlip(0.0)(x), x)
        self.same(transforms.Lambda(lambda v: v + 1)(x), x + 1)

    def test_resize(self):
        x = torch.rand(3, 4, 8)
        self.assertEqual(transforms.Resize(2)(x).shape, (3, 2, 4))
        self.assertEqual(transforms.Resize((5, 7))(x).shape, (3, 5, 7))
        flat = torch.full((1, 4, 4), 9, dtype=torch.uint8)
        self.values(transforms.Resize((2, 2))(flat), [[[9, 9], [9, 9]]], torch.uint8)

    def test_normalize(self):
        with self.raises(ValueError, "std evaluated to zero"):
            transforms.Normalize([0.0], [0.0])(torch.ones(1, 2, 2))
        with self.raises(TypeError, "float tensor"):
            transforms.Normalize([0.0], [1.0])(torch.ones(1, 2, 2, dtype=torch.uint8))

    def test_grid_and_file(self):
        x = torch.zeros(3, 1, 2, 2)
        x[1] = 1.0
        grid = utils.make_grid(x, nrow=2, padding=1, pad_value=0.5)
        self.assertEqual(grid.shape, (3, 7, 7))
        self.assertEqual(grid[0, 1].tolist(), [0.5, 0.0, 0.0, 0.5, 1.0, 1.0, 0.5])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.png")
            utils.save_image(x, path, nrow=2, padding=1)
            with open(path, "rb") as file:
                data = file.read()
        self.assertEqual(struct.unpack(">II", data[16:24]), (7, 7))
        n, = struct.unpack(">I", data[33:37])
        self.assertEqual(len(zlib.decompress(data[41:41 + n])), 7 * 22)
        with self.raises(ValueError, "PNG"):
            utils.save_image(x, "x.jpg")


if __name__ == "__main__":
    unittest.main()
