"""What torch.load(weights_only=False) lets in besides: whole modules and plain records, of classes that the program has imported.

PyTorch unpickles anything then, which runs whatever the file says. Here an object is made without a call of __init__ and gets its
attributes back; nothing is imported, no function is called that the file names.
"""
import sys


def find_class(module, name):
    """A class or a function of torch's by the name in the file; None: not to be let in."""
    own = module.partition(".")[0] == "torch"
    if own:
        import winnow.nn  # noqa: F401: all layers

        module = "winnow" + module[5:]
    thing = sys.modules.get(module)
    for part in name.split("."):  # __dict__ only: looking an attribute up may run code
        thing = getattr(thing, "__dict__", {}).get(part) if thing is not None else None
    if isinstance(thing, type):
        return thing if _may_be_made(thing) else None
    return thing if own and module.startswith("winnow.nn.functional") and callable(thing) else None  # as an attribute; it is not called


def _may_be_made(kind):
    """Modules, and classes that are nothing but their attributes. None whose instances do something when they go."""
    import argparse
    import types

    from .nn import Module

    if hasattr(kind, "__del__"):
        return False
    return issubclass(kind, (Module, argparse.Namespace, types.SimpleNamespace)) or "__dataclass_fields__" in kind.__dict__
