"""ParameterList and ParameterDict: parameters, and other values beside them."""
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from operator import index as as_index

from ..._construct import Tensor
from ..parameter import Parameter
from .module import Module


def _as_parameter(value):
    """Tensors become parameters."""
    return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


def pairs_of(kind, pairs):
    """The [key, value] of an iterable of pairs, looked at one by one; kind: whose errors they are."""
    for j, pair in enumerate(pairs):
        if not isinstance(pair, Iterable):
            raise TypeError(f"{kind} update sequence element #{j} should be Iterable; is{type(pair).__name__}")
        pair = list(pair)
        if len(pair) != 2:
            raise ValueError(f"{kind} update sequence element #{j} has length {len(pair)}; 2 is required")
        yield pair


def _line(name, value, kind):
    """How repr() shows an entry."""
    if isinstance(value, Tensor):
        what = "Parameter" if isinstance(value, Parameter) else "Tensor"
        return f"  ({name}): {what} containing: [{kind(value)} of size {'x'.join(map(str, value.size()))}]"
    if isinstance(value, Module):
        return f"  ({name}): {value}"
    return f"  ({name}): Object of type: {type(value).__name__}"


class ParameterList(Module):
    """A list of parameters."""

    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        if values is not None:
            self += values

    def _name_at(self, i):
        i = as_index(i)
        if not -len(self) <= i < len(self):
            raise IndexError(f"index {i} is out of range")
        return str(i % len(self))

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            part = type(self)()
            for i in range(*idx.indices(len(self))):
                part.append(self[i])
            return part
        return getattr(self, self._name_at(idx))

    def __setitem__(self, idx, param):
        setattr(self, self._name_at(idx), _as_parameter(param))

    __len__ = lambda self: self._size
    __iter__ = lambda self: iter([self[i] for i in range(len(self))])
    __iadd__ = lambda self, parameters: self.extend(parameters)

    def __dir__(self):
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self, value):
        """One more at the end."""
        self._size += 1
        self[len(self) - 1] = value
        return self

    def extend(self, values):
        """More at the end."""
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError("ParameterList.extend should be called with an iterable, but got " + type(values).__name__)
        for value in values:
            self.append(value)
        return self

    def extra_repr(self):
        return "\n".join([_line(i, value, lambda t: t.dtype) for i, value in enumerate(self)])

    def __call__(self, *args, **kwargs):
        raise RuntimeError("ParameterList should not be called.")


class ParameterDict(Module):
    """A dictionary of parameters, in the order of insertion (of those that come in one plain dictionary: in that of their names)."""

    def __init__(self, parameters=None):
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    def _key_to_attr(self, key):
        if not isinstance(key, str):
            raise TypeError("Index given to ParameterDict cannot be used as a key as it is not a string (type is "
                            f"'{type(key).__name__}'). Open an issue on github if you need non-string keys.")
        return key

    __getitem__ = lambda self, key: getattr(self, self._key_to_attr(key))

    def __setitem__(self, key, value):
        self._keys[self._key_to_attr(key)] = None
        setattr(self, key, _as_parameter(value))

    def __delitem__(self, key):
        del self._keys[key]
        delattr(self, self._key_to_attr(key))

    __len__ = lambda self: len(self._keys)
    __iter__ = lambda self: iter(self._keys)
    __reversed__ = lambda self: reversed(list(self._keys))
    __contains__ = lambda self, key: key in self._keys

    def copy(self):
        """Another one with the same values."""
        return ParameterDict((k, self[k]) for k in self._keys)

    def setdefault(self, key, default=None):
        """self[key], which is made `default` first where there is none."""
        if key not in self._keys:
            self[key] = default
        return self[key]

    def clear(self):
        """Without entries."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key):
        """Takes an entry out and returns it."""
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        """Takes the last entry out and returns (key, value)."""
        key, _ = self._keys.popitem()
        self._keys[key] = None  # pop wants it there
        return key, self.pop(key)

    def get(self, key, default=None):
        """self[key], or default where there is none."""
        return self[key] if key in self._keys else default

    def fromkeys(self, keys, default=None):
        """One with these keys and the same value for each."""
        return ParameterDict((k, default) for k in keys)

    def keys(self):
        return self._keys.keys()

    def items(self):
        return ((k, self[k]) for k in self._keys)

    def values(self):
        return (self[k] for k in self._keys)

    def update(self, parameters):
        """Takes over the entries of a dictionary or of pairs."""
        if not isinstance(parameters, Iterable):
            raise TypeError("ParametersDict.update should be called with an iterable of key/value pairs, but got " + type(parameters).__name__)
        if isinstance(parameters, (Mapping, ParameterDict)):
            kept = isinstance(parameters, (OrderedDict, ParameterDict))
            for key in parameters if kept else sorted(parameters):
                self[key] = parameters[key]
            return
        for key, value in pairs_of("ParameterDict", parameters):
            self[key] = value

    def extra_repr(self):
        from winnow import typename

        return "\n".join([_line(key, value, typename) for key, value in self.items()])

    def __call__(self, input):
        raise RuntimeError("ParameterDict should not be called.")

    def __or__(self, other):
        both = self.copy()
        both.update(other)
        return both

    def __ror__(self, other):
        both = other.copy()
        both.update(self)
        return both

    def __ior__(self, other):
        self.update(other)
        return self
