"""dtype, device, layout, memory_format, Size, finfo and iinfo: small immutable values."""
from . import _C


class dtype:
    """The type of a tensor's elements. There is one object for each; they are compared with `is`."""
    __slots__ = ("_name", "_number", "itemsize", "is_floating_point", "is_complex", "is_signed", "__weakref__")

    def __init__(self, name, number, itemsize, kind):
        self._name = name
        self._number = number  # winnow.h's wn_dtype; 0: named, but no tensor has it yet
        self.itemsize = itemsize
        self.is_floating_point = kind == "f"
        self.is_complex = kind == "c"
        self.is_signed = kind not in "ub"

    __repr__ = lambda self: "torch." + self._name

    def __reduce__(self):
        return self._name  # pickled as the global winnow.<name>

    __module__ = "torch"

    def to_real(self):
        return {complex64: float32, complex128: float64, complex32: float16}.get(self, self)

    def to_complex(self):
        return {float32: complex64, float64: complex128, float16: complex32}.get(self, self)


float32 = dtype("float32", 1, 4, "f")
float64 = dtype("float64", 2, 8, "f")
float16 = dtype("float16", 3, 2, "f")
bfloat16 = dtype("bfloat16", 4, 2, "f")
int8 = dtype("int8", 5, 1, "i")
int16 = dtype("int16", 6, 2, "i")
int32 = dtype("int32", 7, 4, "i")
int64 = dtype("int64", 8, 8, "i")
uint8 = dtype("uint8", 9, 1, "u")
bool = dtype("bool", 10, 1, "b")
complex32 = dtype("complex32", 0, 4, "c")
complex64 = dtype("complex64", 0, 8, "c")
complex128 = dtype("complex128", 0, 16, "c")
uint16 = dtype("uint16", 0, 2, "u")
uint32 = dtype("uint32", 0, 4, "u")
uint64 = dtype("uint64", 0, 8, "u")
float8_e4m3fn = dtype("float8_e4m3fn", 0, 1, "f")
float8_e5m2 = dtype("float8_e5m2", 0, 1, "f")
float8_e4m3fnuz = dtype("float8_e4m3fnuz", 0, 1, "f")
float8_e5m2fnuz = dtype("float8_e5m2fnuz", 0, 1, "f")
float8_e8m0fnu = dtype("float8_e8m0fnu", 0, 1, "f")
qint8 = dtype("qint8", 0, 1, "i")
quint8 = dtype("quint8", 0, 1, "u")
qint32 = dtype("qint32", 0, 4, "i")
quint4x2 = dtype("quint4x2", 0, 1, "u")
quint2x4 = dtype("quint2x4", 0, 1, "u")
float, double, half = float32, float64, float16
short, int, long = int16, int32, int64
chalf, cfloat, cdouble = complex32, complex64, complex128

BY_NUMBER = [None, float32, float64, float16, bfloat16, int8, int16, int32, int64, uint8, bool]
NAMES = ("float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "bool", "complex32", "complex64",
         "complex128", "uint16", "uint32", "uint64", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu", "qint8",
         "quint8", "qint32", "quint4x2", "quint2x4", "float", "double", "half", "short", "int", "long", "chalf", "cfloat", "cdouble")

_int = (1).__class__  # the builtins that dtypes are named after
_float = (0.5).__class__
_bool = True.__class__


