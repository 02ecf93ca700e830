"""Calls that fit no row's signature and that torch takes. As PyTorch had them before alpha=, beta= and value=: x.add_(alpha, y), x.addcmul_(value, a, b),
torch.addmm(beta, x, alpha, a, b); much research code is written so, and torch gives a warning. And None for what is left out."""
from numbers import Number

from ._warn import warn_once

_NAMES = {**dict.fromkeys(("add", "sub"), ("alpha",)), **dict.fromkeys(("addcmul", "addcdiv"), ("value",)),
          **dict.fromkeys(("addmm", "addmv", "addr", "addbmm", "baddbmm"), ("beta", "alpha"))}
# Before which tensors the numbers may stand: for methods, whose first tensor is self, and for functions.
_PLACES = {"alpha": ((1,),), "value": ((1,),), "beta": ((1,), (1, 1), (0,), (0, 1))}
_OPTIONS = {"alpha": ", *, Number alpha = 1", "value": ", *, Number value = 1", "beta": ", *, Number beta = 1, Number alpha = 1"}
_OPERANDS = {"addcmul": "Tensor tensor1, Tensor tensor2", "addcdiv": "Tensor tensor1, Tensor tensor2", "addmm": "Tensor mat1, Tensor mat2",
             "addmv": "Tensor mat, Tensor vec", "addr": "Tensor vec1, Tensor vec2", "addbmm": "Tensor batch1, Tensor batch2", "baddbmm": "Tensor batch1, Tensor batch2"}


def former_order(function, name, args, options, method):
    """The result of such a call; NotImplemented if it is none."""
    if name in ("sort", "roll"):
        return _left_out(function, name, args, options, method)
    names = _NAMES.get(name.rstrip("_"))
    if names is None or not set(options) <= {"out"}:
        return NotImplemented
    split = _alpha_first(args, method) if names == ("alpha",) else _sorted_out(args, _PLACES[names[0]])
    if split is None:
        return NotImplemented
    tensors, numbers, places = split
    warn_once(_text(name, names, places, method))
    return function(*tensors, **dict(zip(names, numbers)), **options)


def _left_out(function, name, args, options, method):
    """sort(stable=None), roll(x, 1, None) are the calls without it."""
    if name == "roll" and len(args) == 3 and args[2] is None:
        return function(*args[:2])
    key = "stable" if name == "sort" else "dims"
    if key in options and options[key] is None:
        return function(*args, **{k: v for k, v in options.items() if k != key})
    return NotImplemented


def _sorted_out(args, allowed):
    """Tensors, numbers, and before which tensors the numbers stand; None: nowhere where they may."""
    tensors, numbers, places = [], [], []
    for x in args:
        if isinstance(x, Number):
            numbers.append(x)
            places.append(len(tensors))
        else:
            tensors.append(x)
    return (tensors, numbers, tuple(places)) if tuple(places) in allowed else None


def _alpha_first(args, method):
    """The same of add(x, alpha, other), where x and other may be numbers and alpha a tensor of no dimensions."""
    if len(args) != 3 or not (isinstance(args[1], Number) or (hasattr(args[1], "dim") and args[1].dim() == 0)):
        return None
    return [args[0], args[2]], [args[1] if isinstance(args[1], Number) else args[1].item()], (1,)


def _text(name, names, places, method):
    """torch's warning."""
    rest, out = _OPERANDS.get(name.rstrip("_"), "Tensor other"), "" if method else ", Tensor out = None"
    own = [] if method else ["Tensor input"]
    former = list(own)
    for n, place in reversed(list(zip(names, places))):
        former.insert(0 if method else place, f"Number {n}")
    keyword = _OPTIONS[names[0]]
    return (f"This overload of {name} is deprecated:\n\t{name}({', '.join([*former, rest])}{', *' + out if out else ''})\n"
            f"Consider using one of the following signatures instead:\n\t{name}({', '.join([*own, rest])}{keyword}{out})")
