"""torch.load's reader: what the globals of a checkpoint mean here, and storages out of an archive or out of an old file."""
import sys
from collections import Counter, OrderedDict, defaultdict

from . import _C, _types
from ._construct import Tensor
from ._save import STORAGES
from ._types import Size, bfloat16, bool as _bool, device, int16, uint8
from ._unpickle import Call, Machine, UnpicklingError
from ._zipfile import BadArchive, Reader

_empty = _C.functions(1)["empty"]


class StorageType:
    """torch.FloatStorage and the like, which stand in persistent ids."""
    __slots__ = ("name", "dtype")

    def __init__(self, name, dtype):
        self.name, self.dtype = name, dtype


# ------------------------------------------------------------------ what may be called

GLOBALS = {}


def allowed(*names):
    def add(f):
        for name in names:
            GLOBALS[name] = Call(name, lambda machine, *args: f(*args))
        return f
    return add


def _rebuild_tensor(storage, offset, size, stride, requires_grad=False, hooks=None, metadata=None):
    if not isinstance(storage, Tensor):
        raise UnpicklingError("a tensor's storage is none")
    numbers = (offset, *size, *stride)
    if not all(type(x) is int for x in numbers) or len(size) != len(stride) or min(numbers) < 0:
        raise UnpicklingError(f"a tensor of shape {tuple(size)} with strides {tuple(stride)} at {offset}")
    if 0 not in size and offset + sum((n - 1) * s for n, s in zip(size, stride)) >= storage.numel():
        raise UnpicklingError(f"a tensor of shape {tuple(size)} with strides {tuple(stride)} at {offset} does not fit into its storage of "
                              f"{storage.numel()} elements")
    try:
        t = storage.as_strided(tuple(size), tuple(stride), offset if 0 not in size or offset <= storage.numel() else 0).detach()
    except RuntimeError as error:
        raise UnpicklingError(f"a tensor of shape {tuple(size)} with strides {tuple(stride)}: {error}") from None
    return t.requires_grad_() if requires_grad and t.is_floating_point() else t


@allowed("torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_tensor")
def rebuild_tensor(storage, offset, size, stride, requires_grad=False, hooks=None, metadata=None):
    return _rebuild_tensor(storage, offset, size, stride, requires_grad)


@allowed("torch._utils._rebuild_tensor_v3")
def rebuild_tensor_v3(storage, offset, size, stride, requires_grad, hooks, dtype, metadata=None):
    if not isinstance(storage, Tensor) or not isinstance(dtype, _types.dtype) or dtype not in STORAGES:
        raise UnpicklingError(f"winnow has no tensors of {dtype}")
    if storage.numel() * storage.element_size() % dtype.itemsize:
        raise UnpicklingError(f"a storage of {storage.numel()} bytes holds no {dtype}")
    return _rebuild_tensor(storage.view(dtype) if storage.dtype is not dtype else storage, offset, size, stride, requires_grad)


@allowed("torch._utils._rebuild_parameter")
def rebuild_parameter(data, requires_grad, hooks):
    from .nn.parameter import Parameter

    if not isinstance(data, Tensor):
        raise UnpicklingError("a parameter's data is no tensor")
    return Parameter(data, bool(requires_grad))


@allowed("torch._utils._rebuild_parameter_with_state")
def rebuild_parameter_with_state(data, requires_grad, hooks, state):
    return _with_state(rebuild_parameter(data, requires_grad, hooks), state)


def _with_state(t, state):
    if isinstance(state, tuple) and len(state) == 2 and not state[1]:
        state = state[0]
    if state:
        if not isinstance(state, dict) or not all(isinstance(k, str) for k in state):
            raise UnpicklingError("a tensor's attributes are no dict")
        t.__dict__.update(state)
    return t


def _rebuild_from_type(machine, function, kind, args, state):
    from .nn.parameter import Parameter

    t = machine.call(function, args)
    if not isinstance(t, Tensor):
        raise UnpicklingError("_rebuild_from_type_v2 has no tensor")
    if kind is _TENSOR or kind is _PARAMETER:
        if kind is _PARAMETER and not isinstance(t, Parameter):
            t = Parameter(t, t.requires_grad)
    elif machine.is_registered(kind) and isinstance(kind, type) and issubclass(kind, Tensor):
        t = t.as_subclass(kind)
    else:
        raise UnpicklingError(f"tensors of {kind!r} are not in the list of what may be made")
    return _with_state(t, state)


