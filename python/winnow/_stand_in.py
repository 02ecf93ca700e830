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


def passed(signature):
    """The arguments of "a, b=1, c=2" as a call hands them on: "a=a, b=b, c=c"."""
    names = [argument.partition("=")[0].strip() for argument in signature.split(",")]
    return ", ".join([f"{name}={name}" for name in names])


def answers(space, functions):
    """Defines functions of one expression in the namespace of a module: (signature, what is returned, docstring). Returns them."""
    text = "\n".join(f"def {signature}:\n    {doc!r}\n    return {value}" for signature, value, doc in functions)
    exec(compile(text, f"{space['__file__']}:answers", "exec"), space)
    return [space[signature.partition("(")[0]] for signature, _, _ in functions]
