"""Modules that stand for devices and services which winnow has not: they answer what can be answered and refuse the rest."""


def refusing(name, error, text, doc):
    """A function of any arguments that raises error(text)."""
    def f(*args, **kwargs):
        raise error(text)

    f.__name__ = f.__qualname__ = name
    f.__doc__ = doc
    return f


def answering(name, value, doc):
    """A function of any arguments that returns value."""
    def f(*args, **kwargs):
        return value

    f.__name__ = f.__qualname__ = name
    f.__doc__ = doc
    return f
