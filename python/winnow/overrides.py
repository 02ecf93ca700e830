"""__torch_function__ for functions written in Python: may an argument answer in their place?"""
from . import _C
from ._hook import lacking as _lacking

__all__ = ["handle_torch_function", "has_torch_function", "is_tensor_like", "is_tensor_method_or_property", "wrap_torch_function", "TorchFunctionMode"]


class TorchFunctionMode:
    """Within, every function and method is answered by __torch_function__(func, types, args, kwargs) of a subclass, whatever its arguments are; what that
    calls goes to the modes around it, then to the arguments, then to the function. types is (): what is asked for is not a tensor's type."""

    def __init__(self):
        pass

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        _C._push_mode(self)
        return self

    def __exit__(self, *exception):
        _C._pop_mode()


class BaseTorchFunctionMode(TorchFunctionMode):
    """Calls the function."""

    __torch_function__ = lambda self, func, types, args=(), kwargs=None: func(*args, **(kwargs or {}))


def _overrides(kind):
    """Does a type have a __torch_function__ that counts? Tensor's own does not, nor the disabled one of Parameter."""
    if kind is _C.Tensor:
        return False
    method = getattr(kind, "__torch_function__", None)
    return method is not None and method is not _C._disabled_torch_function_impl


def has_torch_function(relevant_args):
    """Is there one among the arguments whose __torch_function__ is to be asked?"""
    for a in relevant_args:
        if type(a) is not _C.Tensor and _overrides(type(a)):
            return _C._is_torch_function_enabled()
    return False


def has_torch_function_unary(tensor):
    """has_torch_function of one argument."""
    return has_torch_function((tensor,))


def has_torch_function_variadic(*args):
    """has_torch_function of arguments that are no tuple yet."""
    return has_torch_function(args)


def _to_ask(relevant_args):
    """One argument of each type, in the order of asking: as they stand, subclasses before their bases."""
    chosen = []
    for a in relevant_args:
        kind = type(a)
        if not _overrides(kind) or kind in [type(c) for c in chosen]:
            continue
        at = len(chosen)
        for i, c in enumerate(chosen):
            if issubclass(kind, type(c)):
                at = i
                break
        chosen.insert(at, a)
    return chosen


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    """Asks the arguments' __torch_function__, one type after the other, until one answers."""
    chosen = _to_ask(relevant_args)
    types = tuple([type(a) for a in chosen])
    for a in chosen:
        result = a.__torch_function__(public_api, types, args, kwargs)
        if result is not NotImplemented:
            return result
    name = f"{public_api.__module__}.{public_api.__name__}"
    raise TypeError(f"no implementation found for '{name}' on types that implement __torch_function__: {[type(a) for a in chosen]}")


def wrap_torch_function(dispatcher):
    """Decorates a function so that the arguments which dispatcher(*args, **kwargs) returns may answer in its place."""
    def decorate(function):
        from functools import wraps

        @wraps(function)
        def wrapped(*args, **kwargs):
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return handle_torch_function(wrapped, relevant, *args, **kwargs)
            return function(*args, **kwargs)

        return wrapped

    return decorate


def is_tensor_like(inp):
    """Is it a Tensor, or something that acts as one?"""
    return type(inp) is _C.Tensor or hasattr(inp, "__torch_function__")


def is_tensor_method_or_property(func):
    """Is this function a method of Tensor (or the getter of a property)?"""
    name = getattr(func, "__name__", None)
    return name == "__get__" or (name is not None and getattr(_C.Tensor, name, None) is func)


__getattr__ = _lacking(__name__, globals(), "winnow has of torch.overrides only what subclasses with __torch_function__ need")