GLOBALS["torch._tensor._rebuild_from_type_v2"] = Call("torch._tensor._rebuild_from_type_v2", _rebuild_from_type)
_TENSOR = GLOBALS["torch.Tensor"] = Call("torch.Tensor", lambda machine, *args: _refuse("torch.Tensor"))
_PARAMETER = GLOBALS["torch.nn.parameter.Parameter"] = Call("torch.nn.parameter.Parameter",
                                                            lambda machine, data=None, requires_grad=True: rebuild_parameter(data, requires_grad, None))


def _refuse(name):
    raise UnpicklingError(f"{name} may not be called")


for _name in ("_rebuild_sparse_tensor", "_rebuild_qtensor", "_rebuild_nested_tensor", "_rebuild_meta_tensor_no_storage",
              "_rebuild_device_tensor_from_numpy", "_rebuild_device_tensor_from_cpu_tensor", "_rebuild_wrapper_subclass"):
    GLOBALS["torch._utils." + _name] = Call(_name, lambda machine, *args, name=_name: _refuse(f"torch._utils.{name}: winnow has no such tensors; it"))


@allowed("torch.Size")
def size(items=()):
    return Size(items)


allowed("torch.device")(lambda *args: device(*args))
allowed("collections.OrderedDict")(lambda *args: OrderedDict(*(_pairs(a) for a in args)))
allowed("collections.Counter")(lambda *args: Counter(*(a if isinstance(a, dict) else _simple(a) for a in args)))
allowed("builtins.set")(lambda items=(): set(_simple(items)))
allowed("builtins.frozenset")(lambda items=(): frozenset(_simple(items)))
allowed("builtins.complex")(lambda real=0, imag=0: complex(real, imag))


@allowed("collections.defaultdict")
def default_dict(factory=None, items=()):
    """The factory, list, int and the like or a class of the user's, is not kept: it would be code from the file."""
    return defaultdict(None, _pairs(items))


def _pairs(items):
    from ._unpickle import _hashable

    pairs = list(items.items() if isinstance(items, dict) else items)
    for key, _ in pairs:
        _hashable(key)
    return pairs


def _simple(items):
    from ._unpickle import _hashable

    if not isinstance(items, (list, tuple, set, frozenset)):
        raise UnpicklingError("a set of something that is no list")
    return [_hashable(x) for x in items]


@allowed("_codecs.encode")
def encode(text, encoding):
    """How protocol 2 writes bytes."""
    if not isinstance(text, str) or encoding not in ("latin1", "latin-1"):
        raise UnpicklingError(f"_codecs.encode with {encoding!r}")
    return text.encode("latin1")


@allowed("builtins.bytes")
def no_bytes(*args):
    """How protocol 2 writes b""."""
    if args:
        raise UnpicklingError("bytes of something")
    return b""


@allowed("builtins.bytearray")
def byte_array(*args):
    if not args:
        return bytearray()
    if len(args) == 1 and isinstance(args[0], (bytes, list)):
        return bytearray(args[0])
    if len(args) == 2 and isinstance(args[0], str):
        return bytearray(encode(*args))
    raise UnpicklingError("bytearray of a size")  # memory that the file does not fill


@allowed("torch.serialization._get_layout")
def get_layout(name):
    found = {"torch." + n: getattr(_types, n) for n in _types.LAYOUTS}
    if name not in found:
        raise UnpicklingError(f"{name!r} is no layout")
    return found[name]


# Constants.
for _name in _types.NAMES + _types.LAYOUTS + _types.FORMATS:
    GLOBALS["torch." + _name] = getattr(_types, _name)
for _dtype, _name in STORAGES.items():
    GLOBALS["torch." + _name] = GLOBALS["torch.cuda." + _name] = StorageType(_name, _dtype)
GLOBALS["torch.storage.UntypedStorage"] = GLOBALS["torch.UntypedStorage"] = StorageType("UntypedStorage", uint8)
_PYTHON2 = {"__builtin__": "builtins", "copy_reg": "copyreg"}


