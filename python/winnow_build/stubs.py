"""python -m winnow_build.stubs FOLDER: writes .pyi files beside the modules of the package winnow (which is imported) whose names
are made when they are loaded: from the operation table, by loops, on demand. The other modules are read by type checkers as they are.
SPDX-License-Identifier: Apache-2.0
"""
import ast
import importlib
import inspect
import os
import pkgutil
import sys
import types

from . import known, rows

_HEADER = '''# Written by winnow_build.stubs from the operation table; not to be changed by hand.
from builtins import bool as _bool, float as _float, int as _int, str as _str
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Self, overload
'''
_TYPES = "from winnow._types import device as _device, dtype as _dtype, layout as _layout, memory_format as _memory_format"
_NAMES = (("Size", "_C"), ("Tensor", "_C"), ("Generator", "_C"), ("Device", "_C"), ("Number", "_C"))  # where the module has none of that name
_OF_EXTENSION = ("Tensor", "Generator", "OutOfMemoryError", "Size")  # classes that _C.pyi declares
_SKIPPED = ("_as_torch", "__main__", "_VF", "_C")  # _VF is no module once it is loaded
_ON_DEMAND = ("_LAZY", "_MODULES", "_WHERE", "_FILES", "_ELSEWHERE", "_TYPED")  # tables of the modules' __getattr__


class Package:
    """All modules of winnow, with what stands in their source files."""

    def __init__(self):
        import winnow

        self.modules = {"winnow": winnow}
        for found in pkgutil.walk_packages(winnow.__path__, "winnow."):
            if not any(part in _SKIPPED for part in found.name.split(".")):
                self.modules[found.name] = importlib.import_module(found.name)
        self.static = {name: _static_names(module) for name, module in self.modules.items()}
        self.results = rows.Results()
        from winnow._C import _signatures

        torch = {**_signatures(rows.OURS), **_signatures(rows.SPECIAL), **_signatures(rows.LINALG), **_signatures(rows.TORCH)}
        self.signatures = {rows.TORCH: torch, rows.TENSOR: _signatures(rows.TENSOR), rows.NN: {**torch, **_signatures(rows.NN)},
                           rows.LINALG: {**torch, **_signatures(rows.LINALG)}, rows.SPECIAL: {**torch, **_signatures(rows.SPECIAL)}}

    def home(self, name, value):
        """The module whose source defines that class or function under that name; or None."""
        for module, names in self.static.items():
            if name in names["defined"] and vars(self.modules[module]).get(name) is value:
                return module
        return None

    def dynamic(self, name):
        """Are there public names in the module that its source does not show?"""
        return bool(self.public(name) - self.static[name]["bound"])

    def public(self, name):
        module = self.modules[name]
        names = [*vars(module), *(n for table in _ON_DEMAND for n in vars(module).get(table, ()))]
        if name == "winnow":
            names += ["autocast", *module.amp.state.__all__]
        if "__dir__" in vars(module):
            names += module.__dir__()
        return {n for n in names if isinstance(n, str) and n[0] != "_" and hasattr(module, n)}


