"""`import torch` resolving to winnow, and errors that say what stands nearest to a name that winnow lacks."""
import sys

_PACKAGE = __name__.rpartition(".")[0]


def install():
    """From here on `import torch` and `import torch.x.y` give winnow's modules: the very same objects. An installed PyTorch is
    not touched; one that was imported already is an error, since its modules could not be told from ours."""
    present = sys.modules.get("torch")
    ours = sys.modules[_PACKAGE]
    if present is not None and present is not ours:
        raise RuntimeError(f"torch is imported already, from {getattr(present, '__file__', '?')}: winnow must be installed as torch before")
    sys.modules["torch"] = ours
    ours._named_after("torch")
    if f"{_PACKAGE}._reduce" in sys.modules:
        sys.modules[f"{_PACKAGE}._reduce"].name_after("torch")
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
        sys.meta_path.insert(1, _StandInFinder("safetensors", "winnow/_as_safetensors"))  # the real one needs PyTorch's own storages
        sys.meta_path.append(_StandInFinder("torchvision", "torchvision-like"))


class _Finder:
    """Finds torch.x.y as winnow.x.y. A name that winnow lacks is an error here, lest an installed PyTorch fill the gap."""

    def find_spec(self, fullname, path=None, target=None):
        if not fullname.startswith("torch."):
            return None
        from importlib import import_module, util  # when it is needed: `import winnow` has to be fast

        from . import _absent

        own, path = _PACKAGE + fullname[5:], fullname[6:]
        if path in _absent.NAMES:
            return _AliasSpec(fullname, _Alias(_absent.module(path)))
        if own not in sys.modules and util.find_spec(own) is None:
            raise ModuleNotFoundError(f"No module named '{fullname}'" + _nearest_module(fullname), name=fullname)
        return _AliasSpec(fullname, _Alias(import_module(own)))

    def find_distributions(self, context):
        """What is installed as torch: winnow, by the version that it answers."""
        if context.name is None or context.name.lower() != "torch":
            return ()
        from ._torch_distribution import TorchDistribution

        return (TorchDistribution(),)


class _StandInFinder:
    """Finds a small package of ours under the name of one that programs use beside torch: before the installed one where that works
    with PyTorch alone, else (the last finder to be asked) where none is installed. The folder lies beside winnow's own; torchvision's
    is a distribution of its own, which may be missing."""

    def __init__(self, name, folder):
        self.name, self.folder = name, folder

    def find_spec(self, fullname, path=None, target=None):
        if fullname != self.name:
            return None
        import os
        from importlib.util import spec_from_file_location

        folder = os.path.join(os.path.dirname(os.path.dirname(__file__)), self.folder, fullname)
        if not os.path.isdir(folder):
            return None
        return spec_from_file_location(fullname, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder])


class _AliasSpec(type(__spec__)):
    """The spec of an alias. Relative imports that the module does while it has this spec go on from its own package."""

    @property
    def parent(self):
        return self.loader.spec.parent


class _Alias:
    """The loader of a module that is there already. The import system gives it the spec of the alias; it gets its own back."""

    def __init__(self, module):
        self.module, self.spec = module, module.__spec__

    def create_module(self, spec):
        return self.module

    def exec_module(self, module):
        module.__spec__ = self.spec
        if getattr(self.spec, "name", "") == f"{_PACKAGE}.autograd":  # else the import of torch.autograd.gradcheck would put the module over the function of that name
            sys.modules["torch.autograd.gradcheck"] = sys.modules[f"{_PACKAGE}.autograd.gradcheck"]


def _modules():
    """The names of winnow's public modules, under torch."""
    import pkgutil

    names, folders = [], [("torch", list(sys.modules[_PACKAGE].__path__))]
    while folders:
        prefix, path = folders.pop()
        for found in pkgutil.iter_modules(path):
            if found.name[0] == "_":
                continue
            name = f"{prefix}.{found.name}"
            names.append(name)
            if found.ispkg:
                folders.append((name, [f"{p}/{found.name}" for p in path]))
    names += ["torch" + n[len(_PACKAGE):] for n in sys.modules if n.startswith(_PACKAGE + ".") and "._" not in n and n.count(".") > 1]
    return sorted(set(names))


# ------------------------------------------------------------------ names that are missing

def _nearest(name, candidates):
    """"; the nearest that winnow has: a, b", or nothing."""
    from difflib import get_close_matches

    found = get_close_matches(name, list(candidates), 3)
    return f"; the nearest that winnow has: {', '.join(found)}" if found else ""


def _nearest_module(fullname):
    """The same for modules, compared without the "torch." that they all have; or why there is none."""
    from ._absent import reason

    if reason(fullname[6:]):
        return f" ({reason(fullname[6:])})"
    text = _nearest(fullname[6:], [n[6:] for n in _modules()])
    return text.replace(": ", ": torch.", 1).replace(", ", ", torch.") or "; winnow has none of that name"


class _MissingName(AttributeError):
    """Finds the nearest names when somebody reads the message: hasattr() and getattr(..., default) never do."""

    def __init__(self, text, attribute, candidates, note):
        super().__init__(text)
        self.name = attribute  # without .obj: Python's own "Did you mean" would repeat ours
        self._candidates, self._note = candidates, note

    __str__ = lambda self: self.args[0] + _explanation(self.name, self._candidates, self._note)
    __reduce__ = lambda self: (AttributeError, (str(self),))


# Tracebacks name the class of the exception; programs know it as AttributeError.
_MissingName.__name__ = _MissingName.__qualname__ = "AttributeError"
_MissingName.__module__ = "builtins"


def _explanation(name, candidates, note):
    if callable(candidates):
        candidates = candidates()
    return _nearest(name, [c for c in candidates if c[0] != "_"]) + (f" ({note})" if note else "")


def missing(module_name, attribute, candidates, note=""):
    """The error of a module's __getattr__, to be raised there: says what stands nearest among the candidates (names, or a function
    that returns them; with "_" in front they are left out). In `from module import attribute` it is an ImportError."""
    module = _shown(module_name)
    if _in_from_import(sys._getframe(2)):
        where = getattr(sys.modules.get(module_name), "__file__", None)
        return ImportError(f"cannot import name '{attribute}' from '{module}'" + (f" ({where})" if where else "") +
                           _explanation(attribute, candidates, note), name=module, path=where)
    return _MissingName(f"module '{module}' has no attribute '{attribute}'", attribute, candidates, note)


def lacking(module_name, candidates, note=""):
    """The __getattr__ of a module that raises missing()."""
    def __getattr__(attribute):
        raise missing(module_name, attribute, candidates, note)

    return __getattr__


def _shown(module_name):
    """winnow.nn as the program knows it: torch.nn when it said `import torch`."""
    if module_name.partition(".")[0] == _PACKAGE and sys.modules.get("torch") is sys.modules.get(_PACKAGE):
        return "torch" + module_name[len(_PACKAGE):]
    return module_name


def _in_from_import(frame):
    """Is this frame at a `from ... import`? That swallows AttributeErrors with their text, but lets ImportErrors pass."""
    try:
        from opcode import opmap

        return frame.f_code.co_code[frame.f_lasti] == opmap["IMPORT_FROM"]
    except (ImportError, IndexError, KeyError):
        return False
