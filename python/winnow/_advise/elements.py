"""One element after the other: x[i] with numbers only, x[i] = v, `for v in x`."""
import winnow as torch

from .watch import Case, best, ms

MANY = 300


def _numbers(index):
    return isinstance(index, int) or (isinstance(index, tuple) and all(isinstance(i, int) for i in index))


class Kind:
    NAMES = {"__getitem__", "__setitem__", "__iter__"}

    def __init__(self):
        self.lines = {}  # where: [how often, name, shape, dtype, index]

    def call(self, c):
        if not c.direct:
            return
        x = c.args[0]
        if c.name == "__iter__":
            if x.dim() != 1:
                return
            n, index = x.shape[0], None
        else:
            index = c.args[1]
            if not _numbers(index) or (1 if isinstance(index, int) else len(index)) != x.dim():
                return
            n = 1
        line = self.lines.setdefault(c.where, [0, c.name, tuple(x.shape), x.dtype, index])
        line[0] += n

    def cases(self):
        for where, (n, name, shape, dtype, index) in self.lines.items():
            if n >= MANY:
                yield Case(where, lambda n=n, name=name, shape=shape, dtype=dtype, index=index: _measure(n, name, shape, dtype, index))


def _measure(n, name, shape, dtype, index):
    x = torch.ones(shape, dtype=dtype)
    passes = max(1.0, n / max(1, x.numel()))
    if name == "__setitem__":
        values = [1.0] * x.numel()

        def one():
            for _ in range(200):
                x[index] = 1

        each, whole = best(one) / 200, passes * best(lambda: torch.tensor(values, dtype=dtype).reshape(shape))
        better = f"the values in a list and one torch.tensor of it take {ms(whole)}, one operation on the whole tensor less"
        what = f"{n:,} elements are set one by one"
    else:
        def one():
            if index is None:
                for v in x[:200]:
                    pass
            else:
                for _ in range(200):
                    x[index]

        each = best(one) / (200 if index is not None else min(200, x.numel()))
        whole, listed = passes * best(lambda: x != x), passes * best(lambda: len(x.tolist()))
        better = f"one operation on the whole tensor takes {ms(whole)}, x.tolist() before the loop {ms(listed)}"
        what = f"{n:,} elements are read one by one"
    return n * each - whole, f"{what}, {ms(each)} each, {ms(n * each)} in all; {better}."
