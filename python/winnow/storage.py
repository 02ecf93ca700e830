"""torch.storage: the memory behind tensors, as bytes (UntypedStorage) or as elements of a dtype (TypedStorage, torch.FloatStorage and its kin)."""
import sys
import warnings
import weakref

from ._hook import lacking as _lacking
from . import _C
from ._construct import Tensor, _functions, _word
from ._reduce import _load_from_bytes  # noqa: F401
from ._types import BY_NUMBER, CPU, bool as _bool, check_device, device as _device, dtype as _dtype, uint8

__all__ = ["TypedStorage", "UntypedStorage"]

_DEPRECATED = ("TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only storage class. This should only matter "
               "to you if you are using storages directly.  To access UntypedStorage directly, use tensor.untyped_storage() instead of "
               "tensor.storage()")
_warned = _always = False


def _get_always_warn_typed_storage_removal():
    return _always


def _set_always_warn_typed_storage_removal(always_warn):
    global _always
    _always = always_warn


def _warn(stacklevel):
    """torch's warning, once, whatever set_warn_always says."""
    global _warned
    if _always or not _warned:
        _warned = True
        warnings.warn(_DEPRECATED, UserWarning, stacklevel=stacklevel + 1)


def _place(i, n):
    if not -n <= i < n:
        raise IndexError(f"index {i} out of range for storage of size {n}")
    return i % n


def _file_of(address):
    files = sys.modules.get(f"{__package__}._from_file")  # not loaded: nothing is mapped
    return files.name_of(address) if files else None


class _Memory:
    """What the two kinds of storages share: `_elements()` is the memory as a tensor of one dimension."""
    __slots__ = ()
    device = property(lambda self: CPU)
    is_cuda = property(lambda self: False)
    is_sparse = property(lambda self: False)
    is_hpu = property(lambda self: False)
    filename = property(lambda self: _file_of(self.data_ptr()), doc="The file that the memory is (torch.from_file with shared=True); None: of none.")
    __len__ = lambda self: self.size()
    __iter__ = lambda self: iter(self.tolist())
    __contains__ = lambda self, x: x in self.tolist()

    def tolist(self):
        """The elements as Python's numbers."""
        return self._elements().tolist()

    def fill_(self, value):
        """Makes all elements this number. Returns self."""
        self._elements().fill_(value)
        return self

    def copy_(self, source, non_blocking=None):
        """Copies another storage's elements. Returns self."""
        self._elements().copy_(source._elements())
        return self

    def cpu(self):
        """self: all memory is the CPU's."""
        return self

    def cuda(self, device=None, non_blocking=False):
        check_device("cuda" if device is None else device)

    def is_pinned(self, device="cuda"):
        return False

    def pin_memory(self, device="cuda"):
        return self

    def is_shared(self):
        """Is it memory that processes share?"""
        from ._shared import is_shared

        return is_shared(self._elements())

    @classmethod
    def from_file(cls, filename, shared=False, size=0):
        """The memory of a file, of which size elements are mapped (those of UntypedStorage are bytes); shared: what is written goes into the file."""
        from ._from_file import from_file

        return cls._of(from_file(str(filename), shared, size, dtype=cls._kind()))

    def resizable(self):
        """False: winnow's storages keep their size, and tensors get others."""
        return False

    __sizeof__ = lambda self: object.__sizeof__(self) + self.nbytes()
    _cdata = property(lambda self: self.data_ptr(), doc="What tells one storage from another.")

    def resize_(self, size):
        if size == self.size():
            return self
        raise NotImplementedError("winnow's storages keep their size: resize the tensor (Tensor.resize_)")

    def share_memory_(self):
        if self.is_shared():
            return self
        raise NotImplementedError("winnow's storages stay where they are: share the tensor (Tensor.share_memory_)")

    def __reduce__(self):
        raise TypeError("winnow does not save storages by themselves: save a tensor on them")

    __copy__ = lambda self: self.clone()

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = self._deeply(memo)
        return memo[id(self)]

    __str__ = lambda self: " " + "\n ".join(map(str, self.tolist())) + "\n" + self._described()

    __repr__ = __str__


