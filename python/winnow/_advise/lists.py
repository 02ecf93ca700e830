"""Tensors made from Python lists in a loop."""
import winnow as torch

from .watch import Case, best, ms

MANY = 50
KEPT = 200_000  # numbers of a list that is kept to be measured


def _size(data):
    return sum(_size(d) for d in data) if isinstance(data, (list, tuple)) and data and isinstance(data[0], (list, tuple)) else len(data) if isinstance(data, (list, tuple)) else 1


def _key(data):
    return hash(str(data)) if _size(data) <= 256 else (id(data), _size(data))


class Kind:
    NAMES = {"tensor", "as_tensor"}

    def __init__(self):
        self.lines = {}

    def call(self, c):
        data = c.args[0] if c.args else None
        if not c.direct or not isinstance(data, (list, tuple)) or not data:
            return
        line = self.lines.setdefault(c.where, {"n": 0, "seconds": 0.0, "keys": set(), "data": None, "size": 0})
        line["n"] += 1
        line["seconds"] += c.seconds
        if len(line["keys"]) < 3:
            line["keys"].add(_key(data))
        if line["data"] is None and _size(data) <= KEPT and isinstance(_first(data), (int, float)):
            line["data"], line["size"] = _copied(data), _size(data)

    def cases(self):
        for where, line in self.lines.items():
            if line["n"] >= MANY and line["data"] is not None or (len(line["keys"]) == 1 and line["n"] >= 3 and line["data"] is not None):
                yield Case(where, lambda line=line: _measure(**line))


def _first(data):
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    return data


def _copied(data):
    return [_copied(d) for d in data] if isinstance(data, (list, tuple)) else data


def _measure(n, seconds, keys, data, size):
    each = best(lambda: torch.tensor(data))
    what = f"a tensor is made from a list of {size:,} numbers {n:,} times, {ms(each)} each, {ms(each * n)} in all"
    if len(keys) == 1:
        return each * (n - 1), f"{what}, always the same one: made once before the loop it takes {ms(each)}."
    few = min(n, max(1, KEPT // size), 1000)
    rows = [data] * few
    made = torch.tensor(rows)
    whole = best(lambda: torch.tensor(rows), most=5) * n / few + n * best(lambda: made[0])
    return each * n - whole, f"{what}; one tensor of all the lists, whose rows the loop takes, is made in {ms(whole)}."
