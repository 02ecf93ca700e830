"""Random recurrent layers and attention, on torch and on a module: values, gradients, second gradients, in float64.

    python oracle/properties_rnn.py --wn winnow --path python --examples 200 --seed 1

Prints `FAIL` with a configuration for each difference; the last line is `N passed, N failed`.
"""
import argparse
import importlib
import random
import sys
import warnings

import numpy as np
import torch

TOLERANCE = 1e-9
CELLS = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}


def carry(module, tensor):
    """The tensor in the other module, or itself; None stays."""
    if tensor is None or module is torch:
        return tensor
    return module.from_numpy(tensor.detach().numpy().copy()).requires_grad_(tensor.requires_grad)


def normal(rng, *shape):
    return torch.from_numpy(rng.standard_normal(shape)).requires_grad_()


# ------------------------------------------------------------------ configurations: (name, tensors, call(module, tensors) -> outputs)


def recurrent(choose, rng):
    """lstm, gru, rnn_tanh, rnn_relu: padded, packed, batch_first, both directions, layers, projections."""
    kind = choose.choice(list(CELLS))
    steps, batch, size, hidden, layers = (choose.randint(1, n) for n in (6, 4, 5, 6, 3))
    both, biases, first, packed = (choose.random() < 0.5 for _ in range(4))
    out = choose.randint(1, hidden) if kind == "lstm" and hidden > 1 and choose.random() < 0.4 else hidden
    directions, gates = 1 + both, CELLS[kind]
    lengths = sorted((choose.randint(1, steps) for _ in range(batch)), reverse=True)
    x = normal(rng, *((sum(lengths), size) if packed else (batch, steps, size) if first else (steps, batch, size)))
    sizes = torch.tensor([sum(n > t for n in lengths) for t in range(lengths[0])]) if packed else None
    tensors = [x, sizes, normal(rng, layers * directions, batch, out), normal(rng, layers * directions, batch, hidden) if kind == "lstm" else None]
    for layer in range(layers):
        for _ in range(directions):
            tensors += [normal(rng, gates * hidden, out * directions if layer else size), normal(rng, gates * hidden, out)]
            tensors += [normal(rng, gates * hidden) for _ in range(2 * biases)] + [normal(rng, out, hidden)] * (out != hidden)

    def call(module, values):
        x, sizes, h, c, *params = values
        hx = [h, c] if kind == "lstm" else h
        f = getattr(module._VF, kind)
        if packed:
            return f(x, sizes, hx, params, biases, layers, 0.0, True, both)
        return f(x, hx, params, biases, layers, 0.0, True, both, first)
    return f"{kind} T={steps} N={batch} I={size} H={hidden} P={out} layers={layers} both={both} biases={biases} first={first} lengths={lengths if packed else None}", tensors, call


def cell(choose, rng):
    kind = choose.choice(list(CELLS))
    batch, size, hidden = (choose.randint(1, 5) for _ in range(3))
    biases = choose.random() < 0.5
    tensors = [normal(rng, batch, size), normal(rng, batch, hidden), normal(rng, batch, hidden) if kind == "lstm" else None, normal(rng, CELLS[kind] * hidden, size),
               normal(rng, CELLS[kind] * hidden, hidden)] + [normal(rng, CELLS[kind] * hidden) for _ in range(2 * biases)]

    def call(module, values):
        x, h, c, *params = values
        r = getattr(module._VF, kind + "_cell")(x, [h, c] if kind == "lstm" else h, *params)
        return r if isinstance(r, (tuple, list)) else (r,)
    return f"{kind}_cell N={batch} I={size} H={hidden} biases={biases}", tensors, call


