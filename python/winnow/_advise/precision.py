"""float64 that nobody asked for: arrays and lists of NumPy's default dtype turn what they meet into double precision."""
import winnow as torch

from .watch import Case, Origins, best, ms

LEAST = 1024
HEAVY = {"matmul", "mm", "bmm", "__matmul__", "linear", "addmm", "conv1d", "conv2d", "conv3d", "exp", "log", "tanh", "sigmoid", "softmax", "log_softmax", "sin", "cos", "sqrt", "pow", "mul", "add",
         "sub", "div", "sum", "mean", "einsum", "relu", "gelu", "square", "var", "std", "where", "norm", "cdist", "layer_norm"}


class Kind:
    NAMES = HEAVY | {"from_numpy", "as_tensor", "tensor"}

    def __init__(self):
        self.born = Origins()  # float64 by accident: where
        self.lines = {}        # where it was born: {(func, shapes): how often}

    def call(self, c):
        r = c.result
        if not isinstance(r, torch.Tensor) or r.dtype is not torch.float64 or torch.get_default_dtype() is torch.float64:
            return
        if c.name in ("from_numpy", "as_tensor", "tensor"):
            if c.direct and not c.kwargs.get("dtype") and len(c.args) == 1 and not isinstance(c.args[0], torch.Tensor):
                self.born.set(r, c.where)
            return
        tensors = [a for a in c.args if isinstance(a, torch.Tensor)]
        wheres = [w for w in map(self.born.get, tensors) if w]
        if not wheres:
            return
        self.born.set(r, wheres[0])
        others = c.args[len(tensors):]
        if max(t.numel() for t in tensors) < LEAST or any(isinstance(a, (list, tuple)) for a in c.args):
            return
        used = self.lines.setdefault(wheres[0], {})
        key = (c.name, tuple((tuple(t.shape), t.is_floating_point()) for t in tensors))
        entry = used.setdefault(key, [0, c.func, tensors and len(tensors), others, c.kwargs])
        entry[0] += 1

    def cases(self):
        for where, used in self.lines.items():
            yield Case(where, lambda used=used: _measure(used))


def _measure(used):
    double = single = 0.0
    calls = 0
    for (name, shapes), (n, func, _, others, kwargs) in sorted(used.items(), key=lambda u: -u[1][0])[:12]:
        if not all(floating for _, floating in shapes):
            continue
        x64 = [torch.rand(shape, dtype=torch.float64) + 0.5 for shape, _ in shapes]
        x32 = [x.float() for x in x64]
        for x in x64 + x32:
            x.sum().item()
        double += n * best(lambda: func(*x64, *others, **kwargs))
        single += n * best(lambda: func(*x32, *others, **kwargs))
        calls += n
    return (double - single, f"float64 (NumPy's default) comes from here and into {calls:,} operations: {ms(double)}, and {ms(single)} in float32; "
                             f"if single precision is enough, say dtype=torch.float32 (or .float()) here.")
