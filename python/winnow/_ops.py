"""torch.ops: operators by namespace and name. aten's are winnow's functions of those names, the others what programs register (torch.library)."""
from types import ModuleType

_registered = {}  # "namespace::name" -> operator


def register(name, operator):
    _registered[name] = operator
    return operator


def find(name):
    """The registered operator "namespace::name"; None: there is none."""
    return _registered.get(name)


class Packet:
    """An operator of aten's with all its overloads. Programs use them as keys; called, it is the function or the method of that name."""

    def __init__(self, name, overload=None):
        self.__name__ = name if overload is None else f"{name}.{overload}"
        self._name, self._overloads = name, {} if overload is None else None

    def __getattr__(self, overload):
        if overload[:2] == "__" or self._overloads is None:
            raise AttributeError(f"{self!r} has no attribute '{overload}'")
        return self._overloads.setdefault(overload, Packet(self._name, overload))

    def __call__(self, *args, **kwargs):
        function = self._function()
        if function is None:
            raise NotImplementedError(self.refused)
        return function(*args, **kwargs)

    @property
    def refused(self):
        """Why it cannot be called; None: it can."""
        return None if self._function() else f"torch.ops.aten.{self._name}: winnow has no function of that name"

    def _function(self):
        import winnow

        for place in (winnow, winnow.nn.functional, winnow.special, winnow.linalg, winnow.Tensor):
            function = getattr(place, self._name, None)
            if function is not None:
                return function
        return None

    __repr__ = lambda self: f"<Op(aten.{self.__name__})>"


class _Namespace(ModuleType):
    """torch.ops.<name>."""

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        space = self.__name__.rpartition(".")[2]
        found = _registered.get(f"{space}::{name}")
        if found is None:
            if space not in ("aten", "prim", "prims"):
                raise AttributeError(f"'_OpNamespace' '{space}' object has no attribute '{name}': no torch.library has registered it")
            found = Packet(name)
            setattr(self, name, found)
        return found


class _Ops(ModuleType):
    """torch.ops: namespaces come into being when they are named."""

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        space = _Namespace(f"torch.ops.{name}")
        setattr(self, name, space)
        return space

    def load_library(self, path):
        raise OSError(f"torch.ops.load_library: {path} is made for PyTorch; winnow's extensions are written against winnow.h")


ops = _Ops("torch.ops")
ops.__file__ = "_ops.py"
