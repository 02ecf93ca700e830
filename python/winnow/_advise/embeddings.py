"""Embedding tables of which a step reads a few rows: their gradient, and the optimiser's step, go through all of them."""
import winnow as torch

from .watch import Case, best, ms

MANY, FEW = 3, 0.05  # steps; the share of the rows that a step reads at most


class Kind:
    NAMES = {"embedding", "backward"}

    def __init__(self):
        self.lines = {}

    def call(self, c):
        if c.name == "backward":
            for line in self.lines.values():
                line["graded"] |= line["table"].grad is not None
            return
        tensors = [a for a in (*c.args, *c.kwargs.values()) if isinstance(a, torch.Tensor)]
        table = next((t for t in tensors if t.requires_grad and t.dim() == 2), None)
        ids = next((t for t in tensors if not t.is_floating_point()), None)
        if table is None or ids is None or not torch.is_grad_enabled() or ids.numel() > FEW * table.shape[0]:
            return
        line = self.lines.setdefault(c.where, {"n": 0, "shape": tuple(table.shape), "dtype": table.dtype, "ids": ids.numel(), "table": table, "graded": False})
        line["n"] += 1

    def cases(self):
        for where, line in self.lines.items():
            if line["n"] >= MANY and line["graded"]:
                yield Case(where, lambda line=line: _measure(**line))


def _measure(n, shape, dtype, ids, table, graded):
    w = torch.zeros(shape, dtype=dtype, requires_grad=True)
    index = torch.randint(0, shape[0], (ids,))
    target = torch.ones(ids, shape[1], dtype=dtype)

    def dense():
        with torch.enable_grad():
            w.grad = None
            (torch.nn.functional.embedding(index, w) * target).sum().backward()
        w.sub_(w.grad, alpha=0.1)
        return w

    def rows():
        used, places = index.unique(return_inverse=True)
        part = w.detach()[used].requires_grad_()
        with torch.enable_grad():
            (torch.nn.functional.embedding(places, part) * target).sum().backward()
        return w.detach().index_add_(0, used, part.grad, alpha=-0.1)

    whole, some = best(dense, 0.1, 20), best(rows, 0.1, 20)
    return (n * (whole - some), f"a step reads {ids:,} of the table's {shape[0]:,} rows, but its gradient is dense: backward and a plain SGD step take {ms(whole)}, {n:,} times; "
                                f"with the rows themselves as a leaf (part = table.detach()[ids.unique()].requires_grad_()), written back by index_add_, {ms(some)}.")
