"""What the globals of a checkpoint mean here: a fixed list. Those that may be called are functions of ours that check their arguments."""
from collections import Counter, OrderedDict, defaultdict

from . import _types
from ._construct import Tensor
from ._save import STORAGES
from ._types import Size, device, uint8
from ._unpickle import Call, UnpicklingError, shown

class StorageType:
    """torch.FloatStorage and the like, which stand in persistent ids."""
    __slots__ = ("name", "dtype")

    def __init__(self, name, dtype):
        self.name, self.dtype = name, dtype


GLOBALS = {}


def allowed(*names):
    """f(*args) is what the file calls by these names."""
    def add(f):
        for name in names:
            GLOBALS[name] = Call(name, lambda machine, *args: f(*args))
        return f
    return add


def allowed_with_machine(*names):
    """The same for f(machine, *args)."""
    def add(f):
        for name in names:
            GLOBALS[name] = Call(name, f)
        return f
    return add


# ------------------------------------------------------------------ tensors

def rebuild(storage, offset, size, stride, requires_grad=False):
    """A tensor in a storage, when it lies inside it."""
    if not isinstance(storage, Tensor):
        raise UnpicklingError("a tensor's storage is none")
    if not (isinstance(size, (tuple, list)) and isinstance(stride, (tuple, list)) and len(size) == len(stride)):
        raise UnpicklingError("a tensor whose shape and strides are no tuples of one length")
    if len(size) > 16:
        raise UnpicklingError(f"a tensor of {len(size)} dimensions: winnow's have at most 16")

    def error(why):
        return UnpicklingError(f"a tensor of shape {shown(tuple(size))} with strides {shown(tuple(stride))} at {shown(offset)}: {why}")
    numbers = (offset, *size, *stride)
    if not all(type(x) is int for x in numbers) or min(numbers) < 0:
        raise error("these are no sizes")
    if 0 not in size and offset + sum((n - 1) * s for n, s in zip(size, stride)) >= storage.numel():
        raise error(f"it does not fit into its storage of {storage.numel()} elements")
    try:
        t = storage.as_strided(tuple(size), tuple(stride), offset if 0 not in size or offset <= storage.numel() else 0).detach()
    except RuntimeError as why:
        raise error(why) from None
    return t.requires_grad_() if requires_grad and t.is_floating_point() else t


# Pickles of Python's own call the same functions by these names (_reduce.py).
@allowed("torch._utils._rebuild_tensor")
def _rebuild_tensor(storage, storage_offset, size, stride):
    return rebuild(storage, storage_offset, size, stride)


@allowed("torch._utils._rebuild_tensor_v2")
def _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad, backward_hooks, metadata=None):
    return rebuild(storage, storage_offset, size, stride, requires_grad)


@allowed("torch._utils._rebuild_tensor_v3")
def _rebuild_tensor_v3(storage, storage_offset, size, stride, requires_grad, backward_hooks, dtype, metadata=None):
    if not isinstance(storage, Tensor) or not isinstance(dtype, _types.dtype) or dtype not in STORAGES:
        raise UnpicklingError("a storage or a dtype that is none")
    if storage.numel() * storage.element_size() % dtype.itemsize:
        raise UnpicklingError(f"a storage of {storage.numel()} bytes holds no {dtype}")
    return rebuild(storage.view(dtype) if storage.dtype is not dtype else storage, storage_offset, size, stride, requires_grad)


@allowed("torch._utils._rebuild_parameter")
def _rebuild_parameter(data, requires_grad, backward_hooks):
    from .nn.parameter import Parameter

    if not isinstance(data, Tensor):
        raise UnpicklingError("a parameter's data is no tensor")
    return Parameter(data, bool(requires_grad))


@allowed("torch._utils._rebuild_parameter_with_state")
def _rebuild_parameter_with_state(data, requires_grad, backward_hooks, state):
    return _with_state(_rebuild_parameter(data, requires_grad, backward_hooks), state)


def _with_state(t, state):
    if isinstance(state, tuple) and len(state) == 2 and not state[1]:
        state = state[0]
    if state:
        if t.layout is not _types.strided:
            raise UnpicklingError("attributes of a sparse tensor")
        if not isinstance(state, dict) or not all(isinstance(k, str) for k in state):
            raise UnpicklingError("a tensor's attributes are no dict")
        t.__dict__.update(state)
    return t


@allowed_with_machine("torch._tensor._rebuild_from_type_v2")
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
        raise UnpicklingError(f"tensors of {shown(kind)} are not in the list of what may be made")
    return _with_state(t, state)


