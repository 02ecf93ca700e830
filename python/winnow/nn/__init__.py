"""torch.nn: modules, their parameters, functions. The modules are loaded with the first one that somebody asks for."""
from .parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter
from . import functional, parameter

_PARTS = ("modules", "init", "utils", "parallel", "attention", "common_types", "grad")


def __getattr__(name):
    if name in _PARTS:
        from importlib import import_module

        return import_module("." + name, __name__)
    if name[:2] != "__" or name == "__all__":
        from . import modules

        found = {n: getattr(modules, n) for n in modules.__all__}
        found.update(init=__getattr__("init"), utils=__getattr__("utils"), DataParallel=__getattr__("parallel").DataParallel)
        globals().update(found)
        if name in found:
            return found[name]
        if name == "__all__":
            return sorted([n for n in globals() if n[0] != "_"])
    from .._hook import missing

    raise missing("torch.nn", name, __dir__)


def __dir__():
    from . import modules

    return sorted({*globals(), *modules.__all__, *_PARTS, "DataParallel"})
