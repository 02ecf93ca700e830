"""torch.load's readers: storages out of an archive, or out of a file of PyTorch before 1.6."""
import sys

from . import _C
from ._globals import StorageType, find_global, rebuild, trusted_names
from ._save import MAGIC, PROTOCOL
from ._types import bool as _bool
from ._unpickle import Machine, Scanner, UnpicklingError, shown
from ._zipfile import BadArchive, Reader, read_some

_functions = _C.functions(1)
_empty, _zeros = _functions["empty"], _functions["zeros"]
_PIECE = 1 << 20
_AS_BOOL = bytes([0]) + bytes([1]) * 255


class Options:
    """What load() was told: classes that are trusted, find(module, name) for what the fixed list lacks, the function of
    map_location, the encoding of Python 2's strings, the byte order where a file does not say it, flags of the mapping (None: read),
    whether storages are left empty, and whether they are on meta."""

    def __init__(self, trusted=(), lenient=None, locate=None, encoding="utf-8", big=False, mmap=None, skip_data=False, meta=False):
        self.trusted, self.lenient = trusted_names(trusted), lenient
        self.locate, self.encoding, self.big, self.mmap = locate, encoding, big, mmap
        self.skip_data, self.meta = skip_data, meta
        self.registered = list(self.trusted.values())

    def unread(self, count, dtype):
        """The row of a storage of which nothing is to be read; None: it is."""
        if self.meta:
            return _empty(count, dtype=dtype, device="meta")
        return _zeros(count, dtype=dtype) if self.skip_data else None

    def find_global(self, module, name):
        try:
            return find_global(self.trusted, module, name)
        except UnpicklingError:
            thing = self.lenient(module, name) if self.lenient else None
            if thing is None:
                raise
        if isinstance(thing, type):
            self.registered.append(thing)
        return thing


def fill(flat, read_into, swap=False):
    """A row whose bytes read_into(view) writes. Bools become 0 and 1: any other byte would be an impossible value."""
    if flat.numel() == 0:
        return flat
    with _C._bytes(flat) as data:
        read_into(data)
        if swap and flat.dtype.itemsize > 1:
            _swap(data, flat.dtype.itemsize)
        if flat.dtype is _bool:
            for at in range(0, len(data), _PIECE):
                part = data[at:at + _PIECE]
                part[:] = bytes(part).translate(_AS_BOOL)
    return flat


def _swap(data, size):
    import array

    for at in range(0, len(data), _PIECE):
        part = data[at:at + _PIECE]
        values = array.array({2: "H", 4: "I", 8: "Q"}[size])
        values.frombytes(part)
        values.byteswap()
        part[:] = memoryview(values).cast("B")


def check_id(pid):
    """The parts of a persistent id."""
    if not isinstance(pid, tuple) or len(pid) < 5 or pid[0] != "storage":
        raise UnpicklingError("a persistent id that is no storage")
    kind, key, location, count = pid[1:5]
    if not isinstance(kind, StorageType) or not isinstance(key, str) or not isinstance(location, str) or type(count) is not int or count < 0:
        raise UnpicklingError("a storage that is described wrongly, or of a type that winnow does not have")
    return kind, count, key, location


class Loader:
    """One archive."""

    def __init__(self, file, options):
        self.archive, self.options, self.mapping, self.storages = Reader(file), options, None, {}
        first = next(iter(self.archive.members))
        self.folder = first.partition("/")[0] + "/" if "/" in first else ""
        if self.archive.find(self.folder + "constants.pkl"):
            raise RuntimeError("the file is a TorchScript archive, which holds a program; winnow loads data (torch.save)")
        self.pickle = self.archive.find(self.folder + "data.pkl")
        if self.pickle is None:
            raise BadArchive("failed reading zip archive: there is no data.pkl in it")
        order = self.archive.find(self.folder + "byteorder")
        if order and order.size > 8:
            raise ValueError("Unknown endianness type")
        order = self.archive.read(order) if order else b"big" if options.big else b"little"
        if order not in (b"little", b"big"):
            raise ValueError(f"Unknown endianness type: {order!r}")
        self.swap = order.decode() != sys.byteorder
        if options.mmap is not None:
            import mmap

            self.mapping = memoryview(mmap.mmap(file.fileno(), self.archive.size, flags=options.mmap))

    def load(self):
        """The object."""
        return self._machine(Machine, self.options.find_global, self.persistent).run()

    def unsafe_globals(self):
        """What load() would refuse."""
        found = set()

        def note(module, name):
            try:
                self.options.find_global(module, name)
            except UnpicklingError:
                found.add(f"{module}.{name}")
        self._machine(Scanner, note, lambda pid: None).run()
        return sorted(found)

    def _machine(self, kind, find, persistent):
        return kind(self.archive.read(self.pickle), find, persistent, self.options.registered, self.options.encoding, size=self.archive.size)

    def persistent(self, pid):
        kind, count, key, location = check_id(pid)
        flat = self.storages.get(key)
        if flat is None:
            flat = self.storages[key] = self._read(key, count, kind.dtype)
            if self.options.locate:
                self.options.locate(flat, location)
        if flat.dtype is not kind.dtype:
            raise UnpicklingError(f"storage {shown(key)} is used with two types")
        if flat.numel() < count:
            raise UnpicklingError(f"storage {shown(key)} has {flat.numel()} elements, not {count}")
        return flat

    def _read(self, key, count, dtype):
        member = self.archive.find(f"{self.folder}data/{key}")
        if member is None:
            raise BadArchive(f"failed reading zip archive: there is no storage {shown(key)} in it")
        if member.size != count * dtype.itemsize:
            raise UnpicklingError(f"storage {shown(key)} has {member.size} bytes in the file, but {count} elements of {dtype!r}")
        row = self.options.unread(count, dtype)
        if row is not None:
            return row
        if self.mapping is not None and count and dtype is not _bool and not self.swap and member.offset % dtype.itemsize == 0:
            return _C._from_buffer(self.mapping[member.offset:member.offset + member.size])[0].view(dtype)
        return fill(_empty(count, dtype=dtype), lambda view: self.archive.read_into(member, view), self.swap)


