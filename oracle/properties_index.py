"""Random cases of views, indexing, scatters, pads and splits, run on torch and on a module.

    python oracle/properties_index.py --wn winnow --path python --examples 10000 --seed 1

A case is a few statements of Python over tensors a, b, c ... made from the same NumPy arrays, run with `t` as torch and
as the module. What r is then (shape, dtype, values; of views also the strides that matter and the offset), what became of
the arguments, and the class of an error must be the same. Elements are small integers, so that sums are exact in every dtype.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile
import warnings

import numpy as np

FAILED = 3                      # exit status of a child that found something
FLOATS = ("float32", "float64", "float16")
DTYPES = FLOATS + ("int64", "int32", "int16", "uint8", "int8", "bool")


class Case:
    """Statements, and the arrays that they begin with."""

    def __init__(self):
        self.arrays, self.lines = {}, []
        self.view = False       # strides and offsets count
        self.rough = False      # rounding is allowed
        self.lax = False        # of an index that is none torch says now IndexError, now RuntimeError, and nothing where there is nothing to do

    def tensor(self, name, array):
        self.arrays[name] = array
        return name

    def do(self, line):
        self.lines.append(line)

    def listing(self):
        made = [f"{n} = t.from_numpy(np.array({x.tolist()!r}, '{x.dtype}').reshape({x.shape}))" for n, x in self.arrays.items()]
        return "\n".join(made + self.lines)

    def run(self, lib):
        """(the error's class or None, what r and the arguments are in the end)"""
        names = {n: lib.from_numpy(x.copy()) for n, x in self.arrays.items()}
        names.update(t=lib, np=np)
        error = None
        try:
            exec("\n".join(self.lines), names)  # statements of our own making
        except Exception as e:
            error = next(k for k in type(e).__mro__ if k.__module__ == "builtins").__name__
        r = names.get("r")
        seen = [seen_of(x, self.view) for x in (r if isinstance(r, (tuple, list)) else [r])]
        return error, seen, [seen_of(names[n], False) for n in self.arrays]


def seen_of(x, geometry):
    if x is None or not hasattr(x, "shape"):
        return x
    x = x.detach()
    steps = tuple(step for step, n in zip(x.stride(), x.shape) if n > 1) if geometry and x.numel() else ()
    how = (steps, x.storage_offset()) if steps else ()
    return (str(x.dtype).rpartition(".")[2], tuple(x.shape), how, x.numpy())


def same(x, y, rough):
    if not isinstance(x, tuple) or not isinstance(y, tuple):
        return x == y
    if x[:3] != y[:3]:
        return False
    if rough and x[3].dtype.kind == "f":
        slack = {"float16": 4e-3, "float32": 2e-5, "float64": 1e-9}[x[0]]
        return bool(np.allclose(x[3].astype("float64"), y[3].astype("float64"), rtol=slack, atol=slack, equal_nan=True))
    return bool(np.array_equal(x[3], y[3], equal_nan=x[3].dtype.kind == "f"))


def difference(case, torch, module):
    expected, actual = case.run(torch), case.run(module)
    lax = {"IndexError", "RuntimeError"} | ({None} if any(x.size == 0 for x in case.arrays.values()) else set()) if case.lax else set()
    if expected[0] != actual[0] and not {expected[0], actual[0]} <= lax:
        return f"torch: {expected[0] or 'no error'}, module: {actual[0] or 'no error'}"
    if expected[0] is None and actual[0] is None:
        if len(expected[1]) != len(actual[1]):
            return f"{len(expected[1])} results / {len(actual[1])}"
        for x, y in zip(expected[1], actual[1]):
            if not same(x, y, case.rough):
                return f"result\n{x}\n{y}"
    for x, y in zip(expected[2], actual[2]):
        if expected[0] is None and actual[0] is None and not same(x, y, case.rough):
            return f"an argument became\n{x}\n{y}"
    return None


# ------------------------------------------------------------------ drawing

class Draw:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.bad = False

    def __getattr__(self, name):
        return getattr(self.rng, name)

    def maybe(self, p=0.5):
        return self.rng.random() < p

    def shape(self, least=0, most=4, size=5):
        return tuple(0 if self.maybe(0.04) else self.randint(1, size) for _ in range(self.randint(least, most)))

    def values(self, shape, dtype, low=-4, high=4):
        n = int(np.prod(shape))
        if dtype == "bool":
            flat = [self.maybe() for _ in range(n)]
        else:
            low = max(low, 0) if dtype == "uint8" else low
            flat = [self.randint(low, high) for _ in range(n)]
        return np.array(flat, dtype).reshape(shape)

    def dtype(self):
        return self.choice(DTYPES)

    def index(self, shape, n, negative=False, bad=0.02):
        """Positions below n; negative ones where they count from the end; now and then one that is none."""
        low = -n if negative else 0
        if n == 0 and shape:
            shape = (0, *shape[1:])
        flat = [self.randint(low, n - 1) if n else 0 for _ in range(int(np.prod(shape)))]
        if flat and self.maybe(bad):
            self.bad = True
            flat[self.randrange(len(flat))] = self.choice((n, n + 7, -n - 1))
        return np.array(flat, "int64").reshape(shape)

    def dim(self, n):
        d = self.randrange(max(n, 1))
        return d if self.maybe() else d - max(n, 1)

    def relayout(self, case, name, shape):
        """The same elements with other strides."""
        kind = self.randrange(5)
        if kind == 0 and len(shape) > 1:
            case.do(f"{name} = {name}.transpose(0, 1).contiguous().transpose(0, 1)")
        elif kind == 1 and shape:
            wide = (*shape[:-1], 2 * shape[-1] + 1)
            case.do(f"{name}_ = t.zeros({wide}, dtype={name}.dtype); {name}_[..., 1::2] = {name}; {name} = {name}_[..., 1::2]")

    def bound(self, n):
        return self.choice(("", str(self.randint(-n - 2, n + 2))))

    def slice(self, n):
        step = self.choice(("", "", ":1", ":2", ":3", ":0" if self.maybe(0.03) else ":4"))
        return f"{self.bound(n)}:{self.bound(n)}{step}"


# ------------------------------------------------------------------ views

def basic_index(d, shape):
    items, rest = [], list(shape)
    ellipsis = d.maybe(0.2)
    for n in rest[:d.randint(0, len(rest))]:
        if d.maybe(0.1):
            items.append("None")
        if ellipsis and d.maybe(0.3):
            items.append("...")
            ellipsis = False
        items.append(d.slice(n) if d.maybe(0.65) else str(d.randint(-n, n - 1) if n and not d.maybe(0.02) else n))
    if ellipsis:
        items.append("...")
    return ", ".join(items) if items else "..."


def a_view(d, x):
    """A view of numpy array x as an expression in v, and its shape unless that is for torch to say (None)."""
    n, shape = x.ndim, x.shape
    kinds = ["index"] * 6 + ["transpose", "permute", "unsqueeze", "squeeze", "expand", "diagonal", "unfold", "select", "narrow", "movedim", "t_", "unflatten"]
    kind = d.choice(kinds)
    if kind == "index":
        return f"v[{basic_index(d, shape)}]"
    if kind == "transpose":
        return f"v.transpose({d.dim(n)}, {d.dim(n)})"
    if kind == "permute":
        order = list(range(n))
        d.shuffle(order)
        return f"v.permute({tuple(order)})"
    if kind == "unsqueeze":
        return f"v.unsqueeze({d.randint(-n - 1, n)})" if n < 8 else "v"
    if kind == "squeeze":
        return f"v.squeeze({d.dim(n)})" if d.maybe() else "v.squeeze()"
    if kind == "expand":
        return f"v.expand({tuple(d.choice((-1, 3)) if s == 1 else s for s in shape)})" if n < 8 else "v"
    if kind == "diagonal" and n > 1:
        return f"v.diagonal({d.randint(-3, 3)}, {d.dim(n)}, {d.dim(n)})"
    if kind == "unfold" and n < 8:
        return f"v.unfold({d.dim(n)}, {d.randint(0, 3)}, {d.randint(1, 3)})"
    if kind == "select" and n:
        i = d.randrange(n)
        return f"v.select({i}, {d.randint(-shape[i] - 1, shape[i])})"
    if kind == "narrow" and n:
        i = d.randrange(n)
        return f"v.narrow({i}, {d.randint(-1, shape[i])}, {d.randint(0, max(shape[i], 1))})"
    if kind == "movedim":
        return f"v.movedim({d.dim(n)}, {d.dim(n)})"
    if kind == "t_":
        return d.choice(("v.mT", "v.t()", "t.adjoint(v)", "t.linalg.diagonal(v)", "t.ravel(v)", "t.atleast_3d(v)")) if n < 8 else "v"
    if kind == "unflatten" and n and n < 8:
        return f"v.unflatten({d.dim(n)}, ({d.choice((1, 2, -1))}, -1))" if d.maybe() else f"v.flatten({d.dim(n)}, {d.dim(n)})"
    return "v"


WRITES = ("v.fill_(7)", "v.zero_()", "v.add_(1)", "v.mul_(2)", "v.copy_(t.arange(v.numel()).reshape(v.shape))", "v.copy_(v.clone().flip(0) if v.dim() else v)")


def slices(d, torch):
    """A chain of views, and perhaps a write through the last one."""
    case = Case()
    case.view = True
    a = d.values(d.shape(0, 4, 6), d.choice(("float32", "int64")), -9, 9)
    case.tensor("a", a)
    case.do("r = v = a")
    names = {"v": torch.from_numpy(a.copy()), "t": torch}
    for _ in range(d.randint(1, 6)):
        line = a_view(d, names["v"].numpy())
        case.do(f"r = v = {line}")
        try:
            names["v"] = eval(line, names)
        except Exception:
            break
        if names["v"].numel() > 5000:
            break
    if d.maybe(0.5):  # what overlaps itself (windows) is refused; torch looks only for stride 0
        case.do(d.choice(WRITES[:2] if "unfold" in case.listing() else WRITES))
    return case


# ------------------------------------------------------------------ x[...] with tensors

def advanced(d, torch):
    case = Case()
    shape = d.shape(1, 4, 5)
    case.tensor("a", d.values(shape, d.dtype()))
    common = d.shape(0, 2, 3)
    items, at, names = [], 0, iter("bcdef")
    while at < len(shape) and d.maybe(0.8):
        n, kind = shape[at], d.randrange(6)
        if kind == 0:
            items.append(d.slice(n).replace(":0", ":1") if d.maybe() else ":")
        elif kind == 1:
            items.append(str(d.randint(-n, n - 1)) if n else "0")
        elif kind == 2 and at + 1 < len(shape):
            width = d.randint(1, 2)
            items.append(case.tensor(next(names), d.values(shape[at:at + width], "bool")))
            at += width - 1
        elif kind == 3:
            items.append("None")
            continue
        else:
            partner = tuple(1 if d.maybe(0.2) else s for s in common)[d.choice((0, 0, 0, 1)):]
            items.append(case.tensor(next(names), d.index(partner, n, True)))
        at += 1
    index = ", ".join(items) or "..."
    kind = d.randrange(4)
    if kind == 0:
        case.do(f"r = a[{index}]")
    elif kind == 1:
        case.do(f"a[{index}] = {d.choice(('3', '1.5', 'True', 't.tensor(2, dtype=a.dtype)'))}")
    elif kind == 2:
        case.do(f"r = a[{index}]; a[{index}] = t.arange(r.numel()).reshape(r.shape).to(a.dtype) if False else (r + r)")
    else:
        case.do(f"a[{index}] = a[{index}].clone()")
    return case


# ------------------------------------------------------------------ gathers, scatters

def gathers(d, torch):
    case = Case()
    shape, kind = d.shape(0, 3), d.randrange(6)
    n, dim = len(shape), 0
    dim = d.dim(n)
    at = dim % max(n, 1)
    case.tensor("a", d.values(shape, d.dtype()))
    d.relayout(case, "a", shape)
    size = shape[at] if n else 1
    if kind == 0:
        to = tuple(d.randint(0, 6) if i == at else d.randint(0 if d.maybe(0.05) else min(s, 1), s) for i, s in enumerate(shape))
        case.tensor("b", d.index(to, size))
        case.do(f"r = t.gather(a, {dim}, b)")
    elif kind == 1:
        case.tensor("b", d.index((d.randint(0, 6),) if n else (1,), size))
        case.do(f"r = a.index_select({dim}, b)")
    elif kind == 2:
        case.tensor("b", d.index(d.shape(0, 2), int(np.prod(shape)), True))
        case.do("r = a.take(b)")
    elif kind == 3:
        to = tuple(d.randint(1, 6) if i == at else d.choice((1, s)) for i, s in enumerate(shape))
        case.tensor("b", d.index(to if n else (), size, True, 0))
        case.do(f"r = t.take_along_dim(a, b, {dim})" if d.maybe(0.8) else "r = t.take_along_dim(a.contiguous(), b.contiguous() % max(a.numel(), 1))")
    elif kind == 4:
        case.tensor("b", d.values(shape, "bool"))
        case.do("r = a.masked_select(b)")
    else:
        case.do("r = t.argwhere(a)")
    return case


def scatters(d, torch):
    """In place or not, repeats included; of values that collide without reduction torch's last one wins on one thread."""
    case = Case()
    shape = d.shape(0, 3)
    n = len(shape)
    dim = d.dim(n)
    at, dtype = dim % max(n, 1), d.dtype()
    case.tensor("a", d.values(shape, dtype))
    d.relayout(case, "a", shape)
    size = shape[at] if n else 1
    to = tuple(d.randint(0, 6) if i == at else d.randint(min(s, 1), s) for i, s in enumerate(shape))
    src = tuple(s + (1 if d.maybe(0.2) else 0) for s in to)
    kind, mark = d.randrange(9), d.choice(("", "_"))
    wrong = d.choice(DTYPES) if d.maybe(0.03) else dtype
    small = (-2, 2)
    vector = d.randint(0, 6) if n else 1
    if int(np.prod(shape)) == 1:
        vector = 1              # torch's index_reduce takes such a matrix for a scalar
    rows = tuple(vector if i == at else s for i, s in enumerate(shape))
    fold = d.choice(("sum", "prod", "mean", "amin", "amax", "other" if d.maybe(0.1) else "amax"))
    if dtype == "bool" and fold == "mean":
        fold = "amax"           # there is no mean of bool; when torch says so differs
    if kind < 5:
        case.tensor("b", d.index(to, size))
        case.tensor("c", d.values(src, wrong, *small))
        if d.maybe(0.3):
            d.relayout(case, "c", src)
        line = (f"a.scatter{mark}({dim}, b, c)", f"a.scatter_add{mark}({dim}, b, c)", f"a.scatter{mark}({dim}, b, c, reduce='{d.choice(('add', 'multiply'))}')",
                f"a.scatter_reduce{mark}({dim}, b, c, '{fold}', include_self={d.maybe()})",
                f"a.scatter_reduce{mark}({dim}, b, c, '{fold}', include_self={d.maybe()})")[kind]
    elif kind < 8:
        if kind == 6 and (dtype == "bool" or (dtype == "float16" and fold == "prod")):  # of bool torch has some; float16 ends in an assertion
            case.arrays["a"] = case.arrays["a"].astype("uint8" if dtype == "bool" else "float32")
            wrong = str(case.arrays["a"].dtype)
        case.tensor("b", d.index((vector,), size, kind == 7))
        case.tensor("c", d.values(rows, wrong, *small))
        line = (f"a.index_add{mark}({dim}, b, c)" if d.maybe() else f"a.index_copy{mark}({dim}, b, c)", f"a.index_reduce{mark}({dim}, b, c, '{fold}', include_self={d.maybe()})",
                f"a.index_fill{mark}({dim}, b, 1)")[kind - 5]
    else:
        case.tensor("b", d.index((vector,), int(np.prod(shape)), True))
        case.tensor("c", d.values((vector,), wrong))
        line = f"a.put{mark}(b, c, accumulate={d.maybe()})"
    case.rough = fold == "mean" and "reduce" in line
    case.do("r = " + line)
    return case


# ------------------------------------------------------------------ arrangements

def arrangements(d, torch):
    """Pads, rolls, turns, repetitions, splits, joins."""
    case = Case()
    shape = d.shape(0, 4)
    n, dim = len(shape), d.dim(len(shape))
    case.tensor("a", d.values(shape, d.dtype()))
    d.relayout(case, "a", shape)
    pad = [d.randint(-2, 3) for _ in range(2 * d.randint(0, n + (1 if d.maybe(0.03) else 0)))]
    few = sorted(d.sample(range(n), d.randint(0, n))) if n else []
    shifts = [d.randint(-7, 7) for _ in few]
    other = tuple(d.randint(0, 4) if i == dim % max(n, 1) else s for i, s in enumerate(shape))
    lines = [
        f"t.constant_pad_nd(a, {pad}, 1)", f"a.roll({shifts}, {few})", f"a.roll({d.randint(-9, 9)})", f"a.rot90({d.randint(-5, 5)}, ({d.dim(n)}, {d.dim(n)}))",
        f"a.flip({few})", "a.fliplr()", "a.flipud()", f"a.repeat({[d.randint(0, 3) for _ in range(n + d.randint(0, 1))]})", f"a.tile({[d.randint(0, 3) for _ in range(d.randint(0, n + 1))]})",
        f"a.repeat_interleave({d.randint(-1 if d.maybe(0.05) else 0, 3)}, {d.choice((None, dim))})",
        f"a.repeat_interleave(t.arange(a.shape[{dim}]) % 3, {dim})", f"a.tensor_split({d.randint(0 if d.maybe(0.05) else 1, 5)}, {dim})",
        f"a.tensor_split({[d.randint(-6, 7) for _ in range(d.randint(0, 4))]}, {dim})", f"t.hsplit(a, {d.randint(1, 3)})", f"t.vsplit(a, {[d.randint(-3, 5)]})", f"t.dsplit(a, {d.randint(1, 3)})",
        f"a.split({d.randint(0 if d.maybe(0.05) else 1, 4)}, {dim})", f"a.chunk({d.randint(1, 5)}, {dim})", f"t.diag(a, {d.randint(-3, 3)})", f"t.diag_embed(a, {d.randint(-3, 3)})",
        f"t.diagflat(a, {d.randint(-2, 2)})", "a.float().trace()" if d.maybe() else "a.trace()", f"a.unfold({dim}, {d.randint(0, 3)}, {d.randint(1, 3)})", "t.argwhere(a)",
        f"t.triu_indices({d.randint(0, 5)}, {d.randint(0, 5)}, {d.randint(-6, 6)})", f"t.tril_indices({d.randint(0, 5)}, {d.randint(0, 5)}, {d.randint(-6, 6)})",
        f"t.select_scatter(a, a.select({dim}, 0) * 0, {dim}, {d.randint(-2, 2)})", f"t.slice_scatter(a, a[..., 1::2] * 0, -1, 1, None, 2)", "t.diagonal_scatter(a, a.diagonal() * 0)",
        f"a.narrow_copy({d.randrange(n) if n else 0}, 0, {d.randint(0, 2)})", "a.fill_diagonal_(3)", f"a.contiguous().fill_diagonal_(2, wrap={d.maybe()})",
    ]
    joins = ["t.cat", "t.stack", "t.hstack", "t.vstack", "t.dstack", "t.column_stack", "t.block_diag", "t.meshgrid", "t.cartesian_prod", "t.atleast_1d", "t.atleast_2d", "t.atleast_3d"]
    kind = d.randrange(len(lines) + 12)
    if kind < len(lines):
        case.do(f"r = {lines[kind]}")
        return case
    name = d.choice(joins)
    case.tensor("b", d.values(other if d.maybe(0.7) else shape, d.dtype()))
    star = "*" if name in ("t.block_diag", "t.cartesian_prod", "t.meshgrid") or "atleast" in name else ""
    tail = f", dim={dim if name == 't.stack' else 0}" if name in ("t.cat", "t.stack") else f", indexing='{d.choice(('xy', 'ij'))}'" if "mesh" in name else ""
    case.do(f"r = {name}({star}[{d.choice(('a, b', 'a, b, a', 'a', 'a.reshape(-1), b.reshape(-1)'))}]{tail})")
    return case


# ------------------------------------------------------------------ gradients

def gradients(d, torch):
    """Vector-Jacobian products; places do not repeat where only one of several writers is left."""
    case = Case()
    case.rough = True
    shape = tuple(d.randint(1, 4) for _ in range(d.randint(1, 3)))
    n = len(shape)
    dim = d.dim(n)
    at = dim % n
    size, numel = shape[at], int(np.prod(shape))
    case.tensor("a", d.values(shape, "float64", -2, 2))
    k = d.randint(1, 5)
    to = tuple(k if i == at else s for i, s in enumerate(shape))
    case.tensor("c", d.values(to, "float64", -2, 2))
    fold = d.choice(("sum", "prod", "mean", "amin", "amax"))
    own = True if fold in ("amin", "amax") else d.maybe()  # without self torch shares with a self that took no part
    places = d.sample(range(size), min(size, k))
    flat = d.sample(range(numel), min(numel, k))
    ops = [
        (d.index(to, size, bad=0), f"a.scatter_add({dim}, b, c)"), (d.index(to, size, bad=0), f"a.gather({dim}, b)"),
        (d.index(to, size, bad=0), f"a.scatter_reduce({dim}, b, c, '{fold}', include_self={own})"),
        (d.index((k,), size, bad=0), f"a.index_reduce({dim}, b, c, '{fold if fold != 'sum' else 'prod'}', include_self={own})"),
        (d.index((k,), size, bad=0), f"a.index_add({dim}, b, c)"), (d.index((k,), size, bad=0), f"a.index_select({dim}, b)"),
        (np.array(places, "int64"), f"a.index_copy({dim}, b, c.narrow({dim}, 0, {len(places)}))"), (d.index((k,), numel, True, 0), "a.take(b)"),
        (np.array(flat, "int64"), f"a.put(b, c.reshape(-1)[:{min(len(flat), int(np.prod(to)))}], False) if c.numel() >= {len(flat)} else a + c.sum()"),
        (d.index((int(np.prod(to)),), numel, True, 0), "a.put(b, c.reshape(-1), True)"), (d.index(to, size, True, 0), f"t.take_along_dim(a, b, {dim})"),
        (d.index((k,), size, True, 0), f"a[{', '.join([':'] * at + ['b'])}]"), (None, f"t.constant_pad_nd(a, {[d.randint(-1, 2) for _ in range(2 * n)]})"),
        (None, f"a.roll({d.randint(-5, 5)}, {dim})"), (None, f"a.unfold({dim}, {d.randint(1, size)}, {d.randint(1, 3)})"), (None, f"a.repeat({[d.randint(1, 3) for _ in shape]})"),
        (None, f"a.repeat_interleave({d.randint(1, 3)}, {dim})"), (None, f"a.rot90({d.randint(0, 3)}, (0, -1)) if a.dim() > 1 else a.flipud()"), (None, "t.diag_embed(a)"),
        (None, f"t.cat([x * (i + 1) for i, x in enumerate(a.tensor_split({d.randint(1, 4)}, {dim}))], {dim})"), (None, "t.block_diag(a.reshape(-1), c.reshape(1, -1))"),
        (None, "t.hstack([a, c]) if a.dim() < 2 else t.dstack([a, a])"), (None, f"t.slice_scatter(a, c[..., :1].sum() + a[..., ::2] * 2, -1, 0, None, 2)"),
        (None, f"t.segment_reduce(c.reshape(-1), '{d.choice(('sum', 'mean', 'max', 'min', 'prod'))}', lengths=t.tensor([1, c.numel() - 1])) * (a * a).sum() + 0"),
    ]
    index, line = d.choice(ops)
    if index is not None:
        case.tensor("b", index)
    case.do("a.requires_grad_(); c.requires_grad_()")
    case.do(f"y = {line}")
    case.do(f"w = t.arange(y.numel(), dtype=t.float64).reshape(y.shape) - {0 if 'segment' in line else 3}")  # torch's segments share gradients above 0 only
    case.do("r = [g if g is not None else t.zeros(1) for g in t.autograd.grad((y * w).sum(), (a, c), allow_unused=True)]")
    return case


GROUPS = {"slices": (slices, 1.0), "advanced": (advanced, 0.4), "gathers": (gathers, 0.3), "scatters": (scatters, 0.6), "arrangements": (arrangements, 0.6), "gradients": (gradients, 0.3)}


# ------------------------------------------------------------------ running

def inside(args):
    import torch
    from judge import load_module

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    module = load_module(args.wn, args.path)
    passed = failed = 0
    for name, (make, share) in GROUPS.items():
        if args.groups and name not in args.groups.split(","):
            continue
        count = 0
        for i in range(max(1, int(args.examples * share))):
            draw = Draw(f"{name} {args.seed} {i}")
            case = make(draw, torch)
            case.lax = draw.bad
            if args.inside and (i % 64 == 0 or args.careful):
                with open(args.inside, "w", encoding="utf-8") as note:
                    note.write(f"{name} {args.seed} {i} or one of the 63 after it\n" if not args.careful else case.listing())
            why = difference(case, torch, module)
            passed += why is None
            failed += why is not None
            count += why is not None
            if why is not None and count <= args.first:
                print(f"FAIL {name} {args.seed} {i}: {why}\n{case.listing()}\n")
    print(f"{passed} passed, {failed} failed")
    return failed == 0 and passed > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wn", metavar="MODULE", required=True, help="the module to judge")
    parser.add_argument("--path", metavar="DIR", help="put in front of sys.path before the module is imported")
    parser.add_argument("--examples", type=int, default=10000, help="chains of slices; of the other groups a share of that")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--groups", help="comma-separated: " + ", ".join(GROUPS))
    parser.add_argument("--first", type=int, default=5, help="failures of a group that are shown")
    parser.add_argument("--careful", action="store_true", help="notes every case, to show the one that ends the process")
    parser.add_argument("--inside", metavar="NOTE", help=argparse.SUPPRESS)  # the child process
    args = parser.parse_args()
    if args.inside:
        return 0 if inside(args) else FAILED
    with tempfile.TemporaryDirectory() as folder:
        note = os.path.join(folder, "case")
        child = subprocess.run([sys.executable, os.path.abspath(__file__), *sys.argv[1:], "--inside", note], check=False)
        if child.returncode in (0, FAILED):
            return int(child.returncode != 0)
        with open(note, encoding="utf-8") as file:
            print(f"FAIL the process ended with {child.returncode} in this case (--careful shows it):\n{file.read()}\n0 passed, 1 failed")
    return 1


if __name__ == "__main__":
    sys.exit(main())
