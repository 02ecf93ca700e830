"""torch.save and torch.load: PyTorch's file formats, both ways.

A file holds a pickle (data.pkl) in which every storage is a persistent id, and the storages' bytes, stored as they are. load() runs
the pickle on a machine of its own (_unpickle.py): a fixed list of globals (_globals.py), nothing else is called. What a file says is
never executed, with weights_only=False neither: classes of yours are let in by add_safe_globals, and weights_only=False lets in
modules and plain records whose classes the program has imported, and NumPy's numbers and arrays (_classes.py).
"""
import contextlib
import enum
import os
import sys
import typing
from pickle import UnpicklingError

from ._load import Loader, OldLoader, Options
from ._replace import naming, replace_file
from ._save import write, write_old
from ._types import check_device, device as _device
from ._zipfile import read_some

MAP_LOCATION = typing.Callable | _device | str | dict | None  # what load() takes, for programs' annotations

__all__ = ["save", "load", "add_safe_globals", "clear_safe_globals", "get_safe_globals", "safe_globals", "get_unsafe_globals_in_checkpoint",
           "set_default_mmap_options", "get_default_mmap_options", "set_crc32_options", "get_crc32_options", "LoadEndianness",
           "get_default_load_endianness", "set_default_load_endianness", "skip_data", "register_package", "location_tag",
           "default_restore_location", "SourceChangeWarning"]

DEFAULT_PROTOCOL = 2
_trusted = []  # classes and functions, or (thing, "its.full.name")


class SourceChangeWarning(Warning):
    """The source of a module changed since it was saved. Never given: sources are not saved."""


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
        return Loader(file, Options(_trusted)).unsafe_globals()


# ------------------------------------------------------------------ options that PyTorch has

class LoadEndianness(enum.Enum):
    """Byte orders of files without a byteorder record."""
    NATIVE = 1
    LITTLE = 2
    BIG = 3


_endianness = None


def get_default_load_endianness():
    """What set_default_load_endianness was given last; None: files that do not say theirs are little-endian."""
    return _endianness


def set_default_load_endianness(endianness):
    """Sets the byte order of files that do not say theirs; None: little-endian."""
    global _endianness
    if endianness is not None and not isinstance(endianness, LoadEndianness):
        raise TypeError("Invalid argument type in function set_default_load_endianness")
    _endianness = endianness


_mmap_flags = None  # MAP_PRIVATE: a loaded tensor can be written, the file stays as it is


def get_default_mmap_options():
    """The flags with which load(mmap=True) maps a file."""
    import mmap

    return mmap.MAP_PRIVATE if _mmap_flags is None else _mmap_flags


class set_default_mmap_options:
    """How load(mmap=True) maps files: MAP_PRIVATE, or MAP_SHARED (writing to a loaded tensor changes the file). From now on, or
    until the end of a with block."""

    def __init__(self, flags):
        import mmap

        global _mmap_flags
        if flags not in (mmap.MAP_PRIVATE, mmap.MAP_SHARED):
            raise ValueError(f"Invalid argument in function set_default_mmap_options, expected mmap.MAP_PRIVATE or mmap.MAP_SHARED, but got {flags}")
        self.before, _mmap_flags = _mmap_flags, flags

    __enter__ = lambda self: self

    def __exit__(self, *exc):
        global _mmap_flags
        _mmap_flags = self.before


def get_crc32_options():
    """True: archives have checksums."""
    return True


def set_crc32_options(compute_crc32):
    """Accepted; checksums are always written."""


_skipping = False


class skip_data:
    """Context: save() writes zeros where the storages' bytes would be, load() gives zeros and does not read them."""

    def __init__(self, materialize_fake_tensors=False):
        pass

    def __enter__(self):
        global _skipping
        self.before, _skipping = _skipping, True

    def __exit__(self, *exc):
        global _skipping
        _skipping = self.before


# ------------------------------------------------------------------ devices

_packages = []  # (priority, tagger, deserializer), the lowest priority first


def register_package(priority, tagger, deserializer):
    """tagger(storage) names the device of a storage in files, deserializer(storage, location) puts a loaded one there; both return
    None for what is not theirs. The lowest priority is asked first; winnow's own CPU has 10."""
    _packages.append((priority, tagger, deserializer))
    _packages.sort(key=lambda p: p[0])


def location_tag(storage):
    """The device of a storage, as files name it."""
    for _, tagger, _ in _packages:
        location = tagger(storage)
        if location:
            return location
    raise RuntimeError(f"don't know how to determine data location of {type(storage).__name__}")


def default_restore_location(storage, location):
    """The storage on the device of that name; everything is on the CPU."""
    for _, _, deserializer in _packages:
        result = deserializer(storage, location)
        if result is not None:
            return result
    raise RuntimeError(f"don't know how to restore data location of {type(storage).__name__} (tagged with {location})")


register_package(10, lambda storage: "cpu", lambda storage, location: storage if location == "cpu" else None)


def _restore_known(flat, location):
    """With packages of the user's: theirs are asked; devices that nobody knows are the CPU."""
    for _, _, deserializer in _packages:
        if deserializer(flat.untyped_storage(), location) is not None:
            return


# ------------------------------------------------------------------ files

def _get_layout(name):
    """torch.strided, torch.sparse_coo ... of this name, as pickles of layouts have it."""
    import winnow

    found = getattr(winnow, name.rpartition(".")[2], None)
    if not isinstance(found, winnow.layout):
        raise KeyError(name)
    return found


def _is_path(f):
    return isinstance(f, (str, os.PathLike))


