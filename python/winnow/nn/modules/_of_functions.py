"""Modules that keep arguments and call a function of nn.functional with them: one line of a table each."""
import re

from .. import functional as F
from .module import Module

_NAME = re.compile(r"(?<![\w.])([A-Za-z_]\w*)(?!\w|=(?!=))")


def _arguments(signature):
    """The names in "a, b=1, *, c=2"."""
    return [a.partition("=")[0].strip() for a in signature.split(",") if a.strip() not in ("", "*")]


def _forward(call, kept):
    """The source of forward: in the call, what is kept is the module's, other names are arguments; "name=None" is an optional one."""
    function, _, rest = call.partition("(")
    optional = re.findall(r"(\w+)=None", rest)
    rest = rest.replace("=None", "")
    owner = function.split(".")[:-1]
    given = [n + "=None" * (n in optional) for n in dict.fromkeys(owner + _NAME.findall(rest)) if n not in kept and n != "float"]
    text = _NAME.sub(lambda m: f"self.{m[1]}" if m[1] in kept else m[1], rest)
    return f"    def forward(self, {', '.join(given)}):\n        return {'' if owner else 'F.'}{function}({text}\n"


def _init(base, signature, values):
    """The source of __init__: the base takes what it knows, the rest is kept, as it is or as the value for it says."""
    code = base.__init__.__code__
    known = [n for n in code.co_varnames[1:code.co_argcount + code.co_kwonlyargcount] if base is not Module]
    names = _arguments(signature)
    passed = ", ".join(f"{n}={n}" for n in names if n in known)
    kept = [n for n in names if n not in known]
    lines = [f"def __init__(self, {signature}):", f"    super().__init__({passed})", *(f"    self.{n} = {values.get(n, n)}" for n in kept)]
    return "".join(f"    {line}\n" for line in lines), kept


def _shown(names, text):
    """The source of extra_repr: the text with attributes in braces, or every argument, inplace only where it is true."""
    if text is None:
        text = ", ".join("%s={%s%s}" % (n, n, "!r" * (n == "approximate")) for n in names if n != "inplace")
        if "inplace" in names:
            text += "{', inplace=True' if inplace else ''}" if text else "{'inplace=True' if inplace else ''}"
    text = re.sub(r"(\{|if )(?=\w)", r"\1self.", text)
    return f"    def extra_repr(self):\n        return f\"{text}\"\n"


def define(space, rows):
    """Puts classes into the namespace of a file. rows: (name, base or None for Module, arguments of __init__ or None for those of the base,
    call in forward (of F's function, or of an argument's method) or None for a base of others, docstring and, where they are needed, what repr() shows, with attributes in braces, and
    {argument: what is kept for it}). A name in the call is an attribute where it is an argument of __init__, a constant of the base or in
    its _also_kept. Modules without another base show their arguments."""
    scope = {**space, "F": F, "Module": Module}
    for name, base, signature, call, doc, *more in rows:
        shown, values = [*more, *(None, {})[len(more):]]
        base = scope.get(base) or space[base] if base else Module
        scope[base.__name__] = base
        constants = list(getattr(base, "__constants__", ()))
        text = f"class {name}({base.__name__}):\n    {doc!r}\n    __module__ = {space['__name__']!r}\n"
        if signature is not None:
            init, kept = _init(base, signature, values)
            constants += [n for n in kept if n not in constants]
            text += f"    __constants__ = {constants!r}\n{init}" + (_shown(kept, shown) if base is Module else "")
        text += "" if call is None else _forward(call, {*constants, "training", *getattr(base, "_also_kept", ())})
        exec(compile(text, f"{space['__file__']}:{name}", "exec"), scope)
        space[name] = scope[name]
