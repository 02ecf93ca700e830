"""Copies that only put a tensor in another layout: of the same contents again and again, or for a product that reads any layout."""
import weakref

import winnow as torch

from .watch import Case, Origins, best, ms

LEAST = 4096
PRODUCTS = {"matmul", "mm", "bmm", "__matmul__", "linear", "addmm", "einsum", "mv", "baddbmm"}


class Kind:
    NAMES = PRODUCTS | {"contiguous", "reshape", "flatten", "clone"}

    def __init__(self):
        self.copied = Origins()
        self.lines = {}

    def call(self, c):
        if c.name in PRODUCTS:
            for a in c.args:
                for part in a if isinstance(a, (tuple, list)) else (a,):
                    where = isinstance(part, torch.Tensor) and self.copied.get(part)
                    if where:
                        self.lines[where]["products"] += 1
            return
        x = c.args[0] if c.args else None
        if not c.direct or not isinstance(x, torch.Tensor) or x.numel() < LEAST or not isinstance(c.result, torch.Tensor):
            return
        if c.name == "clone" or x.is_contiguous() or c.result._base is not None or c.result is x:
            return
        line = self.lines.setdefault(c.where, {"n": 0, "again": 0, "products": 0, "shape": tuple(x.shape), "strides": tuple(x.stride()), "dtype": x.dtype, "of": None})
        source = x if x._base is None else x._base
        state = (id(source), source._changes, x.storage_offset())
        seen = line["of"]
        line["again"] += bool(seen and seen[0]() is source and seen[1] == state)
        line["of"] = (weakref.ref(source), state)
        line["n"] += 1
        if c.name == "contiguous":
            self.copied.set(c.result, c.where)

    def cases(self):
        for where, line in self.lines.items():
            if line["again"] >= 3 or line["products"] >= 3:
                yield Case(where, lambda line=line: _measure(line))


def _measure(line):
    size = 1 + sum((n - 1) * abs(s) for n, s in zip(line["shape"], line["strides"]))
    x = torch.ones(size, dtype=line["dtype"]).as_strided(line["shape"], line["strides"])
    each = best(x.contiguous if x.dim() < 2 else lambda: x.contiguous())
    what = f"{line['n']:,} copies of {x.numel():,} elements into another layout, {ms(each)} each, {ms(each * line['n'])} in all"
    if line["again"] >= 3:
        return each * line["again"], f"{what}; {line['again']:,} of them of a tensor that had not changed: one copy before the loop takes {ms(each)}."
    if x.dim() == 2:
        other = torch.ones(x.shape[1], min(x.shape[0], 256), dtype=x.dtype)
        copied, direct = best(lambda: x.contiguous() @ other), best(lambda: x @ other)
    else:
        copied, direct = each, 0.0
    gain = (copied - direct) * line["products"]
    return gain, f"{what}; products read transposed operands as they are: without contiguous() a product with it takes {ms(direct)} instead of {ms(copied)}."