def attention(choose, rng):
    """scaled_dot_product_attention: leading dimensions, groups of heads, masks with rows in which nothing counts, long enough for several blocks."""
    queries, keys = (choose.choice([1, 3, 17, 130, 300]) if choose.random() < 0.5 else choose.randint(1, 9) for _ in range(2))
    width, values = choose.randint(1, 9), choose.randint(1, 9)
    heads, group = choose.randint(1, 3), choose.choice([1, 1, 2])
    lead = tuple(choose.randint(1, 2) for _ in range(choose.randint(0, 2)))
    shape = (*lead, heads) if lead or group > 1 else ()
    q = normal(rng, *(lead + (heads * group,) if shape else ()), queries, width)
    k, v = normal(rng, *shape, keys, width), normal(rng, *shape, keys, values)
    kind = choose.choice(["none", "bool", "float", "grad", "causal"])
    mask = None
    if kind == "bool":
        mask = torch.from_numpy(rng.random((queries, keys)) < 0.6)
    elif kind in ("float", "grad"):
        mask = torch.from_numpy(np.where(rng.random((queries, keys)) < (0.2 if kind == "float" else 0), -np.inf, rng.standard_normal((queries, keys))))
        mask.requires_grad_(kind == "grad")
    scale = choose.choice([None, 0.3])

    def call(module, t):
        return (module.nn.functional.scaled_dot_product_attention(*t, is_causal=kind == "causal", scale=scale, enable_gqa=group > 1),)
    return f"attention lead={shape} group={group} L={queries} S={keys} E={width} V={values} mask={kind} scale={scale}", [q, k, v, mask], call


def multi_head(choose, rng):
    length, sources, batch, heads, width = (choose.randint(1, n) for n in (5, 6, 3, 3, 4))
    embed = heads * width
    batched, weights, zero, more, apart, padded = (choose.random() < 0.5 for _ in range(6))
    wide = (batch,) if batched else ()
    batch = batch if batched else 1
    kdim, vdim = (choose.randint(1, 5), choose.randint(1, 5)) if apart else (embed, embed)
    tensors = [normal(rng, length, *wide, embed), normal(rng, sources, *wide, kdim), normal(rng, sources, *wide, vdim)]
    tensors += [None if apart else normal(rng, 3 * embed, embed), normal(rng, 3 * embed) if choose.random() < 0.5 else None]
    tensors += [normal(rng, 1, 1, embed), normal(rng, 1, 1, embed)] if more else [None, None]
    tensors += [normal(rng, embed, embed), normal(rng, embed)]
    tensors += [normal(rng, embed, n) for n in (embed, kdim, vdim)] if apart else [None] * 3
    kind = choose.choice(["none", "bool", "float", "each"])
    padding = torch.from_numpy(rng.random((*wide, sources)) < 0.3) if padded else None
    if padded:
        padding[..., 0] = False  # else rows of NaN
    mask = None if kind == "none" else torch.from_numpy(np.triu(rng.random((length, sources)) < 0.5, 1)) if kind == "bool" else torch.from_numpy(
        rng.standard_normal((batch * heads, length, sources) if kind == "each" else (length, sources)))
    average = choose.random() < 0.5

    def call(module, t):
        q, k, v, w, b, bk, bv, ow, ob, wq, wk, wv, pad, m = t
        r = module.nn.functional.multi_head_attention_forward(q, k, v, embed, heads, w, b, bk, bv, zero, 0.0, ow, ob, True, pad, weights, m, apart, wq, wk, wv,
                                                              None, None, average)
        return [t for t in r if t is not None]
    return (f"multi_head L={length} S={sources} N={wide} heads={heads} E={width} weights={weights} zero={zero} bias_kv={more} apart={apart} padding={padded} "
            f"mask={kind}", [*tensors, padding, mask], call)