class Size(tuple):
    """A tensor's shape."""
    __slots__ = ()
    __module__ = "torch"

    def __new__(cls, sizes=()):
        sizes = tuple(sizes)
        for s in sizes:
            if not isinstance(s, _int):
                index = getattr(s, "__index__", None)
                if index is None:
                    raise TypeError(f"torch.Size() takes an iterable of 'int' (item 0 is '{type(s).__name__}')")
                sizes = tuple(x.__index__() for x in sizes)
                break
        return tuple.__new__(cls, sizes)

    def numel(self):
        n = 1
        for s in self:
            n *= s
        return n

    __repr__ = lambda self: "torch.Size([" + ", ".join(map(str, self)) + "])"

    __str__ = __repr__

    def __getitem__(self, i):
        r = tuple.__getitem__(self, i)
        return tuple.__new__(Size, r) if isinstance(i, slice) else r

    def __add__(self, other):
        if not isinstance(other, tuple):
            return NotImplemented
        return tuple.__new__(Size, tuple.__add__(self, other))

    def __radd__(self, other):
        return tuple.__new__(Size, tuple.__add__(other, self)) if isinstance(other, tuple) else NotImplemented

    __mul__ = lambda self, n: tuple.__new__(Size, tuple.__mul__(self, n))

    __rmul__ = __mul__
    __reduce__ = lambda self: (Size, (tuple(self),))


class device:
    """Where a tensor lives: winnow has 'cpu', and 'meta' for tensors without elements. Other names can be written and compared, but hold no tensors."""
    __slots__ = ("type", "index")
    __module__ = "torch"
    _KNOWN = ("cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia", "xla", "lazy", "vulkan",
              "mps", "meta", "hpu", "mtia", "privateuseone")

    def __new__(cls, type, index=None):
        if isinstance(type, device):
            return type
        if isinstance(type, _int) and not isinstance(type, _bool):
            type, index = "cuda", type
        if index is not None and index < 0:
            raise RuntimeError("Device index must not be negative")
        if not isinstance(type, str):
            raise TypeError(f"device(): argument 'type' must be str, not {type.__class__.__name__}")
        name, colon, number = type.partition(":")
        if name not in cls._KNOWN or (colon and (not number.isdigit() or (len(number) > 1 and number[0] == "0"))):
            if name in cls._KNOWN:
                raise RuntimeError(f"Invalid device string: '{type}'")
            raise RuntimeError(f"Expected one of {', '.join(cls._KNOWN)} device type at start of device string: {name}")
        if colon:
            if index is not None:
                raise RuntimeError(f"type (string) must not include an index because index was passed explicitly: {type}")
            index = _int(number)
        self = object.__new__(cls)
        object.__setattr__(self, "type", name)
        object.__setattr__(self, "index", index)
        return self

    def __setattr__(self, name, value):
        raise AttributeError(f"attribute '{name}' of 'torch.device' objects is not writable")

    __repr__ = lambda self: f"device(type='{self.type}'" + ("" if self.index is None else f", index={self.index}") + ")"
    __str__ = lambda self: self.type if self.index is None else f"{self.type}:{self.index}"
    __eq__ = lambda self, other: isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self):
        return hash((self.type, self.index))

    __reduce__ = lambda self: (device, (str(self),))

    def __enter__(self):
        """Tensors are made there, within."""
        _before.append(_C._default_device())
        _C._set_default_device(device_number(self))
        return self

    def __exit__(self, *exc):
        _C._set_default_device(_before.pop())


_before = []  # the default devices outside of the contexts that are open
CPU, META = device("cpu"), device("meta")


def device_number(d):
    """wn_device of winnow.h; raises unless tensors can be made there."""
    return 2 if usable_device(d).type == "meta" else 1


def usable_device(d):
    """Raises unless tensors can be made there, with elements or, on the meta device, without."""
    d = device(d)
    return d if d.type == "meta" else check_device(d)


def check_device(d):
    """Raises unless tensors there have elements."""
    d = device(d)
    if d.type == "cuda":
        raise AssertionError("Torch not compiled with CUDA enabled (winnow computes on the CPU)")
    if d.type == "meta":
        raise NotImplementedError("device 'meta': tensors there have no elements, which are needed here")
    if d.type != "cpu":
        raise RuntimeError(f"device '{d}' is not available: winnow computes on the CPU")
    return d


class _Name:
    """layout and memory_format: names only, with one object each."""
    __slots__ = ("_name",)

    def __init__(self, name):
        self._name = name

    __repr__ = lambda self: "torch." + self._name
    __reduce__ = lambda self: self._name

    __module__ = "torch"