class UntypedStorage(_Memory):
    """The memory behind a tensor as bytes. UntypedStorage(n) makes n of them, UntypedStorage([1, 2]) those given."""
    __module__ = "torch.storage"

    def __init__(self, *args, device=None):
        if device is not None:
            check_device(device)
        if len(args) > 1 or isinstance(args[0] if args else None, Tensor):
            raise RuntimeError(f"torch.UntypedStorage(): Expected a sequence type, but got {type(args[-1]).__name__}")
        content = args[0] if args else 0
        self._tensor = _functions["empty"](content, dtype=uint8) if isinstance(content, int) else _C._tensor(list(content), uint8)
        if content:
            _alive[self.data_ptr()] = self

    def _elements(self, dtype=uint8):
        t = self._tensor
        flat = t.as_strided((self.nbytes() // t.element_size(),), (1,), 0)
        if dtype is t.dtype:
            return flat
        each = dtype.itemsize
        return (flat if each <= t.element_size() else flat[:self.nbytes() // each * each // t.element_size()]).view(dtype)

    def nbytes(self):
        """How many bytes."""
        return _C._storage(self._tensor)[1]

    size = nbytes

    def data_ptr(self):
        """The address of the first."""
        return _C._storage(self._tensor)[0]

    def element_size(self):
        return 1

    def type(self, dtype=None, non_blocking=False):
        return "torch.storage.UntypedStorage" if dtype is None else self._as(uint8).type(dtype)

    def untyped(self):
        return self

    def clone(self):
        """A copy in memory of its own."""
        return _untyped(self._elements().clone())

    def _as(self, dtype):
        return TypedStorage(wrap_storage=self, dtype=dtype, _internal=True)

    def _deeply(self, memo):
        return copied(self, memo)

    _kind = staticmethod(lambda: uint8)
    _of = staticmethod(lambda tensor: _untyped(tensor))

    def byteswap(self, dtype):
        """Turns the order of the bytes of each element of the dtype around, in place."""
        each = dtype.itemsize // 2 if dtype.is_complex else dtype.itemsize
        if self.nbytes() % each:
            raise RuntimeError(f"the length of data is not a multiple of {each}")
        if each > 1:
            lines = self._elements().view(-1, each)
            lines.copy_(lines.flip(1))

    def __getitem__(self, i):
        if isinstance(i, slice):
            if i.step not in (None, 1):
                raise RuntimeError(f"Trying to slice with a step of {i.step}, but only a step of 1 is supported")
            return _untyped(self._elements()[i].clone())
        return self._elements()[_place(i, self.nbytes())].item()

    def __setitem__(self, i, value):
        self._elements()[i if isinstance(i, slice) else _place(i, self.nbytes())] = value

    __eq__ = lambda self, other: isinstance(other, UntypedStorage) and self.data_ptr() == other.data_ptr()

    def __hash__(self):
        return hash(self.data_ptr())

    def _described(self):
        return f"[torch.storage.UntypedStorage(device=cpu) of size {self.size()}]"


_alive = weakref.WeakValueDictionary()  # address -> the UntypedStorage that somebody holds: a storage is one object


def _untyped(tensor):
    """The storage of a tensor."""
    address = _C._storage(tensor)[0]
    s = _alive.get(address) if address else None
    if s is None:
        s = UntypedStorage.__new__(UntypedStorage)
        s._tensor = tensor.detach()
        if address:
            _alive[address] = s
    return s


def copied(storage, memo, dtype=uint8):
    """The deep copy of a storage: one for all tensors and storages on it. It is kept with the original, whose address nothing else has as long as it lives."""
    copies = memo.setdefault("winnow storages", {})
    address, whole = storage.data_ptr(), storage.nbytes() % dtype.itemsize == 0
    if not address:
        return storage.clone()
    if address not in copies:
        copies[address] = (storage, _untyped(storage._elements(dtype if whole else uint8).clone()))
    return copies[address][1]


def _check_content(name, args):
    """A storage is made of its size or of its elements."""
    if len(args) > 1:
        raise RuntimeError(f"{name}: Too many positional arguments")
    if args and isinstance(args[0], str):
        raise TypeError(f"{name}: invalid data type '{type(args[0]).__name__}'")
    if args and (isinstance(args[0], Tensor) or not (isinstance(args[0], int) or hasattr(args[0], "__iter__"))):
        raise TypeError(f"{name}: Argument type not recognized: {type(args[0])}")


def _check_wrapped(name, args, storage, dtype, device):
    """A storage around another has nothing of its own but the dtype."""
    if args:
        raise RuntimeError(f"{name}: No positional arguments should be given when using 'wrap_storage'")
    if dtype is None:
        raise RuntimeError(f"{name}: Argument 'dtype' must be specified with 'wrap_storage'")
    if not isinstance(dtype, _dtype):
        raise TypeError(f"{name}: Argument 'dtype' must be torch.dtype, not {type(dtype)}")
    if device is not None:
        raise RuntimeError(f"{name}: Argument 'device' should not be specified when 'wrap_storage' is given")
    if not isinstance(storage, UntypedStorage):
        raise TypeError(f"{name}: Argument 'wrap_storage' must be UntypedStorage, but got {type(storage)}")


class TypedStorage(_Memory):
    """The memory behind a tensor as elements of a dtype: TypedStorage(n, dtype=), TypedStorage([1, 2], dtype=)."""
    __module__ = "torch.storage"
    __slots__ = ("_untyped_storage", "dtype")

    def __init__(self, *args, wrap_storage=None, dtype=None, device=None, _internal=False):
        if not _internal:
            _warn(2)
        if wrap_storage is not None:
            _check_wrapped("TypedStorage.__init__", args, wrap_storage, dtype, device)
        elif device is not None and _device(device).type not in ("cpu", "cuda", "meta"):
            raise RuntimeError(f"Storage device not recognized: {_device(device)}")
        if device is not None:
            check_device(device)
        _check_content("TypedStorage.__init__", args)
        self.dtype = _C.get_default_dtype() if dtype is None else dtype
        if wrap_storage is None:
            content = args[0] if args else 0
            made = _functions["empty"](content, dtype=self.dtype) if isinstance(content, int) else _C._tensor(list(content), self.dtype)
            wrap_storage = _untyped(made)
        self._untyped_storage = wrap_storage

    def _elements(self):
        return self._untyped_storage._elements(self.dtype)

    def _deeply(self, memo):
        return copied(self._untyped_storage, memo, self.dtype)._as(self.dtype)

    def size(self):
        """How many elements."""
        return self.nbytes() // self.dtype.itemsize

    def nbytes(self):
        """How many bytes."""
        return self._untyped_storage.nbytes()

    def data_ptr(self):
        """The address of the first element."""
        return self._untyped_storage.data_ptr()


    def element_size(self):
        return self.dtype.itemsize

    def untyped(self):
        """The same memory as bytes."""
        return self._untyped_storage

    def clone(self):
        """A copy in memory of its own."""
        return _untyped(self._elements().clone())._as(self.dtype)

    def pickle_storage_type(self):
        """The name of the class for this dtype: FloatStorage, ..."""
        return _word(self.dtype) + "Storage"

    def type(self, dtype=None, non_blocking=False):
        """type() names the storage's type; type(dtype) converts."""
        if dtype is None:
            return "torch." + self.pickle_storage_type()
        if isinstance(dtype, str):
            dtype = _class(dtype.rpartition(".")[2])
        return self._to(getattr(dtype, "dtype", dtype))

    def _to(self, dtype):
        return self if dtype is self.dtype else _untyped(self._elements().to(dtype))._as(dtype)

    def _checked(self, i):
        if isinstance(i, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        if not isinstance(i, int):
            raise RuntimeError(f"can't index a {self.__class__} with {type(i)}")
        return _place(i, self.size())

    __getitem__ = lambda self, i: self._elements()[self._checked(i)].item()

    def __setitem__(self, i, value):
        if isinstance(value, _Memory):
            raise RuntimeError(f"cannot set item with value of type {type(value)}")
        self._elements()[i if isinstance(i, slice) else self._checked(i)] = value

    def fill_(self, value):
        """Makes all elements this number. Returns self."""
        self[:] = value
        return self

    def _described(self):
        return f"[torch.storage.TypedStorage(dtype={self.dtype}, device=cpu) of size {self.size()}]"

    # What PyTorch's own code calls, which warns of nothing.
    _size, _nbytes, _data_ptr, _element_size, _pickle_storage_type, _setitem = size, nbytes, data_ptr, element_size, pickle_storage_type, __setitem__
    _is_shared, _share_memory_, _resize_, _deepcopy = _Memory.is_shared, _Memory.share_memory_, _Memory.resize_, _Memory.__deepcopy__


def _conversions():
    """float(), long(), ... of both kinds."""
    for dtype in BY_NUMBER[1:]:
        name = _word(dtype).lower()
        for kind, f in ((TypedStorage, lambda self, dtype=dtype: self._to(dtype)), (UntypedStorage, lambda self, dtype=dtype: self._as(uint8)._to(dtype))):
            f.__name__ = f.__qualname__ = name
            f.__doc__ = f"The elements as {dtype}."
            setattr(kind, name, f)


_conversions()


class _Kind(type):
    __instancecheck__ = lambda cls, x: isinstance(x, TypedStorage) and (cls._dtype is None or x.dtype is cls._dtype)
    dtype = property(lambda cls: cls._dtype)


class _LegacyStorage(TypedStorage, metaclass=_Kind):
    """torch.FloatStorage and its kin: old names for storages of one dtype."""
    __slots__ = ()
    _dtype = None
    _kind = classmethod(lambda cls: cls._dtype)
    _of = classmethod(lambda cls, tensor: _untyped(tensor)._as(cls._dtype))

    def __new__(cls, *args, wrap_storage=None, _internal=False, **named):
        if cls is _LegacyStorage:
            raise RuntimeError("Only child classes of _LegacyStorage can be instantiated")
        name = f"{cls}.__new__"
        for word in named:
            if word in ("device", "dtype"):
                raise RuntimeError(f"{name}: Keyword argument '{word}' cannot be specified")
            raise TypeError(f"{name}: got an unexpected keyword argument '{word}'")
        if wrap_storage is not None:
            _check_wrapped(name, args, wrap_storage, cls._dtype, None)
        _check_content(name, args)
        if not _internal:
            _warn(2)
        return TypedStorage(*args, wrap_storage=wrap_storage, dtype=cls._dtype, _internal=True)

    @classmethod
    def from_buffer(cls, buffer, byte_order="native", count=-1, offset=0):
        """A copy of a buffer's bytes as elements of this dtype: count of them (-1: all) from byte offset on. byte_order: "native", "big" or "little"."""
        dtype, whole = cls._dtype, bytes(memoryview(buffer).cast("B"))
        each = dtype.itemsize
        if byte_order not in ("native", "big", "little"):
            raise ValueError(f"invalid byte_order '{byte_order}' (expected 'native', 'big' or 'little')")
        if not 0 <= offset <= len(whole):
            raise ValueError(f"offset must be non-negative and no greater than buffer length ({len(whole)}), but got {offset}")
        if count < 0 and (len(whole) - offset) % each:
            raise ValueError(f"buffer size ({len(whole) - offset}) must be a multiple of element size ({each})")
        count = (len(whole) - offset) // each if count < 0 else count
        if offset + count * each > len(whole):
            raise ValueError(f"buffer has only {len(whole) - offset} elements after offset {offset}, but specified a size of {count}")
        memory = UntypedStorage(list(whole[offset:offset + count * each]))
        if byte_order not in ("native", sys.byteorder):
            memory.byteswap(dtype)
        if dtype is _bool:  # whatever is not zero is true
            memory._elements().copy_(memory._elements().ne(0))
        return memory._as(dtype)


_classes = {}


def _class(name):
    """torch.<name>, FloatStorage or the like."""
    if name not in _classes:
        dtype = _storage_type_to_dtype_map()[name]
        _classes[name] = _Kind(name, (_LegacyStorage,), {"__slots__": (), "_dtype": dtype, "__module__": Tensor.__module__,
                                                         "__doc__": f"The memory of tensors of {dtype}."})
    return _classes[name]


def _dtype_to_storage_type_map():
    """{dtype: the name of its class of storages}"""
    return {dtype: _word(dtype) + "Storage" for dtype in BY_NUMBER[1:]}


def _storage_type_to_dtype_map():
    """{name of a class of storages: its dtype}"""
    return {name: dtype for dtype, name in _dtype_to_storage_type_map().items()}


__getattr__ = _lacking(__name__, globals())
