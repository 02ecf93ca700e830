"""torch.save's writers: the pickle with storages as persistent ids, then the storages; in PyTorch's zip archive, or as before 1.6."""
import codecs
import io
import pickle
import sys
from collections import OrderedDict

from . import _C
from ._construct import Tensor
from ._types import bfloat16, bool as _bool, float32, float64, float16, int16, int32, int64, int8, layout, sparse_coo, strided, uint8
from ._zipfile import Writer, write_all

STORAGES = {float32: "FloatStorage", float64: "DoubleStorage", float16: "HalfStorage", bfloat16: "BFloat16Storage", int8: "CharStorage",
            int16: "ShortStorage", int32: "IntStorage", int64: "LongStorage", uint8: "ByteStorage", _bool: "BoolStorage"}
MAGIC, PROTOCOL = 0x1950A86A20F9469CFC6C, 1001  # with which files of before 1.6 begin


class _Global:
    """A global of PyTorch, written by its name without asking whether it can be imported here."""
    __slots__ = ("module", "name")

    def __init__(self, module, name):
        self.module, self.name = module, name

    def __call__(self):
        raise TypeError("only a name")


_names = {}


def _global(module, name):
    """One object for each name, so that the pickle remembers it."""
    key = (module, name)
    if key not in _names:
        _names[key] = _Global(module, name)
    return _names[key]


