"""Random einsum equations, run on torch and on a module.

    python oracle/properties_einsum.py --wn winnow --path python --examples 10000 --seed 1

Equations with repeated labels, ellipses, broadcast dimensions, spaces, with and without an output, as text and as sublists; one in
twelve is spoilt, and must raise the class that torch raises. Operands hold small integers, so results are exact in every order of
summation and must be equal; so must the gradients, of every fourth example.
"""
import argparse
import importlib
import random
import string
import sys

import numpy as np
import torch

DTYPES = ("float64", "float64", "float64", "float32", "int64", "int32")
LARGEST = 30000                 # the product of all sizes: what torch may have to form


def arguments(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wn", metavar="MODULE", required=True, help="the module to judge")
    parser.add_argument("--path", metavar="DIR", help="put in front of sys.path before the module is imported")
    parser.add_argument("--examples", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=5, help="stop after so many failures")
    return parser.parse_args(argv)


# ------------------------------------------------------------------ drawing

class Example:
    """terms: lists of labels and Ellipsis; output: None (implicit) or such a list; shapes: of the operands."""

    def __init__(self, rng):
        self.rng = rng
        letters = rng.sample(string.ascii_letters, rng.randint(1, 6))
        sizes = {c: 0 if rng.random() < 0.02 else rng.randint(1, 4) for c in letters}
        hidden = [rng.randint(1, 3) for _ in range(rng.choice((0, 0, 1, 1, 2)))]
        count = rng.choice((1, 1, 2, 2, 2, 2, 3, 3, 4, 5))
        self.terms, self.shapes = [], []
        for _ in range(count):
            term, shape = self.term(letters, sizes, hidden)
            self.terms.append(term)
            self.shapes.append(shape)
        self.output = self.draw_output()
        self.dtype = rng.choice(DTYPES)
        if self.dtype == "int32" and any(0 in shape for shape in self.shapes):
            self.dtype = "int64"    # of nothing torch makes int32 or int64 by the way that it happens to take
        self.sublists = rng.random() < 0.3
        self.text = self.equation()

    def term(self, letters, sizes, hidden):
        rng = self.rng
        labels = [rng.choice(letters) for _ in range(rng.randint(0, 4))]
        thin = {c for c in labels if rng.random() < 0.08}       # of size 1 here, whatever it is elsewhere
        shape = [1 if c in thin else sizes[c] for c in labels]
        if hidden and rng.random() < 0.6:
            at = rng.randint(0, len(labels))
            mine = [1 if rng.random() < 0.1 else n for n in hidden[rng.randint(0, len(hidden)):]]
            labels.insert(at, Ellipsis)
            shape[at:at] = mine
        return labels, shape

    def draw_output(self):
        rng = self.rng
        if rng.random() < 0.35:
            return None
        seen = sorted({c for t in self.terms for c in t if c is not Ellipsis})
        output = rng.sample(seen, rng.randint(0, len(seen)))
        if rng.random() < 0.8 and any(Ellipsis in t for t in self.terms):
            output.insert(rng.randint(0, len(output)), Ellipsis)
        return output

    def written(self, term):
        def space():
            return " " * (self.rng.random() < 0.1)
        return space() + "".join(("..." if c is Ellipsis else c) + space() for c in term)

    def equation(self):
        text = ",".join(self.written(t) for t in self.terms)
        return text if self.output is None else text + "->" + self.written(self.output)

    def spoil(self):
        """One mistake, in the text or in a shape."""
        rng = self.rng
        self.sublists = False
        if rng.random() < 0.3 and any(self.shapes):
            shape = rng.choice([s for s in self.shapes if s])
            shape[rng.randrange(len(shape))] += rng.randint(1, 2)
        elif rng.random() < 0.3:
            shape = rng.choice(self.shapes)
            shape.append(2)
        else:
            at = rng.randint(0, len(self.text))
            cut = at + rng.randint(0, 1)
            self.text = self.text[:at] + rng.choice(("", ".", "...", ",", "->", "-", "1", "z", "Z", "aa", "?")) + self.text[cut:]
        return self

    def volume(self):
        n = 1
        for shape in self.shapes:
            for s in shape:
                n *= max(s, 1)
        return n

    def operands(self):
        drawn = np.random.default_rng(self.rng.randrange(2**32))
        return [drawn.integers(-2, 3, size=s).astype(self.dtype) for s in self.shapes]

    def call(self, module, tensors):
        if not self.sublists:
            return module.einsum(self.text, *tensors)
        def numbers(term):
            return [c if c is Ellipsis else string.ascii_letters.index(c) for c in term]
        mixed = [x for pair in zip(tensors, map(numbers, self.terms)) for x in pair]
        return module.einsum(*mixed, *([] if self.output is None else [numbers(self.output)]))

    def __str__(self):
        form = "sublists of " if self.sublists else ""
        return f"{form}{self.text!r} of {self.dtype} {self.shapes}"


def draw(rng):
    while True:
        example = Example(rng)
        if example.volume() <= LARGEST:
            return example.spoil() if rng.random() < 1 / 12 else example


# ------------------------------------------------------------------ judging

def outcome(example, module, arrays, gradients):
    """('error', class) or ('value', arrays)."""
    tensors = [module.from_numpy(a.copy()) for a in arrays]
    if gradients:
        tensors = [t.requires_grad_(True) for t in tensors]
    try:
        result = example.call(module, tensors)
        values = [result.detach().numpy()]
        if gradients and result.requires_grad:
            weights = np.arange(1, result.numel() + 1, dtype=example.dtype).reshape(tuple(result.shape)) % 5
            found = module.autograd.grad(result, tensors, grad_outputs=module.from_numpy(weights), allow_unused=True)
            values += [None if g is None else g.numpy() for g in found]
        return "value", values
    except Exception as error:      # the class is what is compared
        return "error", next(k.__name__ for k in type(error).__mro__ if k.__module__ == "builtins")


def difference(mine, theirs, dtype):
    if dtype == "int32" and theirs == ("error", "RuntimeError") and mine[0] == "value":
        return None             # torch sums one operand to int64 and then refuses the other
    if mine[0] != theirs[0]:
        return f"{mine[0]} {mine[1] if mine[0] == 'error' else ''} / torch: {theirs[0]} {theirs[1] if theirs[0] == 'error' else ''}"
    if mine[0] == "error":
        return None if mine[1] == theirs[1] else f"{mine[1]} / torch: {theirs[1]}"
    for i, (a, b) in enumerate(zip(mine[1], theirs[1])):
        what = "result" if i == 0 else f"gradient {i - 1}"
        if (a is None) != (b is None):
            return f"{what}: one is None"
        if a is not None and (a.shape != b.shape or a.dtype != b.dtype):
            return f"{what}: {a.dtype}{a.shape} / torch: {b.dtype}{b.shape}"
        if a is not None and not np.array_equal(a, b):
            return f"{what}: values differ by up to {np.abs(a - b).max()}"
    return None


def main(argv=None):
    args = arguments(argv)
    if args.path:
        sys.path.insert(0, args.path)
    module = importlib.import_module(args.wn)
    torch.set_num_threads(1)
    rng = random.Random(args.seed)
    passed = failed = 0
    for number in range(args.examples):
        example = draw(rng)
        arrays = example.operands()
        gradients = number % 4 == 0 and example.dtype.startswith("float")
        problem = difference(outcome(example, module, arrays, gradients), outcome(example, torch, arrays, gradients), example.dtype)
        if problem is None:
            passed += 1
            continue
        failed += 1
        print(f"FAIL example {number}: {example}\n    {problem}")
        if failed == args.first:
            break
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
