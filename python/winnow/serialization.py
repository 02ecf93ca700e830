"""torch.save and torch.load: PyTorch's file format, both ways.

A file holds a pickle (data.pkl) in which every storage is a persistent id, and the storages' bytes, stored as they are. load() runs
the pickle on a machine of its own (_unpickle.py): a fixed list of globals, nothing else is called. weights_only=False makes no
difference: what a file says is never executed; classes of yours are let in by add_safe_globals.
"""
import os
import sys
from pickle import UnpicklingError

from ._load import Loader, load_legacy
from ._save import write
from ._types import check_device, device as _device

__all__ = ["save", "load", "add_safe_globals", "clear_safe_globals", "get_safe_globals", "safe_globals", "get_unsafe_globals_in_checkpoint",
           "set_default_mmap_options", "get_default_mmap_options", "set_crc32_options", "get_crc32_options", "LoadEndianness",
           "get_default_load_endianness", "set_default_load_endianness"]

DEFAULT_PROTOCOL = 2
_trusted = []  # classes and functions, or (thing, "its.full.name")


# ------------------------------------------------------------------ what the user lets in

def add_safe_globals(safe_globals):
    """Lets load() make objects of these classes (or (class, "full.name in the file")), and set their state."""
    for item in safe_globals:
        if item not in _trusted:
            _trusted.append(item)


def get_safe_globals():
    """What add_safe_globals let in."""
    return list(_trusted)


def clear_safe_globals():
    """Forgets all of them."""
    _trusted.clear()


class safe_globals:
    """Context: add_safe_globals until its end."""

    def __init__(self, safe_globals):
        self.more = list(safe_globals)

    def __enter__(self):
        self.before = get_safe_globals()
        add_safe_globals(self.more)

    def __exit__(self, *exc):
        _trusted[:] = self.before


def get_unsafe_globals_in_checkpoint(f):
    """The globals in a file that load() would refuse, as "module.name"."""
    with _opened(f, "rb") as file:
        return Loader(file, _trusted).unsafe_globals()


# ------------------------------------------------------------------ options that PyTorch has

class LoadEndianness:
    """Byte orders of files without a byteorder record."""
    NATIVE, LITTLE, BIG = 1, 2, 3


_endianness = None


def get_default_load_endianness():
    return _endianness


def set_default_load_endianness(endianness):
    global _endianness
    if endianness is not None and endianness not in (LoadEndianness.NATIVE, LoadEndianness.LITTLE, LoadEndianness.BIG):
        raise TypeError("Invalid argument type in function set_default_load_endianness")
    _endianness = endianness


def get_default_mmap_options():
    import mmap

    return mmap.MAP_PRIVATE


class set_default_mmap_options:
    """Accepted; mappings are always private: writing to a loaded tensor never changes the file."""

    def __init__(self, flags):
        import mmap

        if flags != mmap.MAP_PRIVATE:
            raise ValueError("winnow maps files with MAP_PRIVATE only: writing to a loaded tensor must not change the file")

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return None


def get_crc32_options():
    return True


def set_crc32_options(compute_crc32):
    """Accepted; checksums are always written."""


# ------------------------------------------------------------------ files

def _is_path(f):
    return isinstance(f, (str, os.PathLike))


class _opened:
    """A file by its path, closed at the end, or a file-like object as it is."""

    def __init__(self, f, mode):
        self.mine = _is_path(f)
        if not self.mine:
            need = ("write",) if mode == "wb" else ("read", "seek", "tell")
            lacking = [name for name in need if not hasattr(f, name)]
            if lacking:
                raise AttributeError(f"'{type(f).__name__}' object has no attribute '{lacking[0]}': torch.{'save' if mode == 'wb' else 'load'} takes "
                                     "a path or a file-like object" + ("" if mode == "wb" else " that can seek (read it into an io.BytesIO first)"))
        self.file = open(f, mode) if self.mine else f

    def __enter__(self):
        return self.file

    def __exit__(self, *exc):
        if self.mine:
            self.file.close()


_saves = 0