_TENSOR = GLOBALS["torch.Tensor"] = Call("torch.Tensor", lambda machine, *args: _refuse("torch.Tensor"))
_PARAMETER = GLOBALS["torch.nn.parameter.Parameter"] = Call("torch.nn.parameter.Parameter",
                                                            lambda machine, data=None, requires_grad=True: _rebuild_parameter(data, requires_grad, None))


def _refuse(name):
    raise UnpicklingError(f"{name} may not be called")


def _lacking(what, name):
    raise UnpicklingError(f"the file has {what} ({name}), which winnow lacks")


@allowed("torch._utils._rebuild_meta_tensor_no_storage")
def _rebuild_meta_tensor_no_storage(dtype, size, stride, requires_grad):
    """A tensor on the meta device."""
    from ._construct import _functions

    if not isinstance(dtype, _types.dtype) or dtype not in STORAGES:
        raise UnpicklingError("a tensor whose dtype is none")
    if not all(isinstance(v, (tuple, list)) and len(v) <= 16 and all(type(n) is int and 0 <= n < 1 << 62 for n in v) for v in (size, stride)) or len(size) != len(stride):
        raise UnpicklingError(f"a tensor of shape {shown(size)} with strides {shown(stride)}")
    try:
        return _functions["empty_strided"](tuple(size), tuple(stride), dtype=dtype, device="meta", requires_grad=bool(requires_grad))
    except RuntimeError as why:
        raise UnpicklingError(f"a tensor of shape {shown(tuple(size))} with strides {shown(tuple(stride))}: {why}") from None


@allowed_with_machine("torch._utils._rebuild_sparse_tensor")
def rebuild_sparse(machine, layout, data):
    from .sparse import _tensor

    if layout is not _types.sparse_coo and layout is not _types.sparse_csr:
        raise UnpicklingError(f"a tensor of layout {shown(layout)}: winnow has strided, sparse_coo and sparse_csr")
    if not isinstance(data, tuple) or len(data) not in ((3, 4) if layout is _types.sparse_coo else (4,)):
        raise UnpicklingError("a sparse tensor that is described wrongly")
    tensors, rest = (data[:2], data[2:]) if layout is _types.sparse_coo else (data[:3], data[3:])
    size = rest[0]
    if not all(isinstance(t, Tensor) and t.layout is _types.strided for t in tensors) or not isinstance(size, (tuple, list)):
        raise UnpicklingError("a sparse tensor whose parts are no tensors")
    if len(size) > 16 or not all(type(n) is int and 0 <= n < 1 << 63 for n in size):
        raise UnpicklingError(f"a sparse tensor of shape {shown(tuple(size))}")
    machine.charge(sum(t.numel() for t in tensors))  # they are looked at, and may be copied
    try:
        if layout is _types.sparse_csr:
            return _tensor.sparse_csr_tensor(*tensors, size)
        coalesced = rest[1] if len(rest) > 1 else None
        return _tensor.sparse_coo_tensor(*tensors, size, is_coalesced=coalesced and _tensor.is_sorted(tensors[0], size))
    except (RuntimeError, IndexError) as error:
        raise UnpicklingError(f"a sparse tensor that is damaged: {error}") from None


@allowed_with_machine("torch._utils._rebuild_device_tensor_from_cpu_tensor")
def rebuild_device_tensor(machine, data, dtype, where, requires_grad):
    """Of a device whose tensors are saved by way of the CPU."""
    if not isinstance(data, Tensor) or not isinstance(dtype, _types.dtype) or dtype not in STORAGES:
        raise UnpicklingError("a tensor whose data or dtype is none")
    machine.charge(data.numel())
    t = data.to(dtype)
    return t.requires_grad_() if requires_grad and t.is_floating_point() else t


_MISSING = {"_rebuild_qtensor": "quantized tensors", "_rebuild_nested_tensor": "nested tensors",
            "_rebuild_device_tensor_from_numpy": "tensors out of NumPy arrays in a file", "_rebuild_wrapper_subclass": "wrapper subclasses"}
for _name, _what in _MISSING.items():
    GLOBALS["torch._utils." + _name] = Call(_name, lambda machine, *args, name=_name, what=_what: _lacking(what, f"torch._utils.{name}"))
# Names that stand in files of tensors that winnow has no dtype for.
UNSUPPORTED = {"torch." + n + "Storage": what for what, names in {
    "complex numbers": ("ComplexFloat", "ComplexDouble", "ComplexHalf"), "quantized numbers": ("QInt8", "QUInt8", "QInt32", "QUInt4x2", "QUInt2x4")}.items()
    for n in names}
