"""A small safetensors of winnow's, which programs find under `python -m winnow` (docs/python.md). The file format is read and
written by the engine (src/io/safetensors.c); here are the package's names."""
import os

from winnow.io import load_safetensors

__version__ = "0.8.0+winnow"
__all__ = ["SafetensorError", "safe_open"]


class SafetensorError(Exception):
    """A file that is damaged, or a tensor that it does not have."""


_NAMES = {"float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16", "int64": "I64", "int32": "I32", "int16": "I16", "int8": "I8",
          "uint8": "U8", "bool": "BOOL"}


def _read(filename, mmap):
    """load_safetensors with the package's exceptions."""
    if not os.path.exists(filename):
        raise FileNotFoundError(f"No such file or directory: {os.fspath(filename)}")
    try:
        return load_safetensors(filename, mmap)
    except (ValueError, RuntimeError) as error:
        raise SafetensorError(f"Error while deserializing header: {error}") from None


def _on_cpu(device):
    from winnow._types import check_device

    check_device(device)


class safe_open:
    """The tensors of a file, which is mapped: they are read when they are used.

        with safe_open("model.safetensors", framework="pt") as f:
            for name in f.keys():
                tensor = f.get_tensor(name)
    """

    def __init__(self, filename, framework, device="cpu", *, backend="mmap"):
        if framework not in ("pt", "torch", "pytorch", "np", "numpy"):
            raise SafetensorError(f"framework {framework!r} is invalid: winnow has 'pt' and 'numpy'")
        if backend not in ("mmap", "pread"):
            raise SafetensorError(f"backend {backend!r} is invalid: 'mmap' and 'pread' are supported")
        _on_cpu(device)
        self._numpy = framework in ("np", "numpy")
        self._tensors, self._metadata = _read(filename, backend == "mmap")

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self._tensors = None

    def _open(self):
        if self._tensors is None:
            raise SafetensorError("File is closed")
        return self._tensors

    def _give(self, t):
        return t.numpy() if self._numpy else t

    def keys(self):
        """The names of the tensors, sorted."""
        return sorted(self._open())

    def offset_keys(self):
        """The names in the order of the header, which is that of the tensors' places in the file."""
        return list(self._open())

    def metadata(self):
        """The texts of the header, or None."""
        self._open()
        return dict(self._metadata) or None

    def _find(self, name):
        try:
            return self._open()[name]
        except KeyError:
            raise SafetensorError(f"File does not contain tensor {name}") from None

    def get_tensor(self, name):
        """A tensor."""
        return self._give(self._find(name).detach())

    def get_tensors(self):
        """All of them, by name."""
        return {name: self.get_tensor(name) for name in self.offset_keys()}

    def get_slice(self, name):
        """Something that is indexed as the tensor, and asked for get_shape() and get_dtype()."""
        return _Slice(self._find(name), self._give)


class _Slice:
    def __init__(self, tensor, give):
        self._tensor, self._give = tensor, give

    def get_shape(self):
        return list(self._tensor.shape)

    def get_dtype(self):
        return _NAMES[str(self._tensor.dtype).rpartition(".")[2]]

    def __getitem__(self, index):
        return self._give(self._tensor[index].contiguous())
