"""torch._foreach_X: the operation X on each tensor of a list, as programs that keep averages of weights call them. The engine defers and fuses
by itself, so they are plain loops: one operation's code for one tensor or many."""
from ._construct import Tensor
from .linalg import vector_norm

_UNARY = ("abs acos asin atan ceil clone cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 max neg reciprocal round rsqrt sigmoid sign sin "
          "sinh sqrt tan tanh trunc zero_").split()
_BINARY = "add sub mul div lerp maximum minimum clamp_max clamp_min pow mm copy_".split()
_TERNARY = ("addcmul", "addcdiv")
_NO_INPLACE = ("clone", "max", "mm", "norm")
_BOUNDS = {"clamp_max": "max", "clamp_min": "min", "minimum": "max", "maximum": "min"}  # the argument of clamp, which takes numbers and tensors


def _checked(name, tensors):
    if not isinstance(tensors, (list, tuple)):
        raise TypeError(f"{name}(): argument 'self' must be tuple of Tensors, not {type(tensors).__name__}")
    if not tensors:
        raise RuntimeError("Tensor list must have at least one tensor.")
    for i, t in enumerate(tensors):
        if not isinstance(t, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type(t).__name__}")
    return tensors


def _each(name, n, values):
    """One value for each tensor: an item of a list, or the same for all."""
    if not isinstance(values, (list, tuple)):
        return [values] * n
    if len(values) != n:
        what = "Tensor lists" if any(isinstance(v, Tensor) for v in values) else "Tensor list and scalar list"
        raise RuntimeError(f"{what} must have the same number of {'tensors' if what[-1] == 's' else 'elements'}, got {n} and {len(values)}")
    return values


def _function(name, of):
    """of(tensor, its other arguments ...) -> result, for lists."""
    inplace = name[-1] == "_"

    def foreach(self, *others, **options):
        n = len(_checked(name, self))
        results = [of(t, *rest, **options) for t, *rest in zip(self, *(_each(name, n, o) for o in others))]
        return self if inplace else tuple(results)
    foreach.__name__ = foreach.__qualname__ = name
    foreach.__doc__ = f"{name[9:]} of each tensor of a list; another argument that is a list gives one value to each."
    return foreach


def _ternary(name, of):
    def foreach(self, tensor1, tensor2, value=1, *, scalars=None):
        value = scalars if scalars is not None else value.tolist() if isinstance(value, Tensor) and value.dim() else value
        n = len(_checked(name, self))
        results = [of(t, a, b, value=v) for t, a, b, v in zip(self, *(_each(name, n, o) for o in (tensor1, tensor2, value)))]
        return self if name[-1] == "_" else tuple(results)
    foreach.__name__ = foreach.__qualname__ = name
    return foreach


def _norm(self, ord=2, dtype=None):
    return tuple(vector_norm(t, ord, dtype=dtype) for t in _checked("_foreach_norm", self))


def _pow(self, exponent):
    if isinstance(self, (list, tuple)):
        return _plain_pow(self, exponent)
    return tuple(self ** e for e in _checked("_foreach_pow", exponent))  # a number to the power of each


def make(name):
    """The function torch.<name>, or None."""
    base = name[len("_foreach_"):]
    if base in ("norm", "pow"):
        return {"norm": _norm, "pow": _pow}[base]
    plain = base.rstrip("_")
    if (base not in _UNARY + _BINARY and (plain not in [*_UNARY, *_BINARY, *_TERNARY] or (base[-1] == "_" and plain in _NO_INPLACE))):
        return None
    if plain in _TERNARY:
        return _ternary(name, getattr(Tensor, base))
    if plain in _BOUNDS:
        clamp = Tensor.clamp_ if base[-1] == "_" else Tensor.clamp
        return _function(name, lambda t, bound: clamp(t, **{_BOUNDS[plain]: bound}))
    return _function(name, getattr(Tensor, base))


_plain_pow = _function("_foreach_pow", Tensor.pow)