@contextlib.contextmanager
def _opened(f, mode):
    """A file to read by its path, closed at the end, or a file-like object as it is."""
    if not _is_path(f):
        _check_object(f, "load", ("read", "seek", "tell"), " that can seek (read it into an io.BytesIO first)")
        yield f
        return
    with naming(os.fsdecode(f)), open(f, mode) as file:
        yield file


def _check_object(f, function, methods, more=""):
    lacking = [method for method in methods if not hasattr(f, method)]
    if lacking:
        raise AttributeError(f"'{type(f).__name__}' object has no attribute '{lacking[0]}': torch.{function} takes a path or a file-like object{more}")


# ------------------------------------------------------------------ save and load

def save(obj, f, pickle_module=None, pickle_protocol=DEFAULT_PROTOCOL, _use_new_zipfile_serialization=True, _disable_byteorder_record=False):
    """Writes obj (tensors, parameters, containers, numbers, strings, objects that can be pickled) to a path, atomically, or to a
    file-like object, in PyTorch's format. Views of one storage keep sharing it."""
    if not 2 <= pickle_protocol <= 5:
        raise ValueError(f"pickle protocol {pickle_protocol}: 2 to 5 are supported")

    def tag(flat):
        return "cpu" if len(_packages) == 1 else location_tag(flat.untyped_storage())

    def put(file, rewritable, name="archive"):
        if _use_new_zipfile_serialization:
            write(obj, file, name, pickle_protocol, tag, not _disable_byteorder_record, _skipping, rewritable)
        elif _skipping:
            raise RuntimeError("Cannot use skip_data=True with _use_new_zipfile_serialization=False")
        else:
            write_old(obj, file, pickle_protocol, tag)
    if not _is_path(f):
        _check_object(f, "save", ("write",))
        return put(f, False)
    path = os.fsdecode(f)
    name = os.path.splitext(os.path.basename(path))[0] or "archive"
    name = name.encode("utf-8", "replace").decode()
    replace_file(path, lambda file, rewritable: put(file, rewritable, name))


def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **pickle_load_args):
    """Reads what torch.save wrote, here or in PyTorch. mmap=True maps the file: storages are read when they are used, and stay private.
    weights_only=False runs nothing from the file either: it lets in modules and plain records whose classes the program has imported, and
    NumPy's numbers and arrays."""
    if weights_only and pickle_module is not None:
        raise RuntimeError("Can not safely load weights when explicit pickle_module is specified")
    options = Options(_trusted, locate=_location(map_location), encoding=pickle_load_args.get("encoding", "utf-8"), skip_data=_skipping,
                      meta=isinstance(map_location, (str, _device)) and _device(map_location).type == "meta",
                      big=_endianness == LoadEndianness.BIG or (_endianness == LoadEndianness.NATIVE and sys.byteorder == "big"))
    if weights_only is False or (weights_only is None and pickle_module is not None):
        from ._classes import find_class

        options.lenient = find_class
    if mmap:
        if not _is_path(f):
            raise ValueError("f must be a file path in order to use the mmap argument")
        options.mmap = get_default_mmap_options()
    with _opened(f, "r+b" if mmap and _mmap_flags == _shared() else "rb") as file:
        first = file.tell()
        magic = read_some(file, 4)
        if not magic:
            raise EOFError("Ran out of input")
        file.seek(first)
        if magic == b"PK\3\4":
            return Loader(file, options).load()
        if magic[:1] != b"\x80":
            raise UnpicklingError(_no_checkpoint(file))
        if mmap:
            raise RuntimeError("mmap can only be used with files saved with `torch.save(_use_new_zipfile_serialization=True)`")
        return OldLoader(file, options).load()


def _shared():
    import mmap

    return mmap.MAP_SHARED


def _no_checkpoint(file):
    """Why a file that is neither an archive nor a pickle is refused."""
    start = read_some(file, 512)
    if start[257:262] == b"ustar":
        return "Weights only load failed: a tar file, as PyTorch wrote before 0.1.10; load it there and save it again"
    if start[8:9] == b"{" or start[:6] == b"\x93NUMPY":
        return "Weights only load failed: the file is one of " + ("NumPy's (winnow.io.load_npy)" if start[:1] == b"\x93" else "safetensors (safetensors.torch.load_file)")
    return "Weights only load failed: the file is neither a zip archive of torch.save nor a pickle"


def _check_location(location):
    """What PyTorch says without a GPU."""
    d = _device(location)
    if d.type not in ("cpu", "meta"):
        raise RuntimeError(f"Attempting to deserialize object on a {d.type.upper()} device but torch.{d.type}.is_available() is False. If you are running "
                           "on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your storages to the CPU.")
    return d


def _location(map_location):
    """What is done about the devices that a file names: function(tensor of the storage, location), or None. Everything is loaded to
    the CPU, or where map_location is meta to that; one that wants another device is an error."""
    if map_location is None:
        return _restore_known if len(_packages) > 1 else None
    if isinstance(map_location, (str, _device)):
        _check_location(map_location)
        return None
    if isinstance(map_location, dict):
        def by_name(flat, location):
            check_device(_check_location(map_location.get(location, "cpu")))
        return by_name
    if callable(map_location):
        def by_function(flat, location):
            got = map_location(flat.untyped_storage(), location)
            if got is not None and not hasattr(got, "nbytes"):
                raise RuntimeError(f"map_location returned a {type(got).__name__}, which is no storage")
        return by_function
    raise TypeError(f"map_location: a device, a string, a dict or a function, not {type(map_location).__name__}")