def packing(choose, rng):
    """pack_padded_sequence, pad_packed_sequence and their relatives."""
    lengths = [choose.randint(1, 6) for _ in range(choose.randint(1, 5))]
    first, value, side = choose.random() < 0.5, choose.choice([0.0, -1.5]), choose.choice(["left", "right"])
    total = choose.choice([None, max(lengths) + 2])
    rest = tuple(choose.randint(1, 3) for _ in range(choose.randint(0, 2)))
    tensors = [normal(rng, n, *rest) for n in lengths]

    def call(module, values):
        rnn = importlib.import_module(module.__name__ + ".nn.utils.rnn")
        packed = rnn.pack_sequence(values, enforce_sorted=False)
        padded, n = rnn.pad_packed_sequence(packed, first, value, total)
        again = rnn.pack_padded_sequence(padded, n, first, enforce_sorted=False)
        return [packed.data, packed.batch_sizes, packed.unsorted_indices[packed.sorted_indices], padded, n, again.data, *rnn.unpack_sequence(packed),
                rnn.pad_sequence(values, first, value, side), *rnn.unpad_sequence(rnn.pad_sequence(values, True), n, True)]
    return f"packing {lengths} rest={rest} first={first} total={total}", tensors, call


# ------------------------------------------------------------------ comparison


def results(module, tensors, call, twice):
    """Outputs, gradients of a weighted sum of their squares, and gradients of those, as NumPy arrays."""
    values = [carry(module, t) for t in tensors]
    outputs = list(call(module, values))
    floating = [t for t in outputs if t.requires_grad]
    found = list(outputs)
    leaves, seen = [], set()
    for t in values:
        if t is not None and t.requires_grad and id(t) not in seen:
            seen.add(id(t))
            leaves.append(t)
    if floating:
        loss = sum((t * t).sum() * (i + 1) for i, t in enumerate(floating))
        first = module.autograd.grad(loss, leaves, create_graph=twice, allow_unused=True)
        found += first
        again = [t for t in first if t is not None and t.requires_grad]
        if again:
            found += module.autograd.grad(sum((t * t).sum() for t in again), leaves, allow_unused=True)
    return [None if t is None else t.detach().numpy() for t in found]


def difference(one, other):
    if len(one) != len(other):
        return f"{len(one)} and {len(other)} results"
    for i, (a, b) in enumerate(zip(one, other)):
        if a is None or b is None:  # an unused leaf: zeros and None are the same
            a, b = (np.zeros_like(b if a is None else a) if t is None else t for t in (a, b)) if a is not b else (np.zeros(0), np.zeros(0))
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"result {i}: {a.dtype}{a.shape} and {b.dtype}{b.shape}"
        if a.size and not np.allclose(a, b, rtol=TOLERANCE, atol=TOLERANCE * (1 + np.nanmax(np.abs(np.where(np.isfinite(a), a, 0)))), equal_nan=True):
            return f"result {i}: off by {np.nanmax(np.abs(a - b)):.3g} of {np.nanmax(np.abs(a)):.3g}"
    return None


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wn", metavar="MODULE", default="winnow", help="the module to judge")
    parser.add_argument("--path", metavar="DIR", help="put in front of sys.path before the module is imported")
    parser.add_argument("--examples", type=int, default=200, help="how many configurations")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(argv)
    if args.path:
        sys.path.insert(0, args.path)
    module = importlib.import_module(args.wn)
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    passed = failed = 0
    for i in range(args.examples):
        choose, rng = random.Random(f"{args.seed}/{i}"), np.random.default_rng([args.seed, i])
        name, tensors, call = choose.choice([recurrent, recurrent, cell, attention, attention, multi_head, packing])(choose, rng)
        twice = choose.random() < 0.5 and not (name.startswith("attention") and max(t.shape[-2] for t in tensors[:2]) > 100)
        try:
            want = results(torch, tensors, call, twice)
        except NotImplementedError:
            continue
        except RuntimeError as error:  # what torch cannot do is not judged: second derivatives of its fused attention
            if "derivative" not in str(error) and "implemented" not in str(error):
                raise
            twice = False
            want = results(torch, tensors, call, twice)
        try:
            wrong = difference(want, results(module, tensors, call, twice))
        except Exception as error:  # whatever the module raises where torch does not
            wrong = f"{type(error).__name__}: {error}"
        if wrong:
            print(f"FAIL {i}: {name}, twice={twice}: {wrong}")
        passed, failed = passed + (not wrong), failed + bool(wrong)
    print(f"{passed} passed, {failed} failed")
    return int(bool(failed) or not passed)


if __name__ == "__main__":
    sys.exit(main())
