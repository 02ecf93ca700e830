"""torch._dynamo.eval_frame: what torch.compile returns. It runs what it was given, as Python: winnow joins operations anyway."""
import functools
import types

from .._hook import _shown
from ..compiler import disable  # noqa: F401
from ..nn import Module

_OWN = {"_orig_mod", "dynamo_ctx", "forward", "__dict__"}


class OptimizedModule(Module):
    """A module that was given to torch.compile: a module of its own around it, so that names in state_dict() begin with "_orig_mod.". Other attributes are
    those of the module inside, for reading and for writing."""

    def __init__(self, mod, dynamo_ctx=None):
        object.__setattr__(self, "_ready", False)
        super().__init__()
        self.__dict__["dynamo_ctx"] = dynamo_ctx
        self.__dict__["_modules"]["_orig_mod"] = mod
        self.__dict__.pop("training", None)
        object.__setattr__(self, "_ready", True)

    @property
    def training(self):
        return self._modules["_orig_mod"].training

    @training.setter
    def training(self, mode):
        if self._ready:
            self._modules["_orig_mod"].training = mode

    def forward(self, *args, **kwargs):
        return self.__dict__["_modules"]["_orig_mod"](*args, **kwargs)

    def __getattr__(self, name):
        inside = self.__dict__["_modules"]["_orig_mod"]
        return inside if name == "_orig_mod" else getattr(inside, name)

    def __setattr__(self, name, value):
        if name == "_orig_mod":
            self.__dict__["_modules"][name] = value
        elif name in _OWN or not self._ready or name in type(self).__dict__:
            super().__setattr__(name, value)
        else:
            setattr(self._modules["_orig_mod"], name, value)

    def __delattr__(self, name):
        if name in _OWN:
            super().__delattr__(name)
        else:
            delattr(self._modules["_orig_mod"], name)

    def __len__(self):
        inside = self._modules["_orig_mod"]
        if hasattr(type(inside), "__len__"):
            return len(inside)
        raise TypeError(f"{type(inside).__name__} does not support len()")

    def __dir__(self):
        return sorted({*super().__dir__(), *dir(self._modules["_orig_mod"])})

    __reduce_ex__ = lambda self, protocol: (type(self), (self._modules["_orig_mod"], self.__dict__["dynamo_ctx"]))


OptimizedModule.__module__ = _shown(__name__)


def wrapped(function, options):
    """What torch.compile makes of a function: one that calls it and says what it was."""
    @functools.wraps(function, updated=())
    def compiled(*args, **kwargs):
        return function(*args, **kwargs)

    compiled._torchdynamo_orig_callable = function
    compiled.dynamo_ctx = options
    return compiled


def original(x):
    """What a compiled function or module was made of; other things as they are."""
    if isinstance(x, OptimizedModule):
        return x._orig_mod
    return x.__dict__.get("_torchdynamo_orig_callable", x) if isinstance(x, types.FunctionType) else x
