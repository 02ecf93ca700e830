"""no_grad, enable_grad, set_grad_enabled, inference_mode: what gets recorded, as context managers and decorators."""
from functools import wraps
import warnings

from .. import _C
from .._recording import inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["no_grad", "enable_grad", "set_grad_enabled", "inference_mode", "set_multithreading_enabled"]

_multithreading = [True]

_GENERATOR = 0x20  # CO_GENERATOR of a code object; `inspect` is too much to import for one bit


def _is_generator_function(f):
    while True:
        if hasattr(f, "__func__"):  # a bound method
            f = f.__func__
        elif hasattr(f, "func") and hasattr(f, "keywords"):  # functools.partial
            f = f.func
        else:
            code = getattr(f, "__code__", None)
            return code is not None and bool(code.co_flags & _GENERATOR)


def _wrap_generator(make_context, function):
    """Each step of the generator runs in a context of its own: between steps the caller's modes are in force."""
    @wraps(function)
    def steps(*args, **kwargs):
        generator = function(*args, **kwargs)
        advance, argument = generator.send, (None,)
        while True:
            try:
                with make_context():
                    value = advance(*argument)
            except StopIteration as done:
                return done.value
            try:
                advance, argument = generator.send, ((yield value),)
            except GeneratorExit:
                with make_context():
                    generator.close()
                raise
            except BaseException as error:
                advance, argument = generator.throw, (error,)

    return steps


def _decorate(make_context, function):
    """The function, run in a new context each time it is called."""
    return (_wrap_generator if _is_generator_function(function) else inside)(make_context, function)


class _ContextDecorator:
    """A context manager that also decorates functions and generator functions."""

    def __call__(self, function):
        if isinstance(function, type):
            warnings.warn("Decorating classes is deprecated and will be disabled in future versions. You should only decorate "
                          "functions or methods. To preserve the current behavior of class decoration, you can directly decorate "
                          "the `__init__` method and nothing else.", FutureWarning, stacklevel=2)
            make = function
            return _decorate(self.clone, lambda *args, **kwargs: make(*args, **kwargs))
        return _decorate(self.clone, function)

    def clone(self):
        """Another one with the same arguments: contexts remember what they replaced, so a nested call needs its own."""
        return self.__class__()


class _BareDecorator(_ContextDecorator):
    """One that may be written without parentheses: @no_grad."""

    def __new__(cls, orig_func=None) -> "Any":
        self = object.__new__(cls)
        return self if orig_func is None else self(orig_func)

    def __enter__(self):
        self.prev = _C._set_grad_enabled(self._recording)

    def __exit__(self, exc_type, exc_value, traceback):
        _C._set_grad_enabled(self.prev)


class no_grad(_BareDecorator):
    """Operations inside are not recorded: their results have requires_grad=False."""
    _recording = False

    def __init__(self):
        self.prev = False


class enable_grad(_BareDecorator):
    """Operations inside are recorded, also within no_grad."""
    _recording = True


class set_grad_enabled(_ContextDecorator):
    """Switches recording on or off: at once when called, back again at the end when used as a context manager."""

    def __init__(self, mode):
        self.mode = mode
        self.prev = _C._set_grad_enabled(mode)

    def __call__(self, function):
        _C._set_grad_enabled(self.prev)  # as a decorator it acts only while the function runs
        return super().__call__(function)

    def __enter__(self):
        _C._set_grad_enabled(self.mode)

    def __exit__(self, exc_type, exc_value, traceback):
        _C._set_grad_enabled(self.prev)

    __repr__ = lambda self: f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"

    def clone(self):
        return self.__class__(self.mode)


class inference_mode(_ContextDecorator):
    """no_grad whose results can never take part in autograd. inference_mode(False) undoes it, and records again."""

    def __new__(cls, mode=True) -> "Any":
        self = object.__new__(cls)
        if isinstance(mode, bool):
            return self
        self.__init__()
        return self(mode)  # @inference_mode without parentheses

    def __init__(self, mode=True):
        self.mode = mode

    def __enter__(self):
        self._prev = _C._set_inference(self.mode), _C._set_grad_enabled(not self.mode)

    def __exit__(self, exc_type, exc_value, traceback):
        inference, grad = self._prev
        _C._set_inference(inference)
        _C._set_grad_enabled(grad)

    def clone(self):
        return self.__class__(self.mode)


def is_multithreading_enabled():
    """What set_multithreading_enabled was given last; True at the start."""
    return _multithreading[0]


class set_multithreading_enabled:
    """Accepted, as a function and as a context: the nodes of a backward run on the thread that called it in any case, their kernels on all."""

    def __init__(self, mode):
        self.prev, _multithreading[0] = _multithreading[0], bool(mode)

    def __enter__(self):
        pass

    def __exit__(self, *exc):
        _multithreading[0] = self.prev
