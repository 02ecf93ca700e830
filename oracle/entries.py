"""PyTorch's operator database, and how the code in it is led to another module.

An entry of op_db names an operation (`add`, `linalg.norm`, `nn.functional.relu`) and holds Python callables: the
function, the method, the in-place form. Most are attributes of torch; their counterpart is the attribute of the same
name in the module. Others are small functions written for the database (`lambda x, n: torch.polygamma(n, x)`); their
counterpart is the same code with the module in the place of the global `torch`.
"""
import dataclasses
import dis
import functools
import importlib.util
import operator
import sys
import types
import unittest

# What the oracle judges. Complex, quantised, float8 and the wide unsigned types are left out.
DTYPES = ("float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool")
FLOATS = ("float32", "float64", "float16", "bfloat16")

# Which attribute of an entry holds which form of its operation.
FORMS = {
    "function": "op",
    "method": "method_variant",
    "inplace": "inplace_variant",
    "operator": "operator_variant",
    "inplace_operator": "inplace_operator_variant",
}


def load_op_db():
    """The database. torch's test utilities import `expecttest` for assertions that op_db never uses, so that an empty
    module will do where it is not installed."""
    if importlib.util.find_spec("expecttest") is None:
        absent = types.ModuleType("expecttest")
        absent.TestCase = unittest.TestCase
        sys.modules["expecttest"] = absent
    from torch.testing._internal.common_methods_invocations import op_db
    return op_db


def entry_name(op):
    return f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name


def walk(module, path):
    """The attribute at a dotted path, or None."""
    for part in path.split("."):
        module = getattr(module, part, None)
        if module is None:
            return None
    return None if getattr(module, "refused", None) else module  # a name that can be imported and says that it is absent


@functools.cache
def torch_paths():
    """Dotted names of what torch offers, by identity: where a callable that the database holds is to be found."""
    import torch
    paths = {}
    for prefix, holder in (("Tensor.", torch.Tensor), ("special.", torch.special), ("linalg.", torch.linalg),
                           ("nn.functional.", torch.nn.functional), ("", torch)):
        for name in dir(holder):
            value = getattr(holder, name, None)
            if callable(value):
                paths[id(value)] = prefix + name        # the last holder wins: torch.conv1d before nn.functional.conv1d
    return paths


def _path_of(function, name):
    """The dotted name of an attribute of torch; among several names of one object the entry's own."""
    import torch
    for path in (name, "Tensor." + name, "Tensor." + name + "_"):
        if walk(torch, path) is function:
            return path
    return torch_paths().get(id(function))


def _is_database_code(value):
    return isinstance(value, types.FunctionType) and (value.__module__ or "").startswith("torch.testing.")


def is_overload(function):
    """An operator of torch.ops: an object of torch's that is no attribute of it, so that its counterpart goes by the
    entry's name."""
    return type(function).__module__ == "torch._ops"


def attribute_paths(code):
    """What a piece of Python code takes from torch ("nn.functional.relu"), and from other objects (".clone")."""
    found, path = [], None

    def end():
        if path:
            found.append(".".join(path))
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            if path is None:
                found.append("." + step.argval)
            else:
                path.append(step.argval)
            continue
        end()
        path = [] if step.opname == "LOAD_GLOBAL" and step.argval == "torch" else None
    end()
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found += attribute_paths(inner)
    return found


def needs(function, name):
    """Dotted names that a module must have for `function`: its own path, or what the database's code reaches for."""
    import torch
    path = _path_of(function, name)
    if path is not None:
        return [path]
    if isinstance(function, functools.partial):
        return needs(function.func, name)
    if getattr(operator, getattr(function, "__name__", ""), None) is function:
        return []                                       # operator.add asks the objects, not the module
    if not _is_database_code(function):
        return [name]
    found = []
    for path in attribute_paths(function.__code__):
        if not path.startswith("."):
            found.append(path)
        elif hasattr(torch.Tensor, path[1:]):
            found.append("Tensor" + path)
    return found or [name]


def _plain_call(function, *args, **kwargs):
    """In place of the database's wrapper_set_seed: the judge seeds both sides, and wants to see what is drawn."""
    return function(*args, **kwargs)


def retarget(function, module, seen=None):
    """The same function with `module` where its code says torch: followed through partials, closures and helpers."""
    seen = {} if seen is None else seen
    if id(function) in seen:
        return seen[id(function)]
    if isinstance(function, functools.partial):
        return functools.partial(retarget(function.func, module, seen), *function.args, **function.keywords)
    path = torch_paths().get(id(function))
    if path is not None:
        return walk(module, path)
    if not _is_database_code(function):
        return function
    space = dict(function.__globals__, torch=module, wrapper_set_seed=_plain_call)
    closure = tuple(types.CellType() for _ in function.__closure__ or ())
    made = types.FunctionType(function.__code__, space, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    seen[id(function)] = made                           # before the descent: helpers may call one another
    for cell, original in zip(closure, function.__closure__ or ()):
        cell.cell_contents = retarget(original.cell_contents, module, seen)
    for name in function.__code__.co_names:
        if name != "wrapper_set_seed" and _is_database_code(space.get(name)):
            space[name] = retarget(space[name], module, seen)
    return made


@dataclasses.dataclass
class Entry:
    """One entry of op_db beside one module."""
    op: object
    name: str
    dtypes: tuple                                       # names, in the order of DTYPES

    def missing(self, module, form="function"):
        """What the module lacks for a form of the operation; None where torch itself does not have the form."""
        function = getattr(self.op, FORMS[form])
        if function is None or not callable(function):
            return None
        return [path for path in needs(function, self.op.name) if walk(module, path) is None]

    def covered(self, module):
        """Does the module have the operation: the function, or at least the method?"""
        return not self.missing(module) or self.missing(module, "method") == []

    def callable(self, module, form="function"):
        """A form of the operation on the module (torch too); None where torch or the module does not have it."""
        if self.missing(module, form) != []:
            if form == "function" and self.missing(module, "method") == []:
                return self.callable(module, "method")
            return None
        function = getattr(self.op, FORMS[form])
        path = _path_of(function, self.op.name)
        if path is not None:
            return walk(module, path)
        if is_overload(function):
            import torch
            return function if module is torch else walk(module, self.op.name)
        return retarget(function, module)


@functools.cache
def load_entries():
    op_db = load_op_db()
    entries = []
    for op in op_db:
        names = {str(dtype).rpartition(".")[2] for dtype in op.dtypes}
        entries.append(Entry(op, entry_name(op), tuple(name for name in DTYPES if name in names)))
    return entries
