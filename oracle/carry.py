"""Carrying arguments and results between torch and a module.

Nothing of one library is ever handed to the other. A sample of the database is *frozen* into plain Python and NumPy
(tensors as strided windows into flat arrays), and thawed once for torch and once for the module: both get what they
are given in the same way. What comes back is *seen*: again plain Python and NumPy.
"""
import collections
import dataclasses
import types

import numpy as np

from entries import DTYPES, retarget

# Element types of NumPy; it has no bfloat16, whose bits travel as int16.
NUMPY = {name: np.dtype(name) for name in DTYPES if name != "bfloat16"} | {"bfloat16": np.dtype("int16")}


class LeftOut(Exception):
    """This sample or result is none of the oracle's business; the text says why."""


class Crossed(Exception):
    """The module failed while it was given its arguments or while its answer was read, not while it computed."""


@dataclasses.dataclass(frozen=True)
class Named:
    """A dtype, layout, memory format: an attribute of the library."""
    name: str


@dataclasses.dataclass
class FrozenTensor:
    key: int                    # the same tensor given twice stays the same tensor
    dtype: str
    memory: np.ndarray          # flat; tensors that share memory share this array
    offset: int
    shape: tuple
    strides: tuple              # in elements
    requires_grad: bool

    def is_whole(self):
        """Is it contiguous and all of its memory?"""
        array = self.array()
        return array.size == self.memory.size and array.flags.c_contiguous

    def array(self, memory=None):
        memory = self.memory if memory is None else memory
        size = memory.itemsize
        return np.lib.stride_tricks.as_strided(memory[self.offset:], self.shape, [step * size for step in self.strides])


@dataclasses.dataclass
class FrozenGenerator:
    seed: int


@dataclasses.dataclass
class FrozenCode:
    """A function of the database among the arguments."""
    function: object


def dtype_name(dtype):
    return str(dtype).rpartition(".")[2]