class layout(_Name):
    """How a tensor's elements are stored: torch.strided, torch.sparse_coo, ..."""
    __slots__ = ()
    __module__ = "torch"


class memory_format(_Name):
    """An order of dimensions in memory: torch.contiguous_format, torch.channels_last, ..."""
    __slots__ = ()
    __module__ = "torch"


class qscheme(_Name):
    """A way to quantise. There are no quantised tensors: the type is for isinstance and annotations."""
    __slots__ = ()
    __module__ = "torch"


strided, sparse_coo, sparse_csr, sparse_csc, sparse_bsr, sparse_bsc, jagged, _mkldnn = map(
    layout, ("strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged", "_mkldnn"))
contiguous_format, preserve_format, channels_last, channels_last_3d = map(
    memory_format, ("contiguous_format", "preserve_format", "channels_last", "channels_last_3d"))
LAYOUTS = ("strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged")
FORMATS = ("contiguous_format", "preserve_format", "channels_last", "channels_last_3d")

_FLOATS = {  # bits, eps, max, smallest normal, decimal digits
    float32: (32, 2.0**-23, (2 - 2.0**-23) * 2.0**127, 2.0**-126, 1e-6),
    float64: (64, 2.0**-52, (2 - 2.0**-52) * 2.0**1023, 2.0**-1022, 1e-15),
    float16: (16, 2.0**-10, 65504.0, 2.0**-14, 1e-3),
    bfloat16: (16, 2.0**-7, (2 - 2.0**-7) * 2.0**127, 2.0**-126, 1e-2),
    float8_e4m3fn: (8, 2.0**-3, 448.0, 2.0**-6, 1.0),
    float8_e5m2: (8, 2.0**-2, 57344.0, 2.0**-14, 1.0),
    float8_e4m3fnuz: (8, 2.0**-3, 240.0, 2.0**-7, 1.0),
    float8_e5m2fnuz: (8, 2.0**-3, 57344.0, 2.0**-15, 1.0),
    float8_e8m0fnu: (8, 1.0, 2.0**127, 2.0**-127, 1.0),
}


class finfo:
    """The limits of a floating dtype: bits, eps, max, min, tiny (= smallest_normal), resolution, dtype."""
    __slots__ = ("bits", "eps", "max", "min", "tiny", "smallest_normal", "resolution", "dtype")
    __module__ = "torch"

    def __init__(self, type=None):
        if type is None:
            type = _C.get_default_dtype()
        if not isinstance(type, dtype):
            raise TypeError(f"finfo(): argument 'type' (position 1) must be torch.dtype, not {type.__class__.__name__}")
        if type not in _FLOATS:
            raise TypeError(f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle '{type!r}'")
        self.bits, self.eps, self.max, self.tiny, self.resolution = _FLOATS[type]
        self.min, self.smallest_normal, self.dtype = self.tiny if type is float8_e8m0fnu else -self.max, self.tiny, type._name

    def __repr__(self):
        return (f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
                f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})")

    __eq__ = lambda self, other: isinstance(other, finfo) and self.dtype == other.dtype

    __hash__ = object.__hash__


class iinfo:
    """The limits of an integer dtype: bits, max, min, dtype."""
    __slots__ = ("bits", "max", "min", "dtype")
    __module__ = "torch"

    def __init__(self, type):
        if not isinstance(type, dtype):
            raise TypeError(f"iinfo(): argument 'type' (position 1) must be torch.dtype, not {type.__class__.__name__}")
        if type is bool:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        if type.is_floating_point or type.is_complex:
            raise TypeError(f"torch.iinfo() requires an integer input type. Use torch.finfo to handle '{type!r}'")
        self.bits, self.dtype = 8 * type.itemsize, type._name
        self.min = -(1 << self.bits - 1) if type.is_signed else 0
        self.max = (1 << self.bits - type.is_signed) - 1

    __repr__ = lambda self: f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"
    __eq__ = lambda self, other: isinstance(other, iinfo) and self.dtype == other.dtype

    __hash__ = object.__hash__


_C._register(BY_NUMBER, Size)