def _static_names(module):
    with open(module.__file__, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    defined, bound = set(), set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            defined.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                if alias.name == "*":
                    bound.update(importlib.import_module("." * node.level + (node.module or ""), module.__package__).__all__)
                bound.add((alias.asname or alias.name).partition(".")[0])
        else:
            bound.update(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    return {"defined": defined, "bound": bound | defined}


# ------------------------------------------------------------------ functions


def _of_table(package, name, signatures, place, inplace_argument=False):
    in_place, overloads = signatures[name]
    return rows.declarations(name, in_place, overloads, place, package.results, inplace_argument)


def _python_function(package, name, function, signatures, place):
    """Of a function in Python: what known.py declares, or its row's overloads where it takes *args, or its own signature."""
    method = place == rows.TENSOR
    declared = known.METHODS if method else known.DECLARED
    if name in declared:
        return declared[name]
    parameters = inspect.signature(function).parameters
    if any(p.kind is p.VAR_POSITIONAL for p in parameters.values()) and name in signatures:
        return _of_table(package, name, signatures, place, "inplace" in parameters)
    returned = known.RETURNS.get(name)
    if returned is None and method and name[-1] == "_":
        returned = "Self"
    if returned is None and name in signatures:
        all_of_them = {package.results.annotation(o[0]) for o in signatures[name][1]}
        returned = all_of_them.pop() if len(all_of_them) == 1 else "Any"
    if returned is None and place == rows.NN:
        returned = "Tensor"
    of_row = rows.parameter_types(signatures[name][1]) if name in signatures else None
    return [known.declaration(name, function, returned or "Any", method, of_row)]


def _is_of_table(value):
    return isinstance(value, (types.BuiltinFunctionType, types.MethodDescriptorType))


# ------------------------------------------------------------------ _C.pyi: the class Tensor


def _tensor_class(package):
    from winnow import Tensor

    signatures = package.signatures[rows.TENSOR]
    lines = ["class Tensor:", *(f"    {n}: {t}" for n, t in known.SETTABLE.items())]
    for name, type_ in known.ATTRIBUTES.items():
        lines += ["    @property", f"    def {name}(self) -> {type_}: ..."]
    lines += [f"    def {n}({', '.join(filter(None, ['self', given]))}) -> Tensor: ...  # type: ignore[override, misc]"
              for n, given in known.OPERATORS.items()]
    lines += [f"    def {n}({', '.join(filter(None, ['self', given]))}) -> {returned}: ..." for n, (given, returned) in known.SPECIAL_METHODS.items()]
    for name, value in sorted(vars(Tensor).items()):
        if name[0] == "_" or name in known.ATTRIBUTES or name in known.SETTABLE:
            continue
        if name in known.METHODS:
            found = known.METHODS[name]
        elif isinstance(value, types.FunctionType):
            found = _python_function(package, name, value, signatures, rows.TENSOR)
        elif _is_of_table(value):
            row = value.__name__ if value.__name__ in signatures else name
            found = [line.replace(f"def {row}(", f"def {name}(") for line in _of_table(package, row, signatures, rows.TENSOR)]
        else:  # a property
            found = [f"def {name}(self) -> {'_bool' if name[:3] == 'is_' else 'Any'}: ..."]
            lines.append("    @property")
        lines += rows.overloaded(found, "    ")
    return lines


def _extension(package):
    """The stub of _C; to be written last, for the named tuples that the others use."""
    tensor = _tensor_class(package)
    return [_HEADER, "from types import EllipsisType", "from typing import Protocol, SupportsIndex, TypeAlias", "from winnow._types import device as _device, dtype as _dtype, layout as _layout, "
            "memory_format as _memory_format", "", "Number: TypeAlias = _int | _float | _bool", "Device: TypeAlias = _device | _str | _int | None", "",
            *package.results.declarations(), "class Generator:", "    def __init__(self, device: Device = None) -> None: ...",
            "    def manual_seed(self, seed: _int) -> Generator: ...", "    def seed(self) -> _int: ...", "    def initial_seed(self) -> _int: ...",
            "    def get_state(self) -> Tensor: ...", "    def set_state(self, new_state: Tensor) -> Any: ...", "", "class OutOfMemoryError(RuntimeError): ...",
            "", *known.PROTOCOLS, "", *known.SIZE, "", *tensor, "", "def __getattr__(name: _str) -> Any: ..."]


# ------------------------------------------------------------------ other modules


def _class(name, kind):
    """A class that is made by a call: its bases and the signatures of what it defines itself."""
    bases = [b for b in kind.__bases__ if b is not object]
    lines = [f"class {name}({', '.join(b.__name__ for b in bases)}):" if bases else f"class {name}:"]
    for attribute, value in vars(kind).items():
        if isinstance(value, types.FunctionType) and (attribute[0] != "_" or attribute == "__init__"):
            returned = {"__init__": "None", "forward": "Tensor"}.get(attribute, "Any")
            lines.append("    " + known.declaration(attribute, value, returned, method=True) + "  # type: ignore[override]")
    return lines if len(lines) > 1 else [lines[0] + " ..."]


def _values(package, module):
    """The module's public names with their values, and the private bases of its classes."""
    values = {n: getattr(package.modules[module], n) for n in sorted(package.public(module))}
    for value in list(values.values()):
        if inspect.isclass(value) and value.__module__ == module and value.__name__ not in _OF_EXTENSION:
            made = package.home(value.__name__, value) is None
            values.update({base.__name__: base for base in value.__mro__[1:-1] if base.__module__ == module or made and base.__module__ != "builtins"})
    return {n: v for n, v in values.items() if getattr(v, "__module__", None) != "winnow._hook"}


def _elsewhere(package, module, name, value):
    """The line that imports a name from where it is defined; None where this module's stub has to declare it."""
    where = None
    if inspect.ismodule(value) and value.__name__ in package.modules:
        parent, _, last = value.__name__.rpartition(".")
        return f"from {parent} import {last} as {name}" if parent else f"import {last} as {name}"
    if inspect.isclass(value) and name not in vars(package.modules[module]).get("_TYPED", ()):
        home = package.home(value.__name__, value) or value.__module__
        if value.__name__ in _OF_EXTENSION and value is getattr(package.modules["winnow"], value.__name__):
            where = "winnow._C"  # whatever module it names: the package's own or torch
        elif home in package.modules and home != module:
            where = home
    elif isinstance(value, types.FunctionType):
        home = package.home(value.__name__, value)
        typed = name in known.RETURNS or name in known.DECLARED or name in package.signatures[_place(module)]
        if home and home != module and _place(module) == rows.TORCH and not typed:
            where = home
    return f"from {where} import {value.__name__} as {name}" if where else None


def _place(module):
    return {"winnow.nn.functional": rows.NN, "winnow.linalg": rows.LINALG, "winnow.special": rows.SPECIAL}.get(module, rows.TORCH)


def _declared(package, module, name, value):
    """The lines that declare a name that is no class."""
    place = _place(module)
    signatures = package.signatures[place]
    if isinstance(value, types.FunctionType):
        return list(rows.overloaded(_python_function(package, name, value, signatures, place)))
    if _is_of_table(value):
        row = next((n for n in (name, value.__name__) if n in signatures), None)
        if row is None:
            return [f"{name}: Callable[..., Any]"]
        return list(rows.overloaded([line.replace(f"def {row}(", f"def {name}(") for line in _of_table(package, row, signatures, place)]))
    return [f"{name}: {_value_type(value)}"]


def _module(package, module):
    """The stub of a module: names that others define are imported from there, the rest is declared."""
    imports, lines, classes = [], [], {}
    for name, value in _values(package, module).items():
        elsewhere = _elsewhere(package, module, name, value)
        if elsewhere:
            imports.append(elsewhere)
        elif inspect.isclass(value) and name not in vars(package.modules[module]).get("_TYPED", ()):
            classes[name] = value
        else:
            lines += _declared(package, module, name, value)
    for name, kind in sorted(classes.items(), key=lambda item: len(item[1].__mro__)):  # bases first
        lines += _class(name, kind)
        imports += [f"from {b.__module__} import {b.__name__}" for b in kind.__bases__ if b.__module__.partition(".")[0] not in ("builtins", "winnow", "torch")]
    if module == "winnow":
        lines.append("__version__: _str")
    names = [(n, f"winnow.{where}") for n, where in _NAMES if not hasattr(package.modules[module], n)]
    names += [(n, "winnow._C") for n in sorted(package.results.classes)]
    used = [f"from {where} import {n}" for n, where in names if any(n in line for line in lines)]
    return [_HEADER + _TYPES, *used, *sorted(imports), "", *lines]


def _value_type(value):
    kind = type(value).__name__
    return {"dtype": "_dtype", "layout": "_layout", "memory_format": "_memory_format", "Generator": "Generator"}.get(
        kind, f"_{kind}" if kind in ("bool", "int", "float", "str") else "Any")


def write(folder):
    from winnow import _C

    package = Package()
    texts = {name: _module(package, name) for name in package.modules if package.dynamic(name)}
    texts["winnow._C"] = _extension(package)
    for name, lines in texts.items():
        source = "_C.py" if name == "winnow._C" else os.path.relpath(package.modules[name].__file__, os.path.dirname(_C.__file__))
        with open(os.path.join(folder, source + "i"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    return sorted(texts)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n")[0])
    written = write(sys.argv[1])
    print(f"stubs of {len(written)} modules: {', '.join(written)}")
