"""What makes a Tensor a good Python object: text, copies, pickles, arrays, subclasses, the smaller properties."""
from . import _C
from ._types import BY_NUMBER, CPU, META, check_device, dtype as dtype_, strided
from ._construct import Tensor, _legacy, _word
from ._kinds import need, need_option
from ._recording import recording
from ._stand_in import answers

_attach = {}


def attach(f):
    _attach[f.__name__] = f
    return f


# ------------------------------------------------------------------ text

def _text(self, contents=None):
    kind = type(self)
    if kind is Tensor or kind.__name__ == "Parameter":
        return _C._repr(self, "tensor(")
    return _C._repr(self, kind.__name__ + "(")


@attach
def __repr__(self, *, tensor_contents=None):
    return _text(self)


@attach
def new(self, *args, size=None, device=None):
    """A tensor of this one's dtype: empty of the sizes given, or with the data given. new_empty and new_tensor are newer names."""
    if len(args) == 1 and isinstance(args[0], Tensor) and args[0].dtype is not self.dtype:
        raise TypeError(f"new(): expected a tensor of dtype {self.dtype}, got {args[0].dtype}")
    return _legacy(*(args if size is None else size), device=device, dtype=self.dtype)


@attach
def __format__(self, spec):
    if self.dim() == 0 and type(self) is Tensor and not self.is_meta:
        return format(self.item(), spec)
    return object.__format__(self, spec)


# ------------------------------------------------------------------ copies and pickles

class _Storage:
    """A whole storage inside a pickle: views of one storage share it again when they are loaded."""
    __slots__ = ("flat", "__weakref__")

    def __init__(self, flat):
        self.flat = flat

    def __reduce__(self):
        from ._reduce import _load_from_bytes
        from ._save import storage_bytes

        return _load_from_bytes, (storage_bytes(self.flat),)


_storages = None  # address -> _Storage, weakly: the same object for all views within one pickle


