"""Rows as Python declarations: the overloads of a function, from what the extension module says of its table (_C._signatures).
SPDX-License-Identifier: Apache-2.0
"""
import keyword
import re

TORCH, TENSOR, NN, LINALG, SPECIAL, OURS = 1, 2, 4, 8, 16, 256  # winnow.h's places; OURS: what only our own Python code calls

# The types of winnow.h's signatures. _int and its like are the builtins: torch.int is a dtype, Tensor.int a method.
_WORDS = {"Tensor": "Tensor", "int": "_int", "float": "_float", "bool": "_bool", "str": "_str", "Scalar": "Number",
          "ScalarType": "_dtype", "Generator": "Generator"}
CREATES = "layout: _layout | None = None, device: Device = None, pin_memory: _bool = False, requires_grad: _bool = False"


def annotation(type_, number=False):
    """The annotation of a parameter: "int[2]?" is _int | Sequence[_int] | None."""
    plain = re.sub(r"\([a-z]!?\)", "", type_)
    optional = plain.endswith("?")
    word, hole, many, size = re.fullmatch(r"(\w+)(\?)?(\[(\d*)\])?", plain.rstrip("?") if optional else plain).groups()
    text = _WORDS[word] + (" | Number" if number else "")
    if many and word == "Tensor":
        text = f"Sequence[{text}{' | None' if hole else ''}]"
    elif many:
        text = f"{text} | Sequence[{text}]" if size else f"Sequence[{text}]"
    return text + (" | None" if optional else "")


def parameter_types(overloads):
    """{parameter: annotation} of those parameters that have one type in all overloads."""
    found = {}
    for _, parameters, _, _ in overloads:
        for name, type_, _, _, number in parameters:
            found.setdefault(name, set()).add(annotation(type_, number))
    return {name: types.pop() for name, types in found.items() if len(types) == 1}


class Results:
    """Named tuples of several results, each declared once, in _C.pyi."""

    def __init__(self):
        self.classes = {}

    def annotation(self, row):
        """What a row returns."""
        returned = re.sub(r"\([a-z]!?\)", "", row.rpartition(" -> ")[2])
        if returned[0] != "(":
            return "tuple[Tensor, ...]" if returned.endswith("[]") else "Tensor"
        fields = [field.split()[1] for field in returned[1:-1].split(", ") if field]
        if not fields:
            return "None"
        name = "_" + "".join(f[0].upper() + f[1:] for f in fields)
        self.classes[name] = fields
        return name

    def declarations(self):
        for name, fields in sorted(self.classes.items()):
            yield f"class {name}(NamedTuple):"
            yield from (f"    {f}: Tensor" for f in fields)
            yield ""


def literal(value):
    return value if re.fullmatch(r"None|True|False|-?[0-9.]+(e-?[0-9]+)?|\"[^\"]*\"|'[^']*'", value) else "..."


def _parameter(name, type_, default, number):
    name += "_" if keyword.iskeyword(name) else ""
    return f"{name}: {annotation(type_, number)}" + (f" = {literal(default)}" if default is not None else "")


def _out(row, returns):
    """out=, where the results are no views and as many as the row says."""
    if "-> Tensor(a)" in row or returns == "None" or returns[:5] == "tuple":
        return None
    return "out: Tensor | None = None" if returns == "Tensor" else "out: Sequence[Tensor] | None = None"


def declarations(name, in_place, overloads, place, results, inplace_argument=False):
    """The lines "def name(...) -> ...: ..." of one function, without @overload. With inplace_argument: torch.nn.functional's
    last positional argument."""
    found = []
    for row, parameters, creates, loose in overloads:
        returns = results.annotation(row)
        given = [("self" if place == TENSOR and i == 0 else _parameter(n, t, d, number and not (in_place and i == 0)), only)
                 for i, (n, t, d, only, number) in enumerate(parameters)]
        positional = [text for text, only in given if not only] + (["inplace: _bool = False"] if inplace_argument else [])
        named = [text for text, only in given if only]
        out = None if place == TENSOR or in_place or inplace_argument else _out(row, returns)
        named += ([out] if out else []) + ([CREATES] if creates and place != TENSOR else [])
        if in_place and returns == "Tensor":
            returns = "Self" if place == TENSOR else "Tensor"
        found.append((positional, named, returns))
        if loose:  # x.view(2, 3) as well as x.view((2, 3))
            first = 1 if place == TENSOR else 0
            found.append((positional[:first], [f"*{positional[first].split(':')[0]}: _int"] + named, returns))
    lines = []
    for positional, named, returns in found:
        star = ["*"] if named and named[0][0] != "*" else []
        line = f"def {name}({', '.join(positional + star + named)}) -> {returns}: ..."
        if line not in lines:
            lines.append(line)
    return lines


def overloaded(lines, indent=""):
    """The lines with @overload where there are several."""
    for line in lines:
        if len(lines) > 1:
            yield indent + "@overload"
        yield indent + line
