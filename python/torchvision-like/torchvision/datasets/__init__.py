"""Data sets from files that are there: nothing is downloaded. Images are PIL's where PIL is installed, otherwise tensors that ToTensor
(and the other transforms) of this torchvision take."""
from .cifar import CIFAR10, CIFAR100
from .fakedata import FakeData
from .folder import DatasetFolder, ImageFolder
from .mnist import FashionMNIST, KMNIST, MNIST
from .stl10 import STL10
from .vision import VisionDataset

__all__ = ["VisionDataset", "MNIST", "FashionMNIST", "KMNIST", "CIFAR10", "CIFAR100", "FakeData", "ImageFolder", "DatasetFolder", "STL10"]


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"module 'torchvision.datasets' has no attribute '{name}': winnow's small torchvision has {', '.join(__all__)}")
