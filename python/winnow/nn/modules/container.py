"""Containers of modules: Sequential, ModuleList, ModuleDict. Those of parameters are in _parameter_containers.py."""
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from itertools import chain, islice
from operator import index as as_index
from warnings import warn

from ._parameter_containers import ParameterDict, ParameterList, pairs_of
from ._walk import indented
from .module import Module

__all__ = ["Container", "Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict"]


class Container(Module):
    """Modules by name; an old form of ModuleDict."""

    def __init__(self, **kwargs):
        super().__init__()
        warn("nn.Container is deprecated. All of it's functionality is now implemented in nn.Module. Subclass that instead.", FutureWarning,
             stacklevel=2)
        for name, module in kwargs.items():
            self.add_module(name, module)


class _Numbered:
    """Modules whose names are "0", "1", ...: what the two lists share."""

    def _name_at(self, i):
        """The name of entry i, counted from the end where negative."""
        i, n = as_index(i), len(self._modules)
        if not -n <= i < n:
            raise IndexError(f"index {i} is out of range")
        return next(islice(self._modules, i % n, None))

    def _renumber(self, modules):
        self._modules = {str(i): m for i, m in enumerate(modules)}

    def __setitem__(self, idx, module):
        setattr(self, self._name_at(idx), module)

    def __delitem__(self, idx):
        names = list(self._modules)[idx] if isinstance(idx, slice) else [self._name_at(idx)]
        for name in names:
            delattr(self, name)
        self._renumber(list(self._modules.values()))

    __len__ = lambda self: len(self._modules)
    __iter__ = lambda self: iter(self._modules.values())

    def __dir__(self):
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self, module):
        """One more at the end."""
        self.add_module(str(len(self)), module)
        return self

    def pop(self, key):
        """Takes an entry (or a slice) out and returns it."""
        taken = self[key]
        del self[key]
        return taken


class Sequential(_Numbered, Module):
    """Modules one after the other: each gets what the one before it returned."""

    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for i, module in enumerate(args):
                self.add_module(str(i), module)

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            return type(self)(OrderedDict(list(self._modules.items())[idx]))
        return self._modules[self._name_at(idx)]

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input

    def __add__(self, other):
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")
        both = Sequential()
        for module in chain(self, other):
            both.append(module)
        return both

    def __iadd__(self, other):
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")
        return self.extend(list(other))

    def _check_factor(self, n):
        if not isinstance(n, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(n)}")
        if n <= 0:
            raise ValueError(f"Non-positive multiplication factor {n} for {type(self)}")

    def __mul__(self, other):
        self._check_factor(other)
        many = Sequential()
        for _ in range(other):
            many.extend(self)
        return many

    __rmul__ = __mul__

    def __imul__(self, other):
        self._check_factor(other)
        own = list(self)
        for _ in range(other - 1):
            self.extend(own)
        return self

    def insert(self, index, module):
        """One more before entry `index`."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        n = len(self)
        if not -n <= index <= n:
            raise IndexError(f"Index out of range: {index}")
        modules = list(self)
        modules.insert(index + n if index < 0 else index, module)
        self._renumber(modules)
        return self

    def extend(self, sequential):
        """More at the end."""
        for module in list(sequential):
            self.append(module)
        return self


class ModuleList(_Numbered, Module):
    """A list of modules."""

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self += modules

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            return type(self)(list(self._modules.values())[idx])
        return self._modules[self._name_at(idx)]

    __iadd__ = lambda self, modules: self.extend(modules)

    def __add__(self, other):
        both = ModuleList()
        for i, module in enumerate(chain(self, other)):
            both.add_module(str(i), module)
        return both

    def insert(self, index, module):
        """One more before entry `index`, as in a list."""
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)

    def extend(self, modules):
        """More at the end."""
        if not isinstance(modules, Iterable):
            raise TypeError("ModuleList.extend should be called with an iterable, but got " + type(modules).__name__)
        for module in list(modules):
            self.append(module)
        return self

    def __repr__(self):
        """Equal neighbours are shown once."""
        runs = []  # [first, last, text]
        for i, module in enumerate(self):
            text = repr(module)
            if runs and runs[-1][2] == text:
                runs[-1][1] = i
            else:
                runs.append([i, i, text])
        if not runs:
            return self._get_name() + "()"
        lines = [f"({a}): {text}" if a == b else f"({a}-{b}): {b - a + 1} x {text}" for a, b, text in runs]
        return self._get_name() + "(\n  " + "\n  ".join([indented(line, 2) for line in lines]) + "\n)"


class ModuleDict(Module):
    """A dictionary of modules."""

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    __getitem__ = lambda self, key: self._modules[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]

    __len__ = lambda self: len(self._modules)
    __iter__ = lambda self: iter(self._modules)
    __contains__ = lambda self, key: key in self._modules

    def clear(self):
        """Without entries."""
        self._modules.clear()

    def pop(self, key):
        """Takes an entry out and returns it."""
        return self._modules.pop(key)

    def keys(self):
        return self._modules.keys()

    def items(self):
        return self._modules.items()

    def values(self):
        return self._modules.values()

    def update(self, modules):
        """Takes over the entries of a dictionary or of pairs."""
        if not isinstance(modules, Iterable):
            raise TypeError("ModuleDict.update should be called with an iterable of key/value pairs, but got " + type(modules).__name__)
        for key, module in modules.items() if isinstance(modules, (ModuleDict, Mapping)) else pairs_of("ModuleDict", modules):
            self[key] = module
