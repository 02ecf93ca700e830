"""item() and its like in a loop, on what was computed from one row (or element) of a tensor at a time: the rows could be done in one operation."""
import winnow as torch

from .watch import Case, Origins, best, ms

MANY = 100
REDUCTIONS = {"sum", "mean", "max", "min", "amax", "amin", "norm", "prod", "any", "all", "argmax", "argmin", "std", "var", "logsumexp"}
CHAIN = {"abs", "exp", "log", "tanh", "sigmoid", "relu", "square", "sqrt", "neg", "mul", "add", "sub", "div", "pow", "sin", "cos", "clamp", "gt", "lt", "ge", "le", "eq", "ne",
         "float", "double", "long"}
ENDS = {"item", "__float__", "__int__", "__bool__", "__index__"}


class Kind:
    NAMES = REDUCTIONS | CHAIN | ENDS | {"__getitem__"}

    def __init__(self):
        self.origins = Origins()  # of a row, and of what was made of it: (shape, dtype, the calls)
        self.lines = {}

    def call(self, c):
        x = c.args[0] if c.args else None
        if not isinstance(x, torch.Tensor):
            return
        if c.name == "__getitem__":
            if isinstance(c.args[1], int) and x.dim() > 1:
                self.origins.set(c.result, (tuple(x.shape), x.dtype, ()))
            return
        origin = self.origins.get(x)
        if origin is None:
            return
        if c.name in ENDS:
            if c.direct and origin[2]:
                line = self.lines.setdefault(c.where, [0, origin])
                line[0] += 1
            return
        others = c.args[1:] + tuple(c.kwargs.values())
        if isinstance(c.result, torch.Tensor) and not any(isinstance(a, torch.Tensor) for a in others):
            if c.name in REDUCTIONS and (c.result.dim() or others):
                return
            self.origins.set(c.result, (origin[0], origin[1], origin[2] + ((c.func, c.name, c.args[1:], c.kwargs),)))

    def cases(self):
        for where, (n, origin) in self.lines.items():
            if n >= MANY and origin[2][-1][1] in REDUCTIONS or (n >= MANY and any(name in REDUCTIONS for _, name, _, _ in origin[2])):
                yield Case(where, lambda n=n, origin=origin: _measure(n, *origin))


def _run(x, chain, rows):
    for func, name, args, kwargs in chain:
        if name in REDUCTIONS and rows:
            x = x.flatten(1)
            x = func(x, dim=1)
            x = x[0] if isinstance(x, tuple) else x
        else:
            x = func(x, *args, **kwargs)
    return x


def _measure(n, shape, dtype, chain):
    x = torch.ones(shape, dtype=dtype)
    few = min(shape[0], 50)

    def loop():
        for i in range(few):
            _run(x[i], chain, False).item()

    each = best(loop) / few
    passes = max(1.0, n / shape[0])
    whole = passes * best(lambda: len(_run(x, chain, True).tolist()))
    names = ", ".join(name for _, name, _, _ in chain)
    return (n * each - whole, f"{n:,} numbers are taken out with item() one by one, each computed ({names}) from one row: {ms(each)} each, {ms(n * each)} in all; "
                              f"the same for all rows at once (dim=) and one tolist() takes {ms(whole)}.")
