"""Looking at a program's calls: operations by a TorchFunctionMode, and what modes do not see (item, tensor(), iteration, backward, modules) by functions
put in front of it. The program's results stay what they are."""
import os
import sys
import time
import weakref

import winnow as torch

from ..overrides import TorchFunctionMode

_PACKAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")


# Functions in Python that only stand for a row: what they call counts as called by the program itself.
_FRONT = tuple(os.path.join(_PACKAGE, *p.split("/")) for p in ("_adapters/", "_advise/", "nn/functional.py", "nn/_losses.py", "_construct.py"))


def caller(depth):
    """((file, line), direct): the innermost frame outside the package, and whether the program itself made the call, not a function of the package."""
    frame, direct = sys._getframe(depth), True
    while frame is not None:
        path = frame.f_code.co_filename
        if not path.startswith(_PACKAGE):
            return (path, frame.f_lineno), direct
        frame, direct = frame.f_back, direct and path.startswith(_FRONT)
    return None, False


class Call:
    """One call as kinds see it."""
    __slots__ = ("name", "func", "args", "kwargs", "result", "where", "direct", "seconds")


class Origins:
    """Where tensors that live come from: facts about a tensor object, gone with it."""

    def __init__(self):
        self._facts = {}

    def get(self, tensor):
        entry = self._facts.get(id(tensor))
        return entry[1] if entry and entry[0]() is tensor else None

    def set(self, tensor, fact):
        key = id(tensor)
        self._facts[key] = (weakref.ref(tensor, lambda ref: self._gone(key, ref)), fact)

    def _gone(self, key, ref):
        entry = self._facts.get(key)
        if entry and entry[0] is ref:
            del self._facts[key]


def best(run, least=0.01, most=50):
    """Seconds that run() takes: the least of some runs. Looks at what it returns, so that deferred work is part of it."""
    times, end = [], time.perf_counter() + least
    while len(times) < 5 or (time.perf_counter() < end and len(times) < most):
        began = time.perf_counter()
        look(run())
        times.append(time.perf_counter() - began)
    return min(times)


def look(value):
    """Deferred values are computed."""
    if isinstance(value, torch.Tensor):
        value.data_ptr()
    elif isinstance(value, (tuple, list)):
        for part in value:
            look(part)


def ms(seconds):
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms" if seconds >= 1e-4 else f"{seconds * 1e6:.2g} us"


class Case:
    """A place and what is to be measured for it: measure() returns the seconds that the better form would have saved, and the sentence."""

    def __init__(self, where, measure):
        self.where, self.measure = where, measure


class _Mode(TorchFunctionMode):
    def __init__(self, watch):
        super().__init__()
        self.watch = watch

    def __torch_function__(self, func, types, args=(), kwargs=None):
        entered = time.perf_counter()
        kwargs = kwargs or {}
        began = time.perf_counter()
        result = func(*args, **kwargs)
        took = time.perf_counter() - began
        self.watch.seen(func, args, kwargs, result, took, 3)
        self.watch.spent += time.perf_counter() - entered - took
        return result


class Watch:
    """Shows every call to the kinds that want its name: a kind has NAMES (a set, or None: all) and call(call)."""

    def __init__(self, kinds):
        self.kinds, self.mode, self.busy, self.put = kinds, _Mode(self), False, []
        self.spent = 0.0  # seconds that looking took

    def seen(self, func, args, kwargs, result, seconds, depth):
        if self.busy:
            return
        name = getattr(func, "__name__", "")
        self.busy = True
        try:
            call = None
            for kind in self.kinds:
                if kind.NAMES is not None and name not in kind.NAMES:
                    continue
                if call is None:
                    call = Call()
                    call.where, call.direct = caller(depth)
                    if call.where is None:
                        return
                    call.name, call.func, call.args, call.kwargs, call.result, call.seconds = name, func, args, kwargs, result, seconds
                self._show(kind, call)
        finally:
            self.busy = False

    def _show(self, kind, call):
        """A kind that does not understand a call leaves the program alone."""
        try:
            kind.call(call)
        except Exception:
            if os.environ.get("WINNOW_ADVISE_DEBUG"):
                raise

    def open(self):
        for owner, name in ((torch.Tensor, "item"), (torch.Tensor, "__float__"), (torch.Tensor, "__int__"), (torch.Tensor, "__bool__"), (torch.Tensor, "__index__"),
                            (torch.Tensor, "__iter__"), (torch.Tensor, "backward"), (torch, "tensor"), (torch, "as_tensor"), (torch, "from_numpy"),
                            (torch.nn.Module, "__call__"), (torch.autograd, "grad"), (torch.autograd, "backward")):
            self._put(owner, name)
        self.mode.__enter__()

    def _put(self, owner, name):
        original, seen = getattr(owner, name), self.seen
        module_call = name == "__call__"

        def watched(*args, **kwargs):
            entered = time.perf_counter()
            if module_call:
                for kind in self.kinds:
                    if hasattr(kind, "enter"):
                        kind.enter(args[0])
            began = time.perf_counter()
            try:
                result = original(*args, **kwargs)
            finally:
                took = time.perf_counter() - began
                if module_call:
                    for kind in self.kinds:
                        if hasattr(kind, "leave"):
                            kind.leave(args[0])
            seen(original if not module_call else _module_call, args, kwargs, result, took, 3)
            self.spent += time.perf_counter() - entered - took
            return result

        watched.__name__, watched.__doc__, watched.__qualname__ = name, getattr(original, "__doc__", None), getattr(original, "__qualname__", name)
        self.put.append((owner, name, owner.__dict__.get(name)))
        setattr(owner, name, watched)

    def close(self):
        self.busy = True
        self.mode.__exit__(None, None, None)
        for owner, name, original in reversed(self.put):
            if original is None:
                delattr(owner, name)
            else:
                setattr(owner, name, original)


def _module_call(*args, **kwargs):
    """Stands for Module.__call__ in what kinds see."""


_module_call.__name__ = "module"
