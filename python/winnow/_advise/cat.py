"""Growing a tensor by cat: everything there is so far is copied each time."""
import weakref

import winnow as torch

from .watch import Case, best, ms

MANY = 8
MOST_STEPS = 300


class Kind:
    NAMES = {"cat", "concat", "concatenate", "hstack", "vstack", "row_stack"}

    def __init__(self):
        self.lines = {}  # where: [the last result, steps of growth, bytes copied, the last piece's shape, dtype, dim, runs]

    def call(self, c):
        pieces = c.args[0] if c.args else c.kwargs.get("tensors", ())
        if not c.direct or not isinstance(c.result, torch.Tensor) or not isinstance(pieces, (tuple, list)) or len(pieces) < 2:
            return
        line = self.lines.setdefault(c.where, {"last": None, "steps": 0, "bytes": 0})
        last = line["last"] and line["last"]()
        if last is not None and any(p is last for p in pieces):
            new = next(p for p in pieces if p is not last)
            dim = c.args[1] if len(c.args) > 1 else c.kwargs.get("dim", 0)
            line["steps"] += 1
            line["bytes"] += last.numel() * last.element_size()
            line["piece"] = tuple(new.shape), new.dtype, dim if c.name in ("cat", "concat", "concatenate") else 0
        line["last"] = weakref.ref(c.result)

    def cases(self):
        for where, line in self.lines.items():
            if line["steps"] >= MANY:
                yield Case(where, lambda line=line: _measure(**{k: line[k] for k in ("steps", "bytes", "piece")}))


def _measure(steps, bytes, piece):
    shape, dtype, dim = piece
    new, few = torch.ones(shape, dtype=dtype), min(steps, MOST_STEPS)

    def grow():
        out = new
        for _ in range(few):
            out = torch.cat([out, new], dim)
        return out

    pieces = [new] * few
    grown, once = best(grow, most=5) * steps / few, best(lambda: torch.cat(pieces, dim), most=5) * steps / few  # the copies grow with the square: a lower bound
    return (grown - once, f"the tensor grows by cat, {steps:,} times, and is copied each time ({bytes / 1e6:,.1f} MB in all): {ms(grown)}; "
                          f"the pieces in a list and one cat after the loop take {ms(once)}.")
