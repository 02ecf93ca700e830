"""What comes before autograd, or too often for it: recording switched for a while, functions that run in a context, gradients that are
forgotten."""
from functools import wraps

from . import _C


def inside(make_context, function):
    """The function, run in a new context each time it is called."""
    @wraps(function)
    def in_context(*args, **kwargs):
        with make_context():
            return function(*args, **kwargs)

    return in_context


class recording:
    """Context in which operations are recorded, or not."""
    __slots__ = ("on", "old")

    def __init__(self, on):
        self.on = on

    def __enter__(self):
        self.old = _C._set_grad_enabled(self.on)

    def __exit__(self, *exc):
        _C._set_grad_enabled(self.old)


def forget_gradients(parameters, set_to_none):
    """Those that have a gradient lose it, or it becomes zeros without a history."""
    for p in parameters:
        g = p.grad
        if g is None:
            continue
        if set_to_none:
            p.grad = None
            continue
        if g.grad_fn is not None:
            g.detach_()
        else:
            g.requires_grad_(False)
        g.zero_()