# ------------------------------------------------------------------ files of PyTorch before 1.6

class OldLoader:
    """Five pickles (magic number, version, system, object, order of the storages), then each storage: a count and its bytes. The
    object's pickle is gone through twice, first for the storages that it needs. The file is left behind the last storage: another
    object may follow."""

    def __init__(self, file, options):
        self.file, self.first = file, file.tell()
        self.data, self.at = _contents(file)
        self.begin, self.options = self.at, options
        self.wanted, self.storages = {}, {}  # key -> (dtype, count, location); key -> row

    def load(self):
        if self._run() != MAGIC:
            raise UnpicklingError("Invalid magic number; corrupt file?")
        version = self._run()
        if version != PROTOCOL:
            raise UnpicklingError(f"Invalid protocol version: {shown(version)}")
        system, start = self._run(), self.at
        self._run(Scanner, self._note)
        keys = self._run()
        little = system.get("little_endian") is not False if type(system) is dict else True
        if type(keys) is not list or not all(type(key) is str for key in keys) or sorted(keys) != sorted(self.wanted):
            raise UnpicklingError("the list of storages at the end is not that of the storages that are used")
        for key in keys:
            self._read(key, swap=little != (sys.byteorder == "little"))
        end, self.at = self.at, start
        result = self._run(Machine, self.persistent)
        self.file.seek(self.first + end - self.begin)
        return result

    def _run(self, kind=Machine, persistent=None):
        """The pickle at the current place: its value."""
        machine = kind(self.data, self.options.find_global, persistent or _no_storages, self.options.registered, self.options.encoding, self.at)
        value = machine.run()
        self.at = machine.at
        return value

    def _note(self, pid):
        kind, count, key, location = check_id(pid)
        if self.wanted.setdefault(key, (kind.dtype, count, location)) != (kind.dtype, count, location):
            raise UnpicklingError(f"storage {shown(key)} is used with two types or sizes")

    def _read(self, key, swap):
        dtype, count, location = self.wanted[key]
        size, start = count * dtype.itemsize, self.at + 8
        if start + size > len(self.data) or int.from_bytes(self.data[self.at:start], "little") != count:
            raise RuntimeError(f"unexpected EOF or a wrong size: storage {shown(key)} of {size} bytes at {self.at}. The file might be corrupted.")

        def copy(view):
            for i in range(0, size, _PIECE):
                part = view[i:i + _PIECE]
                part[:] = self.data[start + i:start + i + len(part)]
        row = self.options.unread(count, dtype)
        self.storages[key] = fill(_empty(count, dtype=dtype), copy, swap) if row is None else row
        if self.options.locate:
            self.options.locate(self.storages[key], location)
        self.at = start + size

    def persistent(self, pid):
        key = check_id(pid)[2]
        view = pid[5] if len(pid) > 5 else None
        if view is None:
            return self.storages[key]
        if not isinstance(view, tuple) or len(view) != 3:
            raise UnpicklingError("a view of a storage that is described wrongly")
        return rebuild(self.storages[key], view[1], (view[2],), (1,))


def _no_storages(pid):
    raise UnpicklingError("a storage where none can be")


def _contents(file):
    """The bytes of a file, and where in them its position is: a mapping of a real file, else what is left to read."""
    import io
    import mmap

    if isinstance(file, (io.BufferedReader, io.FileIO)):  # others may have a descriptor whose bytes are not what they read
        try:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), file.tell()
        except (OSError, ValueError):
            pass
    here = file.tell()
    file.seek(0, 2)
    size = file.tell() - here
    file.seek(here)
    return read_some(file, size), 0
