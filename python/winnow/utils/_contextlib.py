"""Context managers that are decorators, too, as libraries derive them: the classes of no_grad and its like."""
from ..autograd.grad_mode import _BareDecorator as _NoParamDecoratorContextManager  # noqa: F401
from ..autograd.grad_mode import _ContextDecorator as _DecoratorContextManager  # noqa: F401
from ..autograd.grad_mode import _decorate

__all__ = []


def context_decorator(ctx, func):
    """func, run in what ctx() makes, or in ctx itself where it is a context manager."""
    return _decorate(ctx if callable(ctx) else lambda: ctx, func)