# ------------------------------------------------------------------ storages

def fill_storage(count, dtype, read_into, swap=False):
    """A new row of `count` elements whose bytes read_into(view) writes. Bools become 0 and 1."""
    if count == 0:
        return _empty(0, dtype=dtype)
    raw = uint8 if dtype is _bool else int16 if dtype is bfloat16 else dtype
    flat = _empty(count, dtype=raw)
    with memoryview(flat) as view, view.cast("B") as data:
        read_into(data)
        if swap and raw.itemsize > 1:
            import array

            code = {2: "H", 4: "I", 8: "Q"}[raw.itemsize]
            values = array.array(code)
            values.frombytes(data)
            values.byteswap()
            data[:] = memoryview(values).cast("B")
    if dtype is _bool:
        return flat.ne(0)
    # Two dtypes on one storage would expose it for good (docs/python.md): bfloat16 is copied out of the numbers that were read.
    return flat.view(bfloat16).clone() if dtype is bfloat16 else flat


class Loader:
    """One archive, read with the classes that the user trusts."""

    def __init__(self, file, trusted, locate=None, mmap=False, encoding="utf-8", big=False):
        self.archive = Reader(file)
        self.locate, self.encoding, self.mapping, self.storages = locate, encoding, None, {}
        self.trusted = trusted_names(trusted)
        first = next(iter(self.archive.members))
        self.folder = first.partition("/")[0] + "/" if "/" in first else ""
        if self.archive.find(self.folder + "constants.pkl") and not mmap:
            raise RuntimeError("the file is a TorchScript archive, which holds a program; winnow loads data (torch.save)")
        self.pickle = self.archive.find(self.folder + "data.pkl")
        if self.pickle is None:
            raise BadArchive("failed reading zip archive: there is no data.pkl in it")
        order = self.archive.find(self.folder + "byteorder")
        order = self.archive.read(order) if order else b"big" if big else b"little"
        if order not in (b"little", b"big"):
            raise ValueError(f"Unknown endianness type: {order[:20]!r}")
        self.swap = order.decode() != sys.byteorder
        if mmap:
            import mmap as module

            self.mapping = memoryview(module.mmap(file.fileno(), 0, access=module.ACCESS_COPY))

    def load(self):
        """The object."""
        return Machine(self.archive.read(self.pickle), self.find_global, self.persistent, self.trusted.values(), self.encoding).run()

    def unsafe_globals(self):
        found = []

        def note(module, name):
            try:
                return self.find_global(module, name)
            except UnpicklingError:
                found.append(f"{module}.{name}")
                return Call(name, lambda machine, *args: None)
        machine = Machine(self.archive.read(self.pickle), note, self.persistent, self.trusted.values(), self.encoding)
        try:
            machine.run()
        except UnpicklingError:  # what comes after an unknown object may not fit
            if not found:
                raise
        return sorted(set(found))

    def find_global(self, module, name):
        return find_global(self.trusted, module, name)

    def persistent(self, pid):
        kind, count, key, location = check_id(pid)
        flat = self.storages.get(key)
        if flat is None:
            flat = self.storages[key] = self._read(key, count, kind.dtype)
            if self.locate:
                self.locate(flat, location)
        if flat.dtype is not kind.dtype:
            raise UnpicklingError(f"storage {key!r} is used with two types")
        if flat.numel() < count:
            raise UnpicklingError(f"storage {key!r} has {flat.numel()} elements, not {count}")
        return flat

    def _read(self, key, count, dtype):
        member = self.archive.find(f"{self.folder}data/{key}")
        if member is None:
            raise BadArchive(f"failed reading zip archive: there is no storage {key!r} in it")
        if member.size != count * dtype.itemsize:
            raise UnpicklingError(f"storage {key!r} has {member.size} bytes in the file, but {count} elements of {dtype!r}")
        if self.mapping is not None and count and dtype is not _bool and not self.swap and member.offset % dtype.itemsize == 0:
            return _C._from_buffer(self.mapping[member.offset:member.offset + member.size])[0].view(dtype)
        return fill_storage(count, dtype, lambda view: self.archive.read_into(member, view), self.swap)


