"""Files of other formats, without NumPy or another package: npy, npz, safetensors. These names are winnow's own; torch has none.

    x = winnow.io.load_npy("x.npy")                  # or mmap=True: pages are read when they are touched
    winnow.io.save_npy("x.npy", x)
    tensors = winnow.io.load_npz("all.npz")          # {name: tensor}, compressed or not
    tensors, metadata = winnow.io.load_safetensors("model.safetensors", mmap=True)
    winnow.io.save_safetensors("model.safetensors", {"w": w}, {"format": "pt"})

Files are checked before anything is returned (docs/python.md), and written beside their place and renamed.
"""
import os

from . import _C
from ._construct import Tensor

__all__ = ["load_npy", "save_npy", "load_npz", "load_safetensors", "save_safetensors"]


def _existing(path):
    """The path; what open() would raise for one that cannot be read."""
    with open(path, "rb"):
        return path


def load_npy(path, mmap=False):
    """The array in a .npy file. mmap=True: a tensor that lies in the file; writing to it never changes the file."""
    return _C._load_npy(_existing(path), mmap)


def save_npy(path, tensor):
    """Writes a .npy file that NumPy reads. There is no bfloat16 in it: convert, or use safetensors."""
    _C._save_npy(path, tensor.detach() if isinstance(tensor, Tensor) else tensor)


def load_npz(path):
    """{name: tensor} of a .npz file."""
    return _C._load_npz(_existing(path))[0]


def load_safetensors(path, mmap=False):
    """({name: tensor}, {key: text}) of a .safetensors file."""
    return _C._load_safetensors(_existing(path), mmap)


def save_safetensors(path, tensors, metadata=None):
    """Writes a dict of tensors, in row-major order whatever their strides are, and a dict of texts."""
    dense = {name: _dense(name, t) for name, t in tensors.items()}
    _C._save_safetensors(os.fspath(path), dense, metadata)


def _dense(name, t):
    from ._types import strided

    if isinstance(t, Tensor) and t.layout is not strided:
        raise ValueError(f"safetensors holds strided tensors only, and {name!r} has layout {t.layout}: call .to_dense() first")
    return t