class _Pickler(pickle._Pickler):  # in Python: C's looks every global up in its module, and ours have PyTorch's names
    dispatch = dict(pickle._Pickler.dispatch)

    def __init__(self, file, protocol, tag, old=False):
        super().__init__(file, protocol)
        self.tag, self.old = tag, old
        self.storages = {}  # (address, bytes) -> (key, tensor)
        self.kept = []      # tensors whose addresses must not be used again meanwhile

    def _write_global(self, obj):
        self.write(pickle.GLOBAL + obj.module.encode() + b"\n" + obj.name.encode() + b"\n")
        self.memoize(obj)

    dispatch[_Global] = _write_global

    def save_global(self, obj, name=None):
        """Ours are written as torch's."""
        module = getattr(obj, "__module__", None) or ""
        if module.partition(".")[0] in ("winnow", "torch"):
            name = name or getattr(obj, "__qualname__", None) or obj.__name__
            module = "torch" + module[len(module.partition(".")[0]):]
            got = _global(module, name)
            if id(got) in self.memo:
                self.write(self.get(self.memo[id(got)][0]))
            else:
                self._write_global(got)
            return
        super().save_global(obj, name)

    dispatch[type(lambda: 0)] = save_global

    def _save_type(self, obj):
        if obj in (type(None), type(NotImplemented), type(...)):
            return super().save_type(obj)
        self.save_global(obj)

    dispatch[type] = _save_type

    def _save_bytes(self, obj):
        """Protocol 2 would call bytes() for none, which PyTorch refuses to load."""
        if obj or self.proto >= 3:
            return super().save_bytes(obj)
        self.save_reduce(codecs.encode, ("", "latin1"), obj=obj)

    dispatch[bytes] = _save_bytes

    def reducer_override(self, obj):
        if isinstance(obj, Tensor):
            return self._tensor(obj)
        if isinstance(obj, layout):
            return _global("torch.serialization", "_get_layout"), (repr(obj),)
        return NotImplemented

    def persistent_id(self, obj):
        if not isinstance(obj, _Stored):
            return None
        pid = ("storage", _global("torch", STORAGES[obj.dtype]), obj.key, obj.location, obj.count)
        return pid + (None,) if self.old else pid

    def _tensor(self, t):
        kind = type(t)
        if t.layout is not strided:
            return _global("torch._utils", "_rebuild_sparse_tensor"), (t.layout, _sparse_parts(t))
        is_parameter = bool(getattr(t, "_is_param", False)) or any(c.__module__ == "winnow.nn.parameter" or c.__name__ == "Parameter" for c in kind.__mro__)
        state = {k: v for k, v in t.__dict__.items() if k not in ("_backward_hooks", "_is_param")}
        requires_grad = bool(t.requires_grad) and not is_parameter
        if t.is_meta:
            plain, rebuild = (t.dtype, tuple(t.shape), tuple(t.stride()), requires_grad), _global("torch._utils", "_rebuild_meta_tensor_no_storage")
        else:
            plain = (self._storage(t), t.storage_offset(), tuple(t.shape), tuple(t.stride()), requires_grad, OrderedDict())
            rebuild = _global("torch._utils", "_rebuild_tensor_v2")
        if is_parameter and kind.__name__ == "Parameter":
            data = _Rebuilt(rebuild, plain)
            if state:
                return _global("torch._utils", "_rebuild_parameter_with_state"), (data, t.requires_grad, OrderedDict(), state)
            return _global("torch._utils", "_rebuild_parameter"), (data, t.requires_grad, OrderedDict())
        if kind is Tensor and not state:
            return rebuild, plain
        return _global("torch._tensor", "_rebuild_from_type_v2"), (rebuild, kind, plain, state)

    def _storage(self, t):
        address, size = _C._storage(t)
        flat = t.detach().as_strided((size // t.element_size(),), (1,), 0) if size else t.detach().reshape(-1)
        if type(flat) is not Tensor:
            flat = flat.as_subclass(Tensor)
        self.kept.append(flat)
        key = (address, size) if size else id(flat)
        if key not in self.storages:
            self.storages[key] = _Stored(str(len(self.storages)), flat, self.tag(flat))
        stored = self.storages[key]
        if stored.dtype is not t.dtype:
            raise RuntimeError("Cannot save multiple tensors or storages that view the same data as different types")
        return stored


def _sparse_parts(t):
    t = t.detach()
    if t.layout is sparse_coo:
        return t._indices(), t._values(), t.size(), t.is_coalesced()
    return t.crow_indices(), t.col_indices().clone(), t.values(), t.size()  # cloned: the columns lie beside the rows


class _Stored:
    """A storage in the file."""
    __slots__ = ("key", "flat", "dtype", "count", "location")

    def __init__(self, key, flat, location):
        self.key, self.flat, self.dtype, self.count, self.location = key, flat, flat.dtype, flat.numel(), location


class _Rebuilt:
    """Something that is pickled as a call."""
    __slots__ = ("call",)

    def __init__(self, function, args):
        self.call = (function, args)

    __reduce_ex__ = lambda self, protocol: self.call


def write(obj, file, name, protocol, tag, byteorder=True, skip_data=False, rewritable=False):
    """The whole archive. name: the folder in it; tag(storage): the device that the file names; rewritable: file can seek back."""
    buffer = io.BytesIO()
    pickler = _Pickler(buffer, protocol, tag)
    pickler.dump(obj)
    archive = Writer(file, rewritable)
    archive.add(f"{name}/data.pkl", buffer.getbuffer())
    archive.add(f"{name}/.storage_alignment", b"64")  # no .format_version: that promises the very gaps that PyTorch leaves between members
    if byteorder:
        archive.add(f"{name}/byteorder", sys.byteorder.encode())
    for stored in pickler.storages.values():
        if skip_data:
            archive.add_zeros(f"{name}/data/{stored.key}", stored.count * stored.dtype.itemsize)
            continue
        with _C._bytes(stored.flat) as data:
            archive.add(f"{name}/data/{stored.key}", data)
    archive.add(f"{name}/version", b"3\n")
    archive.finish()


def storage_bytes(flat):
    """A storage as torch.save wrote it before 1.6: what a plain pickle of a tensor holds."""
    buffer = io.BytesIO()
    write_old(_Stored("0", flat, "cpu"), buffer, 2, None)
    return buffer.getvalue()


def write_old(obj, file, protocol, tag):
    """The format of PyTorch before 1.6: five pickles, then each storage with the number of its elements."""
    buffer = io.BytesIO()  # the pickler writes in small pieces

    def put(value):
        pickle._dump(value, buffer, protocol)
    put(MAGIC)
    put(PROTOCOL)
    put({"protocol_version": PROTOCOL, "little_endian": sys.byteorder == "little", "type_sizes": {"short": 2, "int": 4, "long": 4}})
    pickler = _Pickler(buffer, protocol, tag, old=True)
    pickler.dump(obj)
    stored = [obj] if isinstance(obj, _Stored) else sorted(pickler.storages.values(), key=lambda s: s.key)
    put([s.key for s in stored])
    write_all(file, buffer.getbuffer())
    for s in stored:
        write_all(file, s.count.to_bytes(8, "little"))
        with _C._bytes(s.flat) as data:
            write_all(file, data)
