"""f(x) * m with m of zeros and ones: everything is computed and most of it multiplied by 0. where(m, f(x), 0) computes f where m says so."""
import winnow as torch

from .watch import Case, Origins, best, ms

LEAST = 8192
FUNCTIONS = {"abs", "exp", "exp2", "expm1", "log", "log2", "log1p", "log10", "tanh", "sigmoid", "relu", "gelu", "silu", "softplus", "square", "sqrt", "rsqrt", "neg", "pow", "sin", "cos",
             "tan", "atan", "erf", "erfc", "lgamma", "digamma", "mul", "add", "sub", "div", "clamp", "logit", "elu", "mish", "sinh", "cosh", "asinh"}
COMPARISONS = {"gt", "lt", "ge", "le", "eq", "ne", "logical_and", "logical_or", "logical_not", "isnan", "isfinite", "__and__", "__or__", "__invert__", "bitwise_and", "bitwise_or",
               "bitwise_not"}
CASTS = {"float", "double", "to", "type", "type_as", "half", "bfloat16", "int", "long"}


class Kind:
    NAMES = FUNCTIONS | CASTS | {"__rmul__"}

    def __init__(self):
        self.made, self.masks = Origins(), Origins()  # the calls behind a tensor; tensors that are a mask in numbers
        self.lines = {}

    def _is_mask(self, x):
        return isinstance(x, torch.Tensor) and (x.dtype is torch.bool or self.masks.get(x) is not None)

    def call(self, c):
        x = c.args[0] if c.args else None
        if not isinstance(x, torch.Tensor) or not isinstance(c.result, torch.Tensor):
            return
        if c.name in CASTS:
            if x.dtype is torch.bool and c.result.dtype is not torch.bool:
                self.masks.set(c.result, True)
            return
        if c.name in ("mul", "__rmul__") and c.direct and len(c.args) == 2 and c.result.numel() >= LEAST:
            other = c.args[1]
            if self._is_mask(other) != self._is_mask(x):
                self._product(c, *((x, other) if self._is_mask(other) else (other, x)))
                return
        others = c.args[1:] + tuple(c.kwargs.values())
        if c.name in FUNCTIONS and x.numel() >= LEAST and not any(isinstance(a, torch.Tensor) for a in others):
            chain = self.made.get(x) or ()
            if len(chain) < 8:
                self.made.set(c.result, chain + ((c.func, c.args[1:], c.kwargs),))

    def _product(self, c, x, mask):
        chain = self.made.get(x) if isinstance(x, torch.Tensor) else None
        if chain is None or mask.shape != c.result.shape or not x.is_floating_point():
            return
        line = self.lines.setdefault(c.where, {"n": 0, "chain": chain, "shape": tuple(x.shape), "dtype": x.dtype})
        line["n"] += 1
        if line["n"] == 1:  # reading the mask makes it run: once is enough
            line["density"] = float(torch.Tensor.mean(mask.detach().float()))

    def cases(self):
        for where, line in self.lines.items():
            yield Case(where, lambda line=line: _measure(**line))


def _run(x, chain):
    for func, args, kwargs in chain:
        x = func(x, *args, **kwargs)
    return x


def _measure(n, chain, shape, dtype, density):
    x = torch.rand(shape, dtype=torch.float32).to(dtype) + 0.5
    mask = torch.rand(shape) < density
    numbers = mask.to(dtype)
    torch.Tensor.sum(x).item(), torch.Tensor.sum(numbers).item()
    product = best(lambda: (_run(x, chain) * numbers).sum())
    where = best(lambda: torch.where(mask, _run(x, chain), 0).sum())
    names = ", ".join(func.__name__ for func, _, _ in chain)
    return (n * (product - where), f"{names} of {x.numel():,} elements times a mask of which {100 * density:.3g}% is true, {n:,} times {ms(product)}; "
                                   f"torch.where(mask, ..., 0), which computes only those, takes {ms(where)}.")
