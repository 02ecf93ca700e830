"""torch.jit._script: what scripting and tracing return. It runs what it was given, as Python, and says so where PyTorch would show TorchScript."""
import functools
import pickle

from .._hook import _shown
from ..nn import Module

_PICKLED = ("ScriptModules cannot be saved using torch.save. Mixed serialization of script and non-script modules is not supported. For purely script "
            "modules use my_script_module.save(<filename>) instead.")


def _absent(what):
    """A property or method that PyTorch fills with TorchScript."""
    def text(self, *args, **kwargs):
        raise NotImplementedError(f"torch.jit: winnow has no TorchScript, '{self.name}' runs as Python: it has no {what}")

    return text


def _called(name):
    """A method of Python's own, looked up in the class of what was scripted."""
    def forward(self, *args):
        function = getattr(type(self._of), name, None)
        if function is None:
            raise NotImplementedError(f"'{self.original_name}' object has no {name}")
        return function(self._of, *args)

    forward.__name__ = forward.__qualname__ = name
    return forward


class ScriptModule(Module):
    """What programs derive scripted modules from: a Module."""

    @property
    def original_name(self):
        """The name of the class."""
        return type(self).__name__


class RecursiveScriptModule(ScriptModule):
    """What script() and trace() return: one and the same content as the module that they were given, under another class. Its submodules stay what they are."""
    __slots__ = ("_of",)

    def __init__(self, module):
        object.__setattr__(self, "_of", module)
        object.__setattr__(self, "__dict__", module.__dict__)

    @property
    def original_name(self):
        """The name of the class that was scripted."""
        return type(self._of).__name__

    name = original_name
    code, graph, inlined_graph, code_with_constants = (property(_absent(w)) for w in ("code", "graph", "graph", "code"))
    graph_for, save, save_to_buffer, dump = map(_absent, ("graph", "file; save the state_dict with torch.save", "file", "code"))

    def forward(self, *args, **kwargs):
        return self._of.forward(*args, **kwargs)

    def __getattr__(self, name):
        if name == "_of":  # made without __init__
            raise AttributeError(name)
        return getattr(self._of, name)

    def __setattr__(self, name, value):
        setattr(self._of, name, value)

    def __delattr__(self, name):
        delattr(self._of, name)

    def __dir__(self):
        return sorted({*super().__dir__(), *dir(self._of)})

    __repr__ = lambda self: _text(self._of)

    def __deepcopy__(self, memo):
        from copy import deepcopy

        return RecursiveScriptModule(deepcopy(self._of, memo))

    def __copy__(self):
        from copy import copy

        return RecursiveScriptModule(copy(self._of))

    def __reduce_ex__(self, protocol):
        raise pickle.PickleError(_PICKLED)

    __len__, __iter__, __getitem__, __contains__ = map(_called, ("__len__", "__iter__", "__getitem__", "__contains__"))
    __bool__ = lambda self: True


def _text(module):
    """repr of a scripted module and of what is in it."""
    module = module._of if isinstance(module, RecursiveScriptModule) else module
    lines = [f"original_name={type(module).__name__}"]
    for name, inside in module._modules.items():
        if inside is not None:
            lines.append(f"({name}): " + _text(inside).replace("\n", "\n  "))
    return f"RecursiveScriptModule({lines[0]})" if len(lines) == 1 else "RecursiveScriptModule(\n  " + "\n  ".join(lines) + "\n)"


class ScriptFunction:
    """What script() and trace() return for a function: it calls the function."""

    def __init__(self, function):
        functools.update_wrapper(self, function, updated=())
        self._torchdynamo_inline = function
        self.__name__ = "ScriptFunction"
        self._call = function

    name = property(lambda self: getattr(self._call, "__name__", type(self._call).__name__))
    qualified_name = property(lambda self: ".".join(["__torch__", *[m for m in (getattr(self._call, "__module__", None),) if m and m != "__main__"], self.name]))
    code, graph, inlined_graph = (property(_absent(w)) for w in ("code", "graph", "graph"))
    graph_for, save, save_to_buffer = map(_absent, ("graph", "file", "file"))
    __call__ = lambda self, *args, **kwargs: self._call(*args, **kwargs)

    def __reduce_ex__(self, protocol):
        raise pickle.PickleError("ScriptFunction cannot be pickled")


for _class in (ScriptModule, RecursiveScriptModule, ScriptFunction):
    _class.__module__ = _shown(__name__ if _class is not ScriptFunction else __package__)


def scripted(x):
    """x as what script() and trace() return; classes and containers as they are."""
    if isinstance(x, Module):
        return x if isinstance(x, ScriptModule) else RecursiveScriptModule(x)
    return ScriptFunction(x) if callable(x) and not isinstance(x, (type, ScriptFunction)) else x
