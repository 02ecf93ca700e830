"""Tensors on the memory of files (torch.from_file)."""
import mmap
import os

from . import _construct
from ._kinds import need
from ._types import check_device

_names = {}  # address of a mapping that writes to its file -> the file's name


class _Mapping(mmap.mmap):
    """A mapping of a file; _names knows it while it lives."""
    address = None

    def __del__(self):
        _names.pop(self.address, None)


def name_of(address):
    """The name of the file whose memory begins there and is written to; None for other memory."""
    return _names.get(address)


def _file(name, shared):
    try:
        return os.open(name, (os.O_RDWR | os.O_CREAT if shared else os.O_RDONLY) | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise RuntimeError(f"unable to open file <{name}> in {'read-write' if shared else 'read-only'} mode: {error.strerror} ({error.errno})") from None


def _mapped(name, shared, nbytes):
    fd = _file(name, shared)
    try:
        size = os.fstat(fd).st_size
        if shared and size < nbytes:
            os.truncate(fd, nbytes)
        elif size < nbytes:
            raise RuntimeError(f"file <{name}> size <{size}> is smaller than the required mapping size <{nbytes}>")
        return _Mapping(fd, nbytes, access=mmap.ACCESS_WRITE if shared else mmap.ACCESS_COPY)
    except (OSError, ValueError) as error:
        raise RuntimeError(f"unable to mmap {nbytes} bytes from file <{name}>: {error}") from None
    finally:
        os.close(fd)


def from_file(filename, shared=None, size=0, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """A vector of the first size elements of a file. shared: what is written to it goes to the file, which is made larger where it is too small;
    otherwise the file stays as it is."""
    need("from_file", str, filename=filename)
    if device is not None:
        check_device(device)
    dtype = dtype or _construct._C.get_default_dtype()
    nbytes = size * dtype.itemsize
    if nbytes < 0:
        raise RuntimeError(f"unable to mmap {nbytes} bytes from file <{filename}>: a size is not negative")
    if nbytes == 0:
        os.close(_file(filename, shared))
        vector = _construct._empty(0, dtype=dtype)
    else:
        mapping = _mapped(filename, shared, nbytes)
        vector = _construct.frombuffer(mapping, dtype=dtype)
        if shared:
            mapping.address = vector.data_ptr()
            _names[mapping.address] = filename
    return _construct.with_grad(vector, requires_grad)
