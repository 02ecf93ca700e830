"""What torch.load(weights_only=False) lets in besides: whole modules and plain records, of classes that the program has imported, and
NumPy's numbers and arrays.

PyTorch unpickles anything then, which runs whatever the file says. Here an object is made without a call of __init__ and gets its
attributes back; nothing is imported, no function is called that the file names. Operations (an activation that a layer keeps) may be
attributes.
"""
import sys
from types import BuiltinFunctionType

from ._unpickle import Call, UnpicklingError, shown


def find_class(module, name):
    """A class or a function of torch's by the name in the file; None: not to be let in."""
    if module.partition(".")[0] == "numpy":
        return _NUMPY.get((module.rpartition(".")[2], name))
    if (module, name) in _METHODS:
        return _METHODS[module, name]
    from . import nn  # all layers

    if module == "torch._C._nn":  # what PyTorch's nn.functional is made of
        module, name = "torch.nn.functional", {"log_sigmoid": "logsigmoid"}.get(name, name)

    own = module.partition(".")[0] == "torch"
    if own:
        module = __package__ + module[5:]
    thing = sys.modules.get(module)
    for part in name.split("."):  # __dict__ only: looking an attribute up may run code
        thing = getattr(thing, "__dict__", {}).get(part) if thing is not None else None
    if isinstance(thing, type):
        return thing if _may_be_made(thing) else None
    if not own or not callable(thing):
        return None
    return thing if thing in (vars(nn.functional).get(name), _operation(name)) else None  # as an attribute; it is not called


def _operation(name):
    """A function of torch that a row of the operation table makes: it computes, and does nothing else."""
    thing = vars(sys.modules[__package__]).get(name)
    return thing if type(thing) is BuiltinFunctionType and thing.__module__ == "torch" else None


def _get_attribute(machine, owner, name):
    """How PyTorch writes torch.tanh: as an attribute of a class of its own."""
    found = _operation(name) if owner is _FUNCTIONS and type(name) is str else None
    if found is None:
        raise UnpicklingError(f"getattr of something else than one of torch's operations: {shown(name)}")
    return found


_FUNCTIONS = Call("torch._C._VariableFunctionsClass", lambda machine, *args: None)
_METHODS = {("torch._C", "_VariableFunctionsClass"): _FUNCTIONS, ("builtins", "getattr"): Call("getattr", _get_attribute),
            ("__builtin__", "getattr"): Call("getattr", _get_attribute)}


def _may_be_made(kind):
    """Modules, and classes that are nothing but their attributes. None whose instances do something when they go."""
    import argparse
    import types

    from .nn import Module

    if hasattr(kind, "__del__"):
        return False
    return issubclass(kind, (Module, argparse.Namespace, types.SimpleNamespace)) or "__dataclass_fields__" in kind.__dict__


# ------------------------------------------------------------------ NumPy: numbers, texts and arrays of them, never objects

def _dtype(machine, name, *rest):
    import numpy

    if type(name) is not str or name[:1] not in "biufcSU" or not name[1:].isascii() or not name[1:].isdigit() or len(name) > 9:
        raise UnpicklingError(f"a NumPy dtype {shown(name)}")
    made = numpy.dtype(name)
    machine.builders[type(made)] = _check_order
    return made


def _check_order(dtype, state):
    """A dtype's state is its byte order (and, for texts, its size once more)."""
    if not isinstance(state, tuple) or len(state) < 2 or state[1] not in ("<", "|", "=") or any(part is not None for part in state[2:5]):
        raise UnpicklingError(f"a NumPy dtype with the state {shown(state)}: numbers in this machine's byte order are supported")


def _scalar(machine, dtype, data):
    import numpy

    if not isinstance(dtype, numpy.dtype) or type(data) is not bytes or dtype.itemsize == 0 or len(data) != dtype.itemsize:
        raise UnpicklingError("a NumPy number that is described wrongly")
    return numpy.frombuffer(data, dtype)[0]


def _array(machine, kind, shape, letter):
    """An empty array, whose state follows."""
    import numpy

    machine.builders[numpy.ndarray] = _fill_array
    return numpy.ndarray((0,), "b")


def _fill_array(array, state):
    import math

    import numpy

    if not isinstance(state, tuple) or len(state) != 5:
        raise UnpicklingError("a NumPy array that is described wrongly")
    version, shape, dtype, fortran, data = state
    plain = type(version) is int and isinstance(shape, tuple) and len(shape) <= 32 and all(type(n) is int and n >= 0 for n in shape)
    if not plain or not isinstance(dtype, numpy.dtype) or dtype.hasobject or type(data) is not bytes or math.prod(shape) * dtype.itemsize != len(data):
        raise UnpicklingError("a NumPy array whose bytes do not fit its shape")
    array.__setstate__((version, shape, dtype, bool(fortran), data))


_NUMPY = {("numpy", "dtype"): Call("numpy.dtype", _dtype), ("multiarray", "scalar"): Call("numpy.scalar", _scalar),
          ("multiarray", "_reconstruct"): Call("numpy._reconstruct", _array), ("numpy", "ndarray"): Call("numpy.ndarray", lambda machine, *args: None)}