def _write_file(path, function):
    """function(file), on a temporary file beside path that takes its place when it is complete: there is never half a file."""
    global _saves
    path = os.path.realpath(path)
    try:
        old = os.stat(path)
    except FileNotFoundError:
        old = None
    import stat

    if old is not None and not stat.S_ISREG(old.st_mode):  # a device, a pipe
        with open(path, "wb") as file:
            return function(file)
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        raise RuntimeError(f"Parent directory {folder} does not exist.")
    if old is not None and not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied", path)
    _saves += 1
    temporary = os.path.join(folder, f".winnow-{os.getpid()}-py{_saves}.tmp")
    file = os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb", 1 << 16)
    try:
        with file:
            function(file)
            file.flush()
            os.fsync(file.fileno())
        if old is not None:
            os.chmod(temporary, stat.S_IMODE(old.st_mode))
        os.replace(temporary, path)
    except BaseException:
        try:
            os.unlink(temporary)
        except OSError:
            pass
        raise


# ------------------------------------------------------------------ save and load

def save(obj, f, pickle_module=None, pickle_protocol=DEFAULT_PROTOCOL, _use_new_zipfile_serialization=True, _disable_byteorder_record=False):
    """Writes obj (tensors, parameters, containers, numbers, strings, objects that can be pickled) to a path, atomically, or to a
    file-like object, in PyTorch's format. Views of one storage keep sharing it."""
    if not _use_new_zipfile_serialization:
        raise NotImplementedError("winnow writes the zip format of PyTorch 1.6 and later only")
    if not 2 <= pickle_protocol <= 5:
        raise ValueError(f"pickle protocol {pickle_protocol}: 2 to 5 are supported")
    if _is_path(f):
        name = os.path.splitext(os.path.basename(os.fspath(f)))[0] or "archive"
        if isinstance(name, bytes):
            name = os.fsdecode(name)
        name = name.encode("utf-8", "replace").decode()
        _write_file(os.fspath(f), lambda file: write(obj, file, name, pickle_protocol, not _disable_byteorder_record))
        return
    with _opened(f, "wb") as file:
        write(obj, file, "archive", pickle_protocol, not _disable_byteorder_record)


def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **pickle_load_args):
    """Reads what torch.save wrote, here or in PyTorch. mmap=True maps the file: storages are read when they are used, and stay private.
    weights_only=False is accepted and changes nothing: only data and what add_safe_globals let in is loaded."""
    if weights_only and pickle_module is not None:
        raise RuntimeError("Can not safely load weights when explicit pickle_module is specified")
    locate = _location(map_location)
    if mmap and not _is_path(f):
        raise ValueError("f must be a file path in order to use the mmap argument")
    encoding = pickle_load_args.get("encoding", "utf-8")
    with _opened(f, "rb") as file:
        magic = file.read(4)
        if not magic:
            raise EOFError("Ran out of input")
        file.seek(0)
        big = _endianness == LoadEndianness.BIG or (_endianness == LoadEndianness.NATIVE and sys.byteorder == "big")
        if magic == b"PK\3\4":
            return Loader(file, _trusted, locate=locate, mmap=bool(mmap), encoding=encoding, big=big).load()
        if magic[:1] != b"\x80":
            raise UnpicklingError("Weights only load failed: the file is neither a zip archive of torch.save nor a pickle")
        if mmap:
            raise RuntimeError("mmap can only be used with files saved with `torch.save(_use_new_zipfile_serialization=True)`")
        return load_legacy(file, _trusted, locate=locate, encoding=encoding)


def _location(map_location):
    """What is done about the devices that a file names: function(tensor of the storage, location), or None. Everything is loaded to
    the CPU; a map_location that wants another device is an error."""
    if map_location is None:
        return None
    if isinstance(map_location, (str, _device)):
        check_device(map_location)
        return None
    if isinstance(map_location, dict):
        def by_name(flat, location):
            check_device(map_location.get(location, "cpu"))
        return by_name
    if callable(map_location):
        def by_function(flat, location):
            got = map_location(flat.untyped_storage(), location)
            if got is not None and not hasattr(got, "nbytes"):
                raise RuntimeError(f"map_location returned a {type(got).__name__}, which is no storage")
        return by_function
    raise TypeError(f"map_location: a device, a string, a dict or a function, not {type(map_location).__name__}")