def _storage_of(t):
    global _storages
    if _storages is None:
        import weakref

        _storages = weakref.WeakValueDictionary()
    address, nbytes = _C._storage(t)
    key = (address, nbytes, t.dtype)
    s = _storages.get(key) if address else None
    if s is None:
        s = _Storage(t.detach().as_strided((nbytes // t.element_size(),), (1,), 0))
        if address:
            _storages[key] = s
    return s


@attach
def __reduce_ex__(self, protocol):
    from ._reduce import reduced, reduced_meta

    if self.is_meta:
        return reduced_meta(self, _state(self))

    return reduced(self, _storage_of(self), _state(self))


def _state(self):
    """Attributes that copies take along; hooks stay."""
    return {k: v for k, v in self.__dict__.items() if k != "_backward_hooks"}


@attach
def __copy__(self):
    """Another object on the same memory."""
    t = self.detach()
    t = t if type(self) is Tensor else Tensor._make_subclass(type(self), t)
    if self.requires_grad:
        t.requires_grad_()
    t.__dict__.update(_state(self))
    return t


@attach
def __deepcopy__(self, memo):
    if id(self) in memo:
        return memo[id(self)]
    if not self.is_leaf:
        raise RuntimeError("Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  "
                           "If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage")
    from .storage import _untyped, copied

    with recording(False):
        t = self.clone() if self.is_meta else copied(_untyped(self), memo, self.dtype)._elements(self.dtype).as_strided(tuple(self.shape), self.stride(), self.storage_offset())
        t = t.detach() if type(self) is Tensor else Tensor._make_subclass(type(self), t)
    memo[id(self)] = t
    if self.requires_grad:
        t.requires_grad_()
    if self.grad is not None:
        t.grad = self.grad.__deepcopy__(memo)
    if self.__dict__:
        import copy

        t.__dict__.update(copy.deepcopy(_state(self), memo))
    return t


# ------------------------------------------------------------------ arrays

@attach
def numpy(self, *, force=False):
    """A NumPy array on the same memory."""
    if self.is_meta:
        raise TypeError("can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.")
    if force or (self.requires_grad and not _C.is_grad_enabled()):
        self = self.detach()
    elif self.requires_grad:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    import numpy as np

    return np.asarray(memoryview(self)) if self.dim() else np.ndarray((), memoryview(self).format, memoryview(self))


@attach
def __array__(self, dtype=None, copy=None):
    a = self.numpy()
    if dtype is not None and a.dtype != dtype:
        if copy is False:
            raise ValueError("a conversion of dtype needs a copy")
        return a.astype(dtype)
    return a.copy() if copy else a


@attach
def __array_wrap__(self, array, context=None, return_scalar=False):
    from ._construct import from_array

    if array.dtype == bool:
        array = array.astype("uint8")
    return from_array(array.copy() if not array.flags.writeable or not array.shape else array)


@attach
def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
    if self.requires_grad:
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
    if self.is_meta:
        raise ValueError("Unknown device type meta for Dlpack")
    if dl_device is not None and tuple(dl_device)[0] != 1:
        raise BufferError("winnow has tensors in main memory only")
    return _C._to_dlpack(self.clone() if copy else self)


@attach
def __dlpack_device__(self):
    return (1, 0)


@attach
def untyped_storage(self):
    """The memory behind the tensor: its address, its size in bytes, the bytes."""
    from .storage import _untyped

    return _untyped(self)


@attach
def storage(self):
    """The memory behind the tensor as elements of its dtype. untyped_storage() is the newer name."""
    from .storage import _untyped, _warn

    _warn(2)
    return _untyped(self)._as(self.dtype)


@attach
def _typed_storage(self):
    from .storage import _untyped

    return _untyped(self)._as(self.dtype)


@attach
def storage_type(self):
    """The class of storage() for this dtype: FloatStorage, ..."""
    from .storage import _class

    return _class(_word(self.dtype) + "Storage")


@attach
def share_memory_(self):
    """Moves the tensor into memory that processes share: what one writes the others see. Other tensors on its old memory stay there."""
    from . import _shared

    if self.is_meta:
        raise RuntimeError("_share_fd_: only available on CPU")
    return _shared.share(self)


@attach
def is_shared(self):
    """Is it in memory that processes share (share_memory_)?"""
    from . import _shared

    return _shared.is_shared(self)


# ------------------------------------------------------------------ containers

@attach
def __contains__(self, element):
    if isinstance(element, (Tensor, int, float, bool)):
        return bool((element == self).any().item())
    raise RuntimeError(f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}.")


@attach
def __reversed__(self):
    return self if self.dim() == 0 else self.flip(0)


# ------------------------------------------------------------------ smaller methods

_TYPES = {"Float": 1, "Double": 2, "Half": 3, "BFloat16": 4, "Char": 5, "Short": 6, "Int": 7, "Long": 8, "Byte": 9, "Bool": 10}


@attach
def type(self, dtype=None, non_blocking=False):
    """type() names the tensor's type; type(dtype) converts."""
    if dtype is None:
        return f"torch.{_word(self.dtype)}Tensor"
    if isinstance(dtype, str):
        name = dtype[dtype.rfind(".") + 1:]
        if not name.endswith("Tensor") or name[:-6] not in _TYPES:
            raise ValueError(f"invalid type: '{dtype}'")
        dtype = BY_NUMBER[_TYPES[name[:-6]]]
    dtype = _C.get_default_dtype() if dtype is Tensor else getattr(dtype, "_dtype", dtype)
    if not isinstance(dtype, dtype_) and dtype not in (int, float, bool):
        raise TypeError("dtype must be a type, str, or dtype object")
    return self.to(dtype)


type_ = type  # the method; below, type is Python's again
type = __builtins__["type"] if isinstance(__builtins__, dict) else __builtins__.type


@attach
def type_as(self, other):
    """self in other's dtype; self itself where it has it."""
    need("type_as", Tensor, other=other)
    return self.to(other.dtype)


@attach
def cpu(self, memory_format=None):
    """self in main memory."""
    return self if _C._device_of(self) == 1 else self.to("cpu")


@attach
def cuda(self, device=None, non_blocking=False, memory_format=None):
    """An error, as in torch without CUDA."""
    check_device("cuda" if device is None else device)


for _f in answers(globals(), [
    ("is_floating_point(self)", "self.dtype.is_floating_point", "Is the dtype one of float16, bfloat16, float32, float64?"),
    ("is_complex(self)", "False", "False: winnow has no complex tensors."),
    ("is_signed(self)", "self.dtype.is_signed", "Does the dtype hold negative numbers?"),
    ("get_device(self)", "-1", "-1: the CPU's number."),
    ("has_names(self)", "False", "False: dimensions have no names."),
    ("_is_view(self)", "self._base is not None", "Was it made by a view of another tensor, which its history goes through?"),
    ("is_pinned(self, device=None)", "False", "False: there is no device that pinned memory would be for."),
]):
    attach(_f)


@attach
def pin_memory(self, device=None):
    """self: there is no device that pinned memory would be for."""
    if self.is_meta:
        raise RuntimeError(f"cannot pin 'Meta{_word(self.dtype)}Type' only dense CPU tensors can be pinned")
    return self


@attach
def is_same_size(self, other):
    """Have self and other the same shape?"""
    need("is_same_size", Tensor, other=other)
    return self.shape == other.shape


@attach
def is_set_to(self, other):
    """Are self and other the same elements of the same memory: address, shape, strides, dtype?"""
    need("is_set_to", Tensor, tensor=other)
    return (self.data_ptr(), self.shape, self.stride(), self.dtype) == (other.data_ptr(), other.shape, other.stride(), other.dtype)


@attach
def detach_(self):
    """Forgets the history."""
    if self._base is not None and self.requires_grad:
        raise RuntimeError("Can't detach views in-place. Use detach() instead.")
    if self.requires_grad and self.is_leaf:
        self.requires_grad = False
    elif not self.is_leaf:
        self._become(self.detach())
    return self


@attach
def module_load(self, other, assign=False):
    """What load_state_dict swaps a parameter with (torch.__future__): other in self's memory, or (assign) other's own."""
    from .overrides import handle_torch_function, has_torch_function
    if has_torch_function((self, other)):
        return handle_torch_function(Tensor.module_load, (self, other), self, other, assign=assign)
    need("module_load", Tensor, other=other)
    return other.detach() if assign else self.copy_(other).detach()


@attach
def as_subclass(self, cls):
    """A view of self as an instance of cls, recorded for backward."""
    return _C._as_subclass(self, cls)


@attach
def to_dense(self, dtype=None, *, masked_grad=None):
    """The elements as a dense tensor: of one that is dense, self, in that dtype."""
    if dtype is not None:
        need_option("to_dense", dtype_, dtype=dtype)
    return self if dtype is None else self.to(dtype)


@attach
def to_sparse(self, sparse_dim=None, *, layout=None, blocksize=None, dense_dim=None):
    """The elements that are not zero as a COO tensor, whose first sparse_dim dimensions have indices; layout=torch.sparse_csr: as CSR."""
    from .sparse._tensor import to_sparse

    return to_sparse(self, sparse_dim, layout=layout, blocksize=blocksize, dense_dim=dense_dim)


@attach
def to_sparse_coo(self):
    """The elements that are not zero as a COO tensor."""
    return self.to_sparse()


@attach
def to_sparse_csr(self, dense_dim=None):
    """The elements of a matrix that are not zero as a CSR tensor."""
    from .sparse._tensor import to_sparse_csr

    return to_sparse_csr(self, dense_dim)


@attach
def sparse_mask(self, mask):
    """self at the places that the sparse tensor mask has indices of, as a sparse tensor."""
    from .sparse._ops import TABLE

    return TABLE["sparse_mask"](self, mask)


@attach
def __setstate__(self, state):
    self.__dict__.update(state)


def _torch_function(cls, func, types, args=(), kwargs=None):
    """What subclasses inherit: the operation runs, and its tensors become instances of the subclass."""
    if not all(issubclass(cls, t) for t in types):
        return NotImplemented
    _C._torch_function_off(1)
    try:
        r = func(*args, **(kwargs or {}))
    finally:
        _C._torch_function_off(-1)
    return _convert(r, cls)


def _convert(r, cls):
    if cls is Tensor:
        return r
    if isinstance(r, Tensor) and not isinstance(r, cls):
        return r.as_subclass(cls)
    if isinstance(r, (tuple, list)):
        return type(r)(_convert(x, cls) for x in r) if not hasattr(r, "n_fields") else type(r)([_convert(x, cls) for x in r])
    return r


def named_tuple_text(self):
    names = type(self).__match_args__
    return f"torch.return_types.{type(self).__name__}(\n" + ",\n".join(f"{n}={v!r}" for n, v in zip(names, self)) + ")"


def install():
    for name, f in _attach.items():
        f.__module__ = "torch"
        setattr(Tensor, name, f)
    for t in _C._result_types():
        t.__repr__ = named_tuple_text
    Tensor.type = type_
    Tensor.__torch_function__ = classmethod(_torch_function)
    Tensor.__array_priority__ = 1000
    Tensor.__module__ = "torch"
    Tensor.device = property(lambda self: META if _C._device_of(self) == 2 else CPU)
    Tensor.is_cpu = property(lambda self: _C._device_of(self) == 1)
    Tensor.is_meta = property(lambda self: _C._device_of(self) == 2)
    Tensor.layout = property(lambda self: strided)
    Tensor.itemsize = property(lambda self: self.element_size())
    Tensor.nbytes = property(lambda self: self.numel() * self.element_size())
    Tensor.mT = property(_mt)
    Tensor.T = property(_reversed_dims)
    Tensor.H = property(_h)
    Tensor.mH = property(_mt)
    Tensor.names = property(lambda self: (None,) * self.dim())
    Tensor.name = property(lambda self: None)
    Tensor.real = property(lambda self: self)
    for flag in ("cuda", "sparse", "sparse_csr", "quantized", "mkldnn", "mps", "xpu", "nested", "xla", "ipu", "maia", "hpu", "mtia", "vulkan"):
        setattr(Tensor, "is_" + flag, property(lambda self: False))


_mt_row = _C.functions(256)["mT"]


def _mt(self):
    if self.dim() == 0:
        return self
    if self.dim() < 2:
        raise RuntimeError("tensor.mT is only supported on matrices or batches of matrices. Got " f"{self.dim()}-D tensor.")
    return _mt_row(self)


def _reversed_dims(self):
    return self.permute(tuple(range(self.dim() - 1, -1, -1)))


def _h(self):
    if self.dim() not in (0, 2):
        raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {self.dim()}-D tensor.")
    return self.t() if self.dim() == 2 else self


def __getattr__(name):
    """torch._tensor._rebuild_from_type_v2, which pickles name."""
    if name == "_rebuild_from_type_v2":
        from ._reduce import _rebuild_from_type_v2

        return _rebuild_from_type_v2
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