class Freezer:
    """Turns torch's arguments into plain Python and NumPy. One freezer serves one sample: it knows which memory is
    shared."""

    def __init__(self):
        self.memories = {}

    def tensor(self, tensor):
        import torch
        if tensor.layout != torch.strided:
            raise LeftOut("sparse argument")
        if tensor.device.type != "cpu":
            raise LeftOut(f"{tensor.device.type} argument")
        name = dtype_name(tensor.dtype)
        if name not in NUMPY:
            raise LeftOut(f"{name} argument")
        if tensor.dim() > 64:
            raise LeftOut("more dimensions than NumPy has")
        with torch.no_grad():
            storage = tensor.untyped_storage()
            key = (storage.data_ptr() or id(tensor), name)
            if key not in self.memories:
                flat = tensor.detach().as_strided((storage.nbytes() // tensor.element_size(),), (1,), 0)
                flat = flat.view(torch.int16) if name == "bfloat16" else flat
                self.memories[key] = flat.numpy().copy()
        return FrozenTensor(id(tensor), name, self.memories[key], tensor.storage_offset(), tuple(tensor.shape),
                            tuple(tensor.stride()), tensor.requires_grad)

    def __call__(self, value):
        import torch
        if isinstance(value, torch.Tensor):
            return self.tensor(value)
        if isinstance(value, torch.dtype):
            return Named(dtype_name(value))
        if isinstance(value, (torch.layout, torch.memory_format)):
            return Named(dtype_name(value))
        if isinstance(value, torch.device):
            return str(value)
        if isinstance(value, torch.Generator):
            return FrozenGenerator(value.initial_seed())
        if isinstance(value, slice):
            return slice(self(value.start), self(value.stop), self(value.step))
        if isinstance(value, list):
            return [self(item) for item in value]
        if isinstance(value, tuple):
            return tuple(self(item) for item in value)
        if isinstance(value, dict):
            return {key: self(item) for key, item in value.items()}
        if isinstance(value, complex):
            raise LeftOut("complex argument")
        if value is None or value is Ellipsis or isinstance(value, (bool, int, float, str, np.ndarray, np.generic)):
            return value
        if isinstance(value, types.FunctionType):
            return FrozenCode(value)
        raise LeftOut(f"{type(value).__name__} argument")


def frozen_tensors(value):
    """The tensors in a frozen tree, in order, each once."""
    found = {}

    def visit(value):
        if isinstance(value, FrozenTensor):
            found.setdefault(value.key, value)
        elif isinstance(value, (list, tuple)):
            for item in value:
                visit(item)
        elif isinstance(value, dict):
            for item in value.values():
                visit(item)
        elif isinstance(value, slice):
            visit((value.start, value.stop, value.step))
    visit(value)
    return list(found.values())


@dataclasses.dataclass
class Seen:
    """What a tensor of a library looks like from outside. The array is a window on the tensor's own memory."""
    dtype: str
    array: np.ndarray
    requires_grad: bool
    tensor: object = None       # the tensor itself, for "is it the same object"

    @property
    def shape(self):
        return self.array.shape

    def strides(self):
        """In elements; only of dimensions where a stride means something."""
        if self.array.size == 0:
            return ()
        array = self.array
        return tuple(step // array.itemsize for step, size in zip(array.strides, array.shape) if size > 1)

    def values(self):
        """The elements as NumPy can compute with them."""
        if self.dtype == "bfloat16":
            return (self.array.astype(np.uint16).astype(np.uint32) << 16).view(np.float32)
        return self.array


@dataclasses.dataclass
class SeenTuple:
    items: list
    fields: tuple               # of a named tuple
    by_name: list               # what the fields give
    sort: str                   # "list" or "tuple"


class Library:
    """torch, or the module that is judged, behind one face."""

    def __init__(self, module, own=True):
        self.module = module
        self.own = own          # tensors lie in the library's own memory, not in NumPy's
        self.Tensor = module.Tensor
        self.dtypes = {name: getattr(module, name) for name in DTYPES if hasattr(module, name)}

    # ---------------------------------------------------------------- in
    def from_array(self, array, dtype):
        """A tensor in the array's memory."""
        tensor = self.module.from_numpy(array)
        return tensor.view(self.module.bfloat16) if dtype == "bfloat16" else tensor

    def place(self, frozen, memories):
        """A tensor like the frozen one. In memory of its own if it may be: such memory can be resized, and a module may
        defer work on it. `memories` holds the memory that several tensors share."""
        key = id(frozen.memory)
        if not self.own:
            if key not in memories:
                memories[key] = frozen.memory.copy()
            return self.from_array(frozen.array(memories[key]), frozen.dtype)
        if key not in memories:
            memories[key] = self.from_array(frozen.memory.copy(), frozen.dtype).clone()
        return memories[key].as_strided(frozen.shape, frozen.strides, frozen.offset)

    def thaw(self, frozen, grad=False):
        """(the tree with this library's tensors, {key of the frozen tensor: tensor}). Fresh memory each time."""
        memories, tensors = {}, {}
        users = collections.Counter(id(one.memory) for one in frozen_tensors(frozen))

        def tensor(value):
            if value.key not in tensors:
                if value.dtype not in self.dtypes:
                    raise LeftOut(f"the module has no {value.dtype}")
                alone = users[id(value.memory)] == 1 and value.is_whole()
                if alone:                               # no view of anything
                    made = self.from_array(value.array(value.memory.copy()), value.dtype).clone()
                else:
                    made = self.place(value, memories)
                if grad and value.requires_grad:
                    made.requires_grad_(True)
                tensors[value.key] = made
            return tensors[value.key]

        def visit(value):
            if isinstance(value, FrozenTensor):
                return tensor(value)
            if isinstance(value, Named):
                if not hasattr(self.module, value.name):
                    raise LeftOut(f"the module has no {value.name}")
                return getattr(self.module, value.name)
            if isinstance(value, FrozenGenerator):
                return self.module.Generator().manual_seed(value.seed)
            if isinstance(value, FrozenCode):
                return retarget(value.function, self.module)
            if isinstance(value, slice):
                return slice(visit(value.start), visit(value.stop), visit(value.step))
            if isinstance(value, list):
                return [visit(item) for item in value]
            if isinstance(value, tuple):
                return tuple(visit(item) for item in value)
            if isinstance(value, dict):
                return {key: visit(item) for key, item in value.items()}
            return value
        try:
            return visit(frozen), tensors
        except LeftOut:
            raise
        except Exception as error:
            raise Crossed(f"the arguments cannot be handed over: {type(error).__name__}: {error}") from error

    # ---------------------------------------------------------------- out
    def name_of(self, dtype):
        for name, value in self.dtypes.items():
            if value == dtype:
                return name
        return dtype_name(dtype)

    def see_tensor(self, tensor):
        layout = getattr(tensor, "layout", None)
        if layout is not None and dtype_name(layout) != "strided":
            raise LeftOut("sparse result")
        name = self.name_of(tensor.dtype)
        if name not in NUMPY:
            raise LeftOut(f"{name} result")
        wants = bool(tensor.requires_grad)
        bare = tensor.detach() if wants else tensor
        if getattr(bare, "_is_zerotensor", bool)():     # torch's zeros without memory, which numpy() refuses
            bare = bare.clone()
        if name == "bfloat16":
            bare = bare.view(self.module.int16)
        array = bare.numpy()
        if tuple(array.shape) != tuple(tensor.shape):
            raise AssertionError(f"shape says {tuple(tensor.shape)}, numpy() gives {array.shape}")
        if array.dtype != NUMPY[name]:
            raise AssertionError(f"dtype says {name}, numpy() gives {array.dtype}")
        return Seen(name, array, wants, tensor)

    def see(self, value):
        if isinstance(value, self.Tensor):
            return self.see_tensor(value)
        if isinstance(value, (list, tuple)):
            fields = getattr(type(value), "_fields", None)
            if fields is None and isinstance(value, tuple):
                fields = getattr(type(value), "__match_args__", ())
            fields = tuple(fields or ())
            items = [self.see(item) for item in value]
            by_name = [getattr(value, field, None) is item for field, item in zip(fields, value)]
            return SeenTuple(items, fields, by_name, "list" if isinstance(value, list) else "tuple")
        if isinstance(value, dict):
            return {key: self.see(item) for key, item in value.items()}
        if isinstance(value, complex):
            raise LeftOut("complex result")
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        name = self.name_of(value)
        return Named(name)

    def tensors_of(self, value):
        """The tensors in a result, in order."""
        if isinstance(value, self.Tensor):
            return [value]
        if isinstance(value, (list, tuple)):
            return [tensor for item in value for tensor in self.tensors_of(item)]
        if isinstance(value, dict):
            return [tensor for item in value.values() for tensor in self.tensors_of(item)]
        return []
