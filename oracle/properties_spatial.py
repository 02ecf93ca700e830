"""Pads, pools, interpolations, folds, grids, bags and convolutions with random arguments: values and gradients beside torch's.

    python oracle/properties_spatial.py --wn winnow --path python --examples 3000 --seed 1

An example is one call with random shapes and arguments, among them impossible ones: then both must raise an error of one class.
Values and gradients (vector-Jacobian products; now and then a second derivative) are compared in float64 and float32, integers
and int64 indices exactly. A failure prints the call.
"""
import argparse
import importlib
import random
import sys
import warnings

import torch

FAMILIES = {}


def family(f):
    FAMILIES[f.__name__] = f
    return f


class Draw:
    """Random arguments."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.torch = torch.Generator().manual_seed(self.r.randrange(2 ** 31))

    def int(self, low, high):
        return self.r.randint(low, high)

    def chance(self, p=0.5):
        return self.r.random() < p

    def of(self, *choices):
        return self.r.choice(choices)

    def ints(self, n, low, high):
        """One number, or one for each of n dimensions."""
        return self.int(low, high) if self.chance() else [self.int(low, high) for _ in range(n)]

    def tensor(self, *shape, scale=1.0):
        """Values of which no two are near each other, so that a maximum is the same everywhere."""
        n = 1
        for s in shape:
            n *= s
        t = torch.randperm(n, generator=self.torch).double() / max(n, 1) * 4 - 2
        t = (t * scale).reshape(shape)
        return t.to(torch.float64 if self.chance(0.6) else torch.float32)

    def image(self, n, low=1, high=9):
        lead = [self.int(0, 2) if self.chance(0.1) else self.int(1, 3), self.int(1, 3)]
        return self.tensor(*lead[self.of(0, 0, 0, 1):], *[self.int(low, high) for _ in range(n)])

    def like(self, t, *shape, **kwargs):
        return self.tensor(*shape, **kwargs).to(t.dtype)


# ------------------------------------------------------------------ families: (function, arguments, keywords)


@family
def pad(d):
    mode, n = d.of("constant", "reflect", "replicate", "circular"), d.int(1, 3)
    pads = [d.int(-2, 4) if d.chance(0.3) else d.int(0, 3) for _ in range(2 * n)]
    if mode == "circular":  # one end cut, the other wrapped: torch reads what it has not written
        pads = [p if min(pads[i // 2 * 2:i // 2 * 2 + 2]) >= 0 else -abs(p) for i, p in enumerate(pads)]
    kwargs = {"mode": mode}
    if mode == "constant" and d.chance():
        kwargs["value"] = d.of(1.5, -2, 0)
    return "pad", (d.image(n, 1, 7), pads), kwargs


def windows(d, n):
    kwargs = {}
    if d.chance(0.7):
        kwargs["stride"] = d.ints(n, 1, 4)
    if d.chance(0.6):
        kwargs["padding"] = d.ints(n, 0, 2)
    if d.chance():
        kwargs["ceil_mode"] = True
    return kwargs


@family
def avg_pool(d):
    n = d.int(1, 3)
    kwargs = windows(d, n)
    if d.chance():
        kwargs["count_include_pad"] = False
    if n > 1 and d.chance(0.3):
        kwargs["divisor_override"] = d.of(2, 5, -3)
    return f"avg_pool{n}d", (d.image(n), d.ints(n, 1, 4)), kwargs


@family
def max_pool(d):
    n = d.int(1, 3)
    kwargs = windows(d, n)
    if d.chance(0.4):
        kwargs["dilation"] = d.ints(n, 1, 3)
    if d.chance():
        kwargs["return_indices"] = True
    return f"max_pool{n}d", (d.image(n), d.ints(n, 1, 4)), kwargs


@family
def adaptive(d):
    n, kind = d.int(1, 3), d.of("avg", "max")
    kwargs = {"return_indices": True} if kind == "max" and d.chance() else {}
    size = d.int(1, 6) if d.chance() else [d.of(None, d.int(1, 6)) if n > 1 else d.int(1, 6) for _ in range(n)]
    return f"adaptive_{kind}_pool{n}d", (d.image(n), size), kwargs


@family
def lp_pool(d):
    n = d.int(1, 3)
    kwargs = {"stride": d.ints(n, 1, 3)} if d.chance() else {}
    return f"lp_pool{n}d", (d.image(n, 3, 8).abs() + 0.5, d.of(1, 2, 3.0, float("inf")), d.ints(n, 1, 3) if n > 1 else d.int(1, 3)), {**kwargs, "ceil_mode": d.chance()}


@family
def fractional(d):
    n = d.int(2, 3)
    x = d.image(n, 4, 9)
    samples = torch.rand(x.shape[0] if x.dim() == n + 2 else 1, x.shape[-n - 1], n, generator=d.torch).to(x.dtype)
    return f"fractional_max_pool{n}d", (x, d.ints(n, 1, 3), d.ints(n, 1, 3)), {"_random_samples": samples, "return_indices": d.chance()}


@family
def unpool(d):
    n = d.int(1, 3)
    x, k = d.image(n, 4, 8), d.int(2, 3)
    try:
        y, at = getattr(torch.nn.functional, f"max_pool{n}d")(x, k, return_indices=True)
    except RuntimeError:
        return None
    return f"max_unpool{n}d", (y.detach(), at, k), {"output_size": list(x.shape[-n:])} if d.chance() else {}


@family
def interpolate(d):
    n = d.int(1, 3)
    mode = d.of("nearest", "nearest-exact", "area", ("linear", "bilinear", "trilinear")[n - 1], ("linear", "bicubic", "trilinear")[n - 1])
    shape = [d.int(1, 3), d.int(1, 3)] + [d.int(1, 9) for _ in range(n)]
    kwargs = {"mode": mode}
    if d.chance():
        kwargs["size"] = d.ints(n, 1, 14)
    else:
        factor = lambda: d.r.uniform(0.4, 3.2) if d.chance() else float(d.int(1, 3))
        kwargs["scale_factor"] = factor() if d.chance() else [factor() for _ in range(n)]
        if d.chance(0.4) or (mode == "nearest" and n != 2):  # there torch's gradient is of other elements than its result
            kwargs["recompute_scale_factor"] = d.chance() or (mode == "nearest" and n != 2)
    if mode not in ("nearest", "nearest-exact", "area") and d.chance():
        kwargs["align_corners"] = d.chance()
    if mode in ("bilinear", "bicubic") and d.chance(0.4) and "size" in kwargs:  # likewise
        kwargs["antialias"] = True
    x = d.tensor(*shape)
    if mode in ("nearest", "nearest-exact", "bilinear", "bicubic") and "size" in kwargs and d.chance(0.3):
        x = torch.randint(0, 256, shape, generator=d.torch, dtype=torch.uint8)
    return "interpolate", (x,), kwargs


@family
def unfold(d):
    return "unfold", (d.image(2, 2, 9), d.ints(2, 1, 3)), {"dilation": d.ints(2, 1, 2), "padding": d.ints(2, 0, 2), "stride": d.ints(2, 1, 3)}


@family
def fold(d):
    size, k = [d.int(2, 9), d.int(2, 9)], [d.int(1, 3), d.int(1, 3)]
    dilation, padding, stride = [d.int(1, 2), d.int(1, 2)], [d.int(0, 2), d.int(0, 2)], [d.int(1, 3), d.int(1, 3)]
    out = [(s + 2 * p - e * (w - 1) - 1) // t + 1 for s, p, e, w, t in zip(size, padding, dilation, k, stride)]
    if min(out) < 1:
        return None
    lead = [d.int(1, 3)] if d.chance(0.7) else []
    x = d.tensor(*lead, d.int(1, 2) * k[0] * k[1], out[0] * out[1])
    return "fold", (x, size, k), {"dilation": dilation, "padding": padding, "stride": stride}


@family
def grid_sample(d):
    n = d.int(2, 3)
    batch = d.int(1, 2)
    x = d.tensor(batch, d.int(1, 10), *[d.int(1, 6) for _ in range(n)])
    grid = (torch.rand(batch, *[d.int(1, 5) for _ in range(n)], n, generator=d.torch, dtype=torch.float64) * 3 - 1.5).to(x.dtype)
    mode = d.of("bilinear", "nearest", "bicubic") if n == 2 else d.of("bilinear", "nearest")
    return "grid_sample", (x, grid), {"mode": mode, "padding_mode": d.of("zeros", "border", "reflection"), "align_corners": d.chance()}


@family
def affine_grid(d):
    n, batch = d.int(2, 3), d.int(1, 3)
    return "affine_grid", (d.tensor(batch, n, n + 1), [batch, 2] + [d.int(1, 5) for _ in range(n)]), {"align_corners": d.chance()}


@family
def shuffle(d):
    r = d.int(1, 3)
    name = d.of("pixel_shuffle", "pixel_unshuffle", "channel_shuffle")
    c = d.int(1, 3) * (r * r if d.chance(0.8) else 1)
    return name, (d.tensor(d.int(1, 2), c, r * d.int(1, 3), r * d.int(1, 3)), r), {}


@family
def embedding_bag(d):
    """Without scale_grad_by_freq: torch divides by the counts of other rows."""
    rows, width, n = d.int(1, 8), d.int(1, 9), d.int(1, 12)
    weight = d.tensor(rows, width)
    mode = d.of("sum", "mean", "max")
    kwargs = {"mode": mode}
    if d.chance(0.3):
        index = torch.randint(0, rows, (d.int(1, 3), n), generator=d.torch)
    else:
        index = torch.randint(0, rows, (n,), generator=d.torch)
        bags = sorted([0] + [d.int(0, n) for _ in range(d.int(0, 4))])
        if d.chance(0.3):
            kwargs["include_last_offset"] = True
            bags.append(n)
        kwargs["offsets"] = torch.tensor(bags)
    if mode == "sum" and d.chance():
        kwargs["per_sample_weights"] = d.like(weight, *index.shape)
    if d.chance(0.4):
        kwargs["padding_idx"] = d.int(-rows, rows - 1)
    return "embedding_bag", (index, weight), kwargs


@family
def instance_norm(d):
    x = d.tensor(d.int(1, 3), d.int(1, 3), *[d.int(2, 4) for _ in range(d.int(1, 3))])
    c = x.shape[1]
    kwargs = {name: d.like(x, c) for name in ("weight", "bias") if d.chance()}
    if d.chance():
        kwargs.update(running_mean=d.like(x, c), running_var=d.like(x, c).abs() + 0.5, use_input_stats=d.chance(), momentum=d.r.random())
    return "instance_norm", (x,), kwargs


@family
def local_response_norm(d):
    return "local_response_norm", (d.tensor(d.int(1, 2), d.int(1, 5), *[d.int(1, 4) for _ in range(d.int(1, 3))]), d.int(1, 4)), {"alpha": 0.1, "beta": d.of(0.5, 0.75, 2.0)}


@family
def bilinear(d):
    a, b, o, lead = d.int(1, 4), d.int(1, 4), d.int(1, 4), [d.int(1, 3) for _ in range(d.int(0, 2))]
    x = d.tensor(*lead, a)
    return "bilinear", (x, d.like(x, *lead, b), d.like(x, o, a, b)), {"bias": d.like(x, o)} if d.chance() else {}


@family
def conv(d):
    n, groups = d.int(1, 3), d.of(1, 1, 2, 3)
    cin, cout = groups * d.int(1, 2), groups * d.int(1, 2)
    lead = [d.int(1, 2)] if d.chance(0.8) else []
    x = d.tensor(*lead, cin, *[d.int(3, 8) for _ in range(n)])
    kernel = [d.int(1, 3) for _ in range(n)]
    kwargs = {"stride": d.ints(n, 1, 3), "dilation": d.ints(n, 1, 2), "groups": groups}
    if d.chance():
        kwargs["bias"] = d.like(x, cout)
    if d.chance():
        kwargs["padding"] = d.ints(n, 0, 1)  # torch gives results without elements where winnow has an error
        if d.chance(0.4):
            kwargs["output_padding"] = d.ints(n, 0, 1)
        return f"conv_transpose{n}d", (x, d.like(x, cin, cout // groups, *kernel)), kwargs
    kwargs["padding"] = d.of("same", "valid") if d.chance(0.3) else d.ints(n, 0, 2)
    if kwargs["padding"] == "same" and d.chance(0.8):
        kwargs["stride"] = 1
    return f"conv{n}d", (x, d.like(x, cout, cin // groups, *kernel)), kwargs


# ------------------------------------------------------------------ comparing


def carried(value, wn):
    if isinstance(value, torch.Tensor):
        return wn.from_numpy(value.detach().numpy().copy())
    return value


def leaves(args, kwargs):
    """Where tensors that take gradients stand."""
    at = [("a", i) for i, v in enumerate(args) if isinstance(v, torch.Tensor) and v.is_floating_point()]
    return at + [("k", k) for k, v in kwargs.items() if isinstance(v, torch.Tensor) and v.is_floating_point() and k not in ("running_mean", "running_var", "_random_samples")]


def run(module, functional, name, args, kwargs, at, seeds, second):
    """Results and gradients as torch tensors, or the error."""
    args, kwargs = list(args), dict(kwargs)
    inputs = []
    for where, key in at:
        box = args if where == "a" else kwargs
        box[key].requires_grad_(True)
        inputs.append(box[key])
    try:
        out = getattr(functional, name)(*args, **kwargs)
    except Exception as error:  # what it is, is what is compared
        return error
    outs = list(out) if isinstance(out, (tuple, list)) else [out]
    main, grads = outs[0], []
    back = lambda t: None if t is None else torch.from_numpy(t.detach().numpy().copy())
    outs = outs + [v for k, v in kwargs.items() if k in ("running_mean", "running_var")]
    if inputs and main.requires_grad and main.numel():
        g = torch.rand(tuple(main.shape), generator=torch.Generator().manual_seed(seeds), dtype=torch.float64).to(getattr(torch, str(main.dtype).split(".")[-1]))
        g = g if module is torch else carried(g, module)
        try:
            grads = list(module.autograd.grad(main, inputs, g, allow_unused=True, create_graph=second))
        except Exception as error:
            return error
        if second:
            live = [x for x in grads if x is not None and x.requires_grad]
            more = [None] * len(inputs)
            try:
                if live:
                    more = module.autograd.grad(sum((x * x).sum() for x in live), inputs, allow_unused=True)
            except RuntimeError as error:  # torch does not have it
                if module is not torch:
                    return error
                more = []
            grads += list(more)
    return [back(t) for t in outs], [back(t) for t in grads]


def classes(error):
    return [c for c in type(error).__mro__ if c.__module__ == "builtins"][0]


def same(a, b, loose):
    if a is None or b is None:
        other = b if a is None else a
        return other is None or not other.any()
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if not a.is_floating_point():
        return torch.equal(a, b)
    limit = (2e-4 if a.dtype == torch.float32 else 1e-9) * loose
    scale = max(1.0, float(b.abs().max())) if b.numel() else 1.0
    return torch.allclose(a, b, rtol=limit, atol=limit * scale, equal_nan=True)


def example(wn, functional, seed, names):
    """None, or what is wrong."""
    d = Draw(seed)
    call = FAMILIES[d.r.choice(names)](d)
    if call is None:
        return None
    name, args, kwargs = call
    at = leaves(args, kwargs)
    second = d.chance(0.25) and name != "embedding_bag"
    theirs = [carried(v, wn) for v in args], {k: carried(v, wn) for k, v in kwargs.items()}
    if d.chance(0.4) and args[0].dtype != torch.uint8 and args[0].dim() > 1 and min(args[0].shape) > 1 and name != "local_response_norm":  # another layout; torch views that one
        args = (args[0].transpose(-1, -2).contiguous().transpose(-1, -2),) + tuple(args[1:])
        theirs[0][0] = theirs[0][0].transpose(-1, -2).contiguous().transpose(-1, -2)
    fresh = tuple(v.detach() if isinstance(v, torch.Tensor) else v for v in args)
    want = run(torch, torch.nn.functional, name, fresh, {k: v.detach().clone() if isinstance(v, torch.Tensor) else v for k, v in kwargs.items()}, at, seed, second)
    if isinstance(want, Exception) and "INTERNAL ASSERT" in str(want):
        return None
    if not isinstance(want, Exception) and name.startswith("max_pool") and bool((want[0][0] == float("-inf")).any()):
        return None  # a window without elements: torch's index is that of an element which it does not have
    got = run(wn, functional, name, tuple(v.detach() if hasattr(v, "detach") else v for v in theirs[0]), theirs[1], at, seed, second)
    show = lambda v: f"{str(v.dtype)[6:]}{list(v.shape)}" if isinstance(v, torch.Tensor) else repr(v)
    text = f"{name}({', '.join([show(v) for v in args] + [f'{k}={show(v)}' for k, v in kwargs.items()])})"
    if isinstance(want, Exception) or isinstance(got, Exception):
        if isinstance(want, Exception) and isinstance(got, Exception) and (classes(want) is classes(got) or issubclass(type(got), classes(want)) or issubclass(type(want), classes(got))):
            return None
        return f"{text}: torch {want!r:.150}, module {got!r:.150}" if isinstance(want, Exception) or isinstance(got, Exception) else None
    for what, a, b in (("result", got[0], want[0]), ("gradient", got[1], want[1])):
        if what == "gradient" and len(b) < len(a):  # torch has no second derivative
            a = a[:len(b)]
        if len(a) != len(b):
            return f"{text}: {len(a)} {what}s instead of {len(b)}"
        for i, (x, y) in enumerate(zip(a, b)):
            if not same(x, y, 50 if what == "gradient" and i >= len(at) else 1):
                return f"{text}: {what} {i} differs:\n  {x}\n  torch: {y}"
    return None


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wn", metavar="MODULE", required=True, help="the module to judge")
    parser.add_argument("--path", metavar="DIR", help="put in front of sys.path before the module is imported")
    parser.add_argument("--examples", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=5, help="stop after so many failures")
    parser.add_argument("--families", default=",".join(FAMILIES), help="names, separated by commas")
    args = parser.parse_args(argv)
    if args.path:
        sys.path.insert(0, args.path)
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    wn = importlib.import_module(args.wn)
    functional = importlib.import_module(args.wn + ".nn.functional")
    passed, failed = 0, 0
    for i in range(args.examples):
        seed = args.seed * 1_000_003 + i
        wrong = example(wn, functional, seed, args.families.split(","))
        if wrong:
            failed += 1
            print(f"FAIL (example {i}) {wrong}")
            if failed >= args.first:
                break
        else:
            passed += 1
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
