"""Arguments of a wrong kind, in torch's words. Rows check theirs (src/call.c, which is where most of the front's arguments end up); this
is for functions of Python that look at an argument before a row does."""
_WORDS = {"dtype": "torch.dtype", "layout": "torch.layout", "memory_format": "torch.memory_format"}


def wrong_kind(function, position, name, kind, got):
    """The error for the argument at this position, from 1 on (without a method's self)."""
    return TypeError(f"{function}(): argument '{name}' (position {position}) must be {kind}, not {type(got).__name__}")


def need(function, kind, **arguments):
    """An error unless all are of the kind, a class. They are the function's first ones, in order."""
    for position, (name, x) in enumerate(arguments.items(), 1):
        if not isinstance(x, kind):
            raise wrong_kind(function, position, name, _WORDS.get(kind.__name__, kind.__name__), x)


def need_option(function, kind, **options):
    """The same for arguments that are given by name."""
    for name, x in options.items():
        if not isinstance(x, kind):
            raise TypeError(f"{function}(): argument '{name}' must be {_WORDS.get(kind.__name__, kind.__name__)}, not {type(x).__name__}")


def need_dims(dims, ndim):
    """The dimensions counted from the front; an error unless each is there, and once."""
    n, found = max(ndim, 1), []
    for d in dims:
        if not -n <= d < n:
            raise IndexError(f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {d})")
        found.append(d % n)
    if len(set(found)) != len(found):
        raise RuntimeError("dim appears multiple times in the list of dims")
    return found


def need_options(function, kind, **options):
    """The same, of those that are not None."""
    need_option(function, kind, **{name: x for name, x in options.items() if x is not None})