def check_id(pid):
    """The parts of a persistent id."""
    if not isinstance(pid, tuple) or len(pid) < 5 or pid[0] != "storage":
        raise UnpicklingError("a persistent id that is no storage")
    kind, key, location, count = pid[1:5]
    if not isinstance(kind, StorageType) or not isinstance(key, str) or not isinstance(location, str) or type(count) is not int or count < 0:
        raise UnpicklingError("a storage that is described wrongly, or of a type that winnow does not have")
    return kind, count, key, location


def trusted_names(trusted):
    """Full name in a file -> what the user lets in."""
    names = {}
    for item in trusted:
        if isinstance(item, tuple):
            names[item[1]] = item[0]
        else:
            module = item.__module__
            if module.partition(".")[0] == "winnow":
                module = "torch" + module[6:]
            names[f"{module}.{item.__qualname__}"] = item
    return names


def find_global(trusted, module, name):
    full = f"{_PYTHON2.get(module, module)}.{name}"
    if full in trusted:
        return trusted[full]
    if full in GLOBALS:
        return GLOBALS[full]
    raise UnpicklingError(f"Weights only load failed. Unsupported global: GLOBAL {full} was not an allowed global by default. winnow executes nothing "
                          f"that a file says (weights_only=False neither): please use torch.serialization.add_safe_globals([{name}]) or "
                          f"torch.serialization.safe_globals([{name}]) to allowlist this global if you trust this class/function.")


# ------------------------------------------------------------------ files of PyTorch before 1.6

_MAGIC, _PROTOCOL = 0x1950A86A20F9469CFC6C, 1001


def load_legacy(file, trusted, locate=None, encoding="utf-8"):
    """Five pickles (magic number, version, system, object, order of the storages), then each storage: a count and its bytes. The whole
    file is read; the storages are filled when the pickle has said what they are."""
    data = file.read()
    names, storages, swap = trusted_names(trusted), {}, False

    def persistent(pid):
        kind, count, key, location = check_id(pid)
        if count * kind.dtype.itemsize > len(data):
            raise UnpicklingError(f"storage {key!r} is larger than the file")
        view = pid[5] if len(pid) > 5 else None
        if key not in storages:
            if sum(t.numel() * t.element_size() for t in storages.values()) + count * kind.dtype.itemsize > len(data):
                raise UnpicklingError("the storages are larger than the file")
            storages[key] = _empty(count, dtype=kind.dtype)
            if locate:
                locate(storages[key], location)
        flat = storages[key]
        if flat.dtype is not kind.dtype or flat.numel() < count:
            raise UnpicklingError(f"storage {key!r} is used with two types or sizes")
        if view is None:
            return flat
        _, offset, n = view
        return _rebuild_tensor(flat, offset, (n,), (1,))

    at, parts = 0, []
    for i in range(5):
        machine = Machine(data if at == 0 else memoryview(data)[at:].tobytes(), lambda m, n: find_global(names, m, n), persistent, names.values(), encoding)
        parts.append(machine.run())
        at += machine.at
        if i == 0 and parts[0] != _MAGIC:
            raise UnpicklingError("Invalid magic number; corrupt file?")
        if i == 1 and parts[1] != _PROTOCOL:
            raise UnpicklingError(f"Invalid protocol version: {parts[1]}")
        if i == 2 and isinstance(parts[2], dict):
            swap = (parts[2].get("little_endian") is not False) != (sys.byteorder == "little")
    keys = parts[4]
    if not isinstance(keys, list):
        raise UnpicklingError("the order of the storages is missing")
    for key in keys:
        flat = storages.get(key) if isinstance(key, str) else None
        if flat is None:
            raise UnpicklingError(f"a storage {key!r} that nothing uses")
        size = flat.numel() * flat.element_size()
        if at + 8 + size > len(data) or int.from_bytes(data[at:at + 8], "little") != flat.numel():
            raise RuntimeError(f"unexpected EOF or a wrong size: storage {key!r} of {size} bytes at {at}. The file might be corrupted.")
        start = at + 8

        def copy(view):
            view[:] = memoryview(data)[start:start + size]
        flat.copy_(fill_storage(flat.numel(), flat.dtype, copy, swap))
        at = start + size
    return parts[3]
