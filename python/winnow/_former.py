"""Calls as PyTorch had them before alpha=, beta= and value=: x.add_(alpha, y), x.addcmul_(value, a, b), torch.addmm(beta, x, alpha, a, b). Much research code
is written so, and torch still takes it, with a warning."""
import warnings
from numbers import Number

_NAMES = {**dict.fromkeys(("add", "sub"), ("alpha",)), **dict.fromkeys(("addcmul", "addcdiv"), ("value",)),
          **dict.fromkeys(("addmm", "addmv", "addr", "addbmm", "baddbmm"), ("beta", "alpha"))}
# Before which tensors the numbers may stand: for methods, whose first tensor is self, and for functions.
_PLACES = {"alpha": ((1,),), "value": ((1,),), "beta": ((1,), (1, 1), (0,), (0, 1))}
_warned = set()


def former_order(function, name, args):
    """The result of such a call; NotImplemented if it is none."""
    names = _NAMES.get(name.rstrip("_"))
    if names is None:
        return NotImplemented
    tensors, numbers, places = [], [], []
    for x in args:
        if isinstance(x, Number):
            numbers.append(x)
            places.append(len(tensors))
        else:
            tensors.append(x)
    if tuple(places) not in _PLACES[names[0]]:
        return NotImplemented
    if name not in _warned:
        _warned.add(name)
        warnings.warn(f"This overload of {name} is deprecated: write its numbers as {' and '.join(n + '=' for n in names)} behind the tensors", UserWarning,
                      stacklevel=2)
    return function(*tensors, **dict(zip(names, numbers)))
