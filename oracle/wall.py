"""torch behind a wall: a module with other classes and other constants that computes with torch.

The self test judges it. Whatever of torch's own reaches it (a tensor, a dtype) is an error, so that a run which passes
proves that the oracle hands nothing of torch to the module. `defects` changes single functions: {dotted path: how},
where how(original) gives the function that is run in the original's place, on torch's objects, inside the wall.
"""
import collections
import functools
import types
import weakref

import numpy as np
import torch

OPERATORS = """add radd iadd sub rsub isub mul rmul imul truediv rtruediv itruediv floordiv rfloordiv ifloordiv mod rmod
imod pow rpow ipow matmul rmatmul imatmul and rand iand or ror ior xor rxor ixor lshift rlshift ilshift rshift
rrshift irshift eq ne lt le gt ge neg pos abs invert getitem setitem len bool int float complex index contains
iter rdiv""".split()
CONSTANTS = (torch.dtype, torch.layout, torch.memory_format, torch.device)


class Constant:
    """A dtype, layout, memory format or device of the walled module."""

    def __init__(self, hidden):
        self.hidden = hidden

    def __repr__(self):
        return "walled." + str(self.hidden).rpartition(".")[2]


class Size(tuple):
    def numel(self):
        return int(np.prod(self))


class Wall:
    """Translates between the two sides of one walled module."""

    def __init__(self, defects):
        self.defects = defects
        self.constants = {}
        self.tuples = {}
        self.Tensor = tensor_class(self)
        self.module = Space(self, torch, "")

    # ---------------------------------------------------------------- in
    def open(self, value):
        if isinstance(value, self.Tensor):
            return value.hidden
        if isinstance(value, Constant):
            return value.hidden
        if isinstance(value, (torch.Tensor, *CONSTANTS)):
            raise AssertionError(f"{type(value).__name__} of torch in the walled module")
        if isinstance(value, Size):
            return torch.Size(value)
        if type(value) in (list, tuple):
            return type(value)(self.open(item) for item in value)
        if type(value) is dict:
            return {key: self.open(item) for key, item in value.items()}
        if isinstance(value, slice):
            return slice(self.open(value.start), self.open(value.stop), self.open(value.step))
        if isinstance(value, types.FunctionType):       # called from inside: its arguments go out, its result comes in
            return lambda *args, **kwargs: self.open(value(*self.close(args), **self.close(kwargs)))
        return value

    # ---------------------------------------------------------------- out
    def close(self, value):
        if isinstance(value, torch.Tensor):
            known = getattr(value, "_walled", None)
            made = known() if known is not None else None
            if made is None:
                made = object.__new__(self.Tensor)
                made.hidden = value
                value._walled = weakref.ref(made)
            return made
        if isinstance(value, CONSTANTS):
            return self.constants.setdefault(value, Constant(value))
        if isinstance(value, torch.Size):
            return Size(value)
        if isinstance(value, tuple) and type(value) is not tuple:
            fields = getattr(type(value), "_fields", None) or getattr(type(value), "__match_args__", None)
            if fields:
                made = self.tuples.setdefault(fields, collections.namedtuple("Walled", fields))
                return made(*(self.close(item) for item in value))
        if type(value) in (list, tuple):
            return type(value)(self.close(item) for item in value)
        if type(value) is dict:
            return {key: self.close(item) for key, item in value.items()}
        return value

    def function(self, original, path):
        inner = self.defects[path](original) if path in self.defects else original

        @functools.wraps(original, updated=())
        def walled(*args, **kwargs):
            return self.close(inner(*self.open(args), **self.open(kwargs)))
        return walled

    def reach(self, original, path):
        """What an attribute of torch is on the outside."""
        if isinstance(original, types.ModuleType):
            return Space(self, original, path + ".")
        if original is torch.Tensor:
            return self.Tensor
        if isinstance(original, type) or not callable(original):
            return self.close(original)
        return self.function(original, path)


class Space(types.ModuleType):
    """torch, torch.nn, torch.nn.functional ... as seen from outside."""

    def __init__(self, wall, hidden, prefix):
        super().__init__("walled." + hidden.__name__)
        self.__dict__.update(_wall=wall, _hidden=hidden, _prefix=prefix)

    def __getattr__(self, name):
        path = self._prefix + name
        if self._wall.defects.get(path, self) is None or path == "ops":
            raise AttributeError(path)                  # a defect: the name is missing. torch.ops is torch's plumbing
        made = self._wall.reach(getattr(self._hidden, name), path)
        self.__dict__[name] = made
        return made


def tensor_class(wall):
    class Reach(type):
        def __getattr__(cls, name):
            path = "Tensor." + name
            if wall.defects.get(path, wall) is None:
                raise AttributeError(path)
            original = getattr(torch.Tensor, name)
            return wall.function(original, path) if callable(original) else property(
                lambda self: wall.close(getattr(self.hidden, name)))

    class Tensor(metaclass=Reach):
        __hash__ = object.__hash__

        def __getattr__(self, name):
            path = "Tensor." + name
            if name == "hidden" or wall.defects.get(path, wall) is None:
                raise AttributeError(name)
            original = getattr(self.hidden, name)
            if callable(original):
                unbound = getattr(torch.Tensor, name)
                return functools.partial(wall.function(unbound, path), self)
            return wall.close(original)

        def __setattr__(self, name, value):
            if name == "hidden":
                object.__setattr__(self, name, value)
            else:
                setattr(self.hidden, name, wall.open(value))

    for name in OPERATORS:
        dunder = f"__{name}__"
        if hasattr(torch.Tensor, dunder):
            setattr(Tensor, dunder, wall.function(getattr(torch.Tensor, dunder), "Tensor." + dunder))
    return Tensor


def walled(defects=None):
    return Wall(defects or {}).module
