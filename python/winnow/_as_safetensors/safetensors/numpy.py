"""safetensors.numpy: the same for dicts of NumPy arrays."""
import numpy

import winnow

from . import torch as _torch

__all__ = ["save", "save_file", "load", "load_file"]


def _tensors(arrays):
    return {name: winnow.from_numpy(numpy.array(a, order="C")) for name, a in arrays.items()}


def _arrays(tensors):
    return {name: t.numpy() for name, t in tensors.items()}


def save_file(tensor_dict, filename, metadata=None):
    """Writes a dict of arrays."""
    _torch.save_file(_tensors(tensor_dict), filename, metadata)


def load_file(filename, *, backend="mmap"):
    """The dict of arrays in a file."""
    return _arrays(_torch.load_file(filename, backend=backend))


def save(tensor_dict, metadata=None):
    """The bytes of the file that save_file writes."""
    return _torch.save(_tensors(tensor_dict), metadata)


def load(data):
    """The dict of arrays in the bytes of a file."""
    return _arrays(_torch.load(data))