UNSUPPORTED |= {"torch." + n: f"numbers of dtype torch.{n}" for n in (
    "uint16", "uint32", "uint64", "float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz", "float8_e8m0fnu", "float4_e2m1fn_x2", "quint8", "qint8",
    "qint32", "quint4x2", "quint2x4", *(f"uint{i}" for i in range(1, 8)), *(f"int{i}" for i in range(1, 8)))}


# ------------------------------------------------------------------ containers and plain values

@allowed("torch.Size")
def size(items=()):
    if not isinstance(items, (tuple, list)) or not all(type(n) is int for n in items):
        raise UnpicklingError("a torch.Size of something else than ints")
    return Size(items)


@allowed("torch.device")
def device_named(*args):
    if not all(type(a) in (str, int, type(None)) for a in args):
        raise UnpicklingError("a torch.device of something else than a name and a number")
    return device(*args)


allowed_with_machine("collections.OrderedDict")(lambda machine, items=(): OrderedDict(_pairs(machine, items)))
allowed_with_machine("collections.Counter")(lambda machine, items=(): Counter(items if isinstance(items, dict) else _simple(machine, items)))
allowed_with_machine("builtins.set")(lambda machine, items=(): set(_simple(machine, items)))
allowed_with_machine("builtins.frozenset")(lambda machine, items=(): frozenset(_simple(machine, items)))


@allowed("builtins.complex")
def complex_number(real, imag):
    if type(real) not in (int, float) or type(imag) not in (int, float):
        raise UnpicklingError("a complex number of something else than numbers")
    return complex(real, imag)


@allowed_with_machine("collections.defaultdict")
def default_dict(machine, factory=None, items=()):
    """The factory, list, int and the like or a class of the user's, is not kept: it would be code from the file."""
    return defaultdict(None, _pairs(machine, items))


def _pairs(machine, items):
    if not isinstance(items, (dict, list, tuple)):
        raise UnpicklingError("a dictionary of something that is no list")
    pairs = list(items.items() if isinstance(items, dict) else items)
    for pair in pairs:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise UnpicklingError("a dictionary of something else than pairs")
        machine.hashable(pair[0])
    return pairs


def _simple(machine, items):
    if not isinstance(items, (list, tuple, set, frozenset)):
        raise UnpicklingError("a set of something that is no list")
    return [machine.hashable(x) for x in items]


@allowed("_codecs.encode")
def encode(text, encoding):
    """How protocol 2 writes bytes."""
    if not isinstance(text, str) or not isinstance(encoding, str) or encoding not in ("latin1", "latin-1"):
        raise UnpicklingError(f"_codecs.encode with {shown(encoding)}")
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
    if not isinstance(name, str) or name not in found:
        raise UnpicklingError(f"{shown(name)} is no layout")
    return found[name]


# ------------------------------------------------------------------ constants

for _name in _types.NAMES + _types.LAYOUTS + _types.FORMATS:
    if "torch." + _name not in UNSUPPORTED:
        GLOBALS["torch." + _name] = getattr(_types, _name)
for _dtype, _name in STORAGES.items():
    GLOBALS["torch." + _name] = GLOBALS["torch.cuda." + _name] = StorageType(_name, _dtype)
GLOBALS["torch.storage.UntypedStorage"] = GLOBALS["torch.UntypedStorage"] = StorageType("UntypedStorage", uint8)

# ------------------------------------------------------------------ finding them

_PYTHON2 = {"__builtin__": "builtins", "copy_reg": "copyreg"}
_NEVER = ("sys", "os", "posix", "nt")  # modules of which nothing is let in, trusted or not


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
    if module.partition(".")[0] in _NEVER:
        raise UnpicklingError(f"Weights only load failed. Trying to load unsupported GLOBAL {full} whose module {module} is blocked.")
    if full in trusted:
        return trusted[full]
    if full in GLOBALS:
        return GLOBALS[full]
    if full in UNSUPPORTED:
        _lacking(UNSUPPORTED[full], full)
    raise UnpicklingError(f"Weights only load failed. Unsupported global: GLOBAL {full} was not an allowed global by default. winnow executes nothing "
                          f"that a file says: please use torch.serialization.add_safe_globals([{name}]) or torch.serialization.safe_globals([{name}]) "
                          "to allowlist this global if you trust this class/function. (weights_only=False lets in modules and plain records of "
                          "classes that the program has imported, and NumPy's numbers and arrays; no other.)")
