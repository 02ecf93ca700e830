"""Programs: what they are, how one is run on a library, and when two runs agree.

A program is a list of Python statements on tensors; the statements are the listing that is printed when it fails.
Nothing is looked at before its end, so that a module which defers work may defer it all.
"""
import dataclasses

import numpy as np

from calls import builtin_class
from carry import Library
from compare import close

IMPORTS = '''import numpy as np
import torch                    # or the module under judgement: import winnow as torch


'''
LEAF = '''def leaf(seed, shape, dtype, grad=False):
    array = np.random.default_rng(seed).integers(-8, 9, shape)
    if dtype.startswith("float"):
        array = array / 4
    elif dtype == "bool":
        array = array > 0
    elif dtype == "uint8":
        array = np.abs(array)
    tensor = torch.from_numpy(np.array(array, dtype)).clone()
    return tensor.requires_grad_() if grad else tensor


'''

OVERLAP = "RuntimeError (the target overlaps itself)"

# Relative tolerance and noise by the narrowest float in a program.
PRECISION = {"bfloat16": (3e-2, 2.0 ** -8), "float16": (1e-2, 2.0 ** -11), "float32": (1e-5, 2.0 ** -23),
             "float64": (1e-10, 2.0 ** -50)}
NOISES = 4                      # perturbed runs from which the sensitivity of a program is taken
ALLOWANCE = 32                  # by how much rounding may differ more than the noise showed


@dataclasses.dataclass
class Step:
    text: str
    target: str = None          # the name that it makes


@dataclasses.dataclass
class Program:
    leaves: list                # steps
    steps: list
    seed: int = 0               # of the weights in the loss

    def listing(self, errors=None, loss=()):
        lines = [step.text for step in self.leaves]
        for index, step in enumerate(self.steps):
            if errors and errors.get(index):
                lines += ["try:", "    " + step.text, "except Exception as error:",
                          f"    print(type(error).__name__)     # torch: {errors[index]}"]
            else:
                lines.append(step.text)
        return IMPORTS + LEAF + "\n".join([*lines, *loss]) + "\n"

    def retyped(self, old, new):
        def change(steps):
            return [Step(step.text.replace(old, new), step.target) for step in steps]
        return Program(change(self.leaves), change(self.steps), self.seed)


@dataclasses.dataclass
class Run:
    """What a library made of a program."""
    errors: dict                # step -> class name, of the steps that failed; "backward" is one of them
    values: dict                # name -> seen tensor
    grads: dict                 # leaf -> seen gradient or None
    loss: tuple = ()            # statements
    dtypes: set = dataclasses.field(default_factory=set)        # of everything that was made

    def precision(self):
        """(relative tolerance, noise) of the narrowest float."""
        return next((bounds for name, bounds in PRECISION.items() if name in self.dtypes), PRECISION["float64"])


def noisy(leaf, noise, noise_seed):
    """leaf() with a little noise on the floats; torch's only."""
    def made(seed, shape, dtype, grad=False):
        tensor = leaf(seed, shape, dtype)
        if dtype.startswith("float"):
            tensor.numpy()[...] += noise * np.random.default_rng((seed, noise_seed)).standard_normal(shape)
        return tensor.requires_grad_() if grad else tensor
    return made


class Machine:
    """A library with a program's names, one statement at a time."""

    def __init__(self, module, noise=0.0, noise_seed=0):
        self.library = Library(module)
        self.names = {"torch": module, "np": np}
        exec(LEAF, self.names)
        if noise:
            self.names["leaf"] = noisy(self.names["leaf"], noise, noise_seed)
        self.errors = {}

    def do(self, text, key=None):
        """Runs a statement; an error is noted under the key."""
        try:
            exec(text, self.names)
        except Exception as error:
            overlaps = "more than one element of the written-to tensor" in str(error)
            name = OVERLAP if overlaps else builtin_class(error).__name__
            self.errors[key if key is not None else len(self.errors)] = name
            return error
        return None

    def tensors(self):
        return {name: value for name, value in self.names.items() if isinstance(value, self.library.Tensor)}


def loss_of(tensors, seed):
    """Statements: a weighted sum of everything that leads to a leaf, and its backward. Chosen on torch's side."""
    import torch
    terms = []
    for index, (name, tensor) in enumerate(tensors.items()):
        if tensor.requires_grad and tensor.is_floating_point():
            weight = f"leaf({seed * 100 + index + 50}, {tuple(tensor.shape)}, \"float64\")"
            terms.append(f"({name}.to(torch.float64) * {weight}).sum()")
    if not terms or not torch.is_grad_enabled():
        return ()
    return "loss = " + " + ".join(terms), "loss.backward()"


def run(program, module, loss=None, noise=0.0, noise_seed=0):
    """`loss`: torch's statements, for the module; None makes them (torch)."""
    machine = Machine(module, noise, noise_seed)
    for step in program.leaves:
        error = machine.do(step.text)
        if error is not None:
            raise error                     # not a matter of the program: the library cannot be talked to
    dtypes = set()
    for index, step in enumerate(program.steps):
        machine.do(step.text, index)
        if isinstance(machine.names.get(step.target), machine.library.Tensor):
            dtypes.add(machine.library.name_of(machine.names[step.target].dtype))
    tensors = machine.tensors()
    if loss is None:
        loss = loss_of(tensors, program.seed)
    for text in loss:
        if "backward" not in machine.errors:
            machine.do(text, "backward")
    see = machine.library.see
    values = {name: see(tensor) for name, tensor in tensors.items()}
    grads = {}
    for step in program.leaves:
        tensor = machine.names.get(step.target)
        if isinstance(tensor, machine.library.Tensor) and tensor.requires_grad and tensor.is_leaf:
            grads[step.target] = see(tensor.grad)
    dtypes.update(seen.dtype for seen in values.values())
    return Run(machine.errors, values, grads, tuple(loss), dtypes)


# ---------------------------------------------------------------- agreement
def differences(expected, actual, bound):
    """None, or what differs; bound(name, seen) gives (rtol, atol) for a float and the tolerated step for an integer."""
    if OVERLAP in actual.errors.values() and actual.errors != expected.errors:
        return None         # winnow always refuses what torch lets pass when all writes are the same (fill_)
    if expected.errors != actual.errors:
        return f"errors by step: {expected.errors} / {actual.errors}"
    if set(expected.values) != set(actual.values):
        return f"tensors: {sorted(expected.values)} / {sorted(actual.values)}"
    for name, one in expected.values.items():
        other = actual.values[name]
        if one.requires_grad != other.requires_grad:
            return f"{name}.requires_grad: {one.requires_grad} / {other.requires_grad}"
        reason = _tensor(name, one, other, bound)
        if reason:
            return reason
    for name, one in expected.grads.items():
        reason = _gradient(name + ".grad", one, actual.grads.get(name), bound)
        if reason:
            return reason
    return None


def _gradient(name, one, other, bound):
    if one is None or other is None:
        present = one if one is not None else other
        if present is not None and present.values().any():
            return f"{name}: {'none' if one is None else 'values'} / {'none' if other is None else 'values'}"
        return None
    return _tensor(name, one, other, bound)


def _tensor(name, one, other, bound):
    limits = bound(name, one)
    if limits is not None and limits[1] == np.inf and one.dtype == other.dtype:
        return None                         # noise decides
    if one.shape != other.shape or one.dtype != other.dtype:
        return f"{name}: {one.dtype}{list(one.shape)} / {other.dtype}{list(other.shape)}"
    if limits is None:
        good = np.array(one.array.tobytes() == other.array.tobytes())
    else:
        good = close(one.values(), other.values(), *limits)
    if good.all():
        return None
    return f"{name}: torch {_short(one)} / {_short(other)}" if limits is not None \
        else f"{name}: other bits, {_short(one)} / {_short(other)}"


def _short(seen):
    return " ".join(np.array2string(seen.values(), precision=10, threshold=12).split())


def exactly(_name, _seen):
    return None


def loosely(plain, sensitivity):
    """Bounds for what torch made of a program: relative to the largest element, and what noise in the leaves does to
    each tensor."""
    rtol, _ = plain.precision()

    def bound(name, seen):
        values = seen.values()
        noise = ALLOWANCE * sensitivity.get(name, 0.0)
        if values.dtype.kind != "f":
            return 0.0, noise
        finite = np.abs(values[np.isfinite(values)].astype(np.float64))
        return rtol, noise + rtol * max(1.0, finite.max() if finite.size else 1.0)
    return bound


def is_exact(program, module):
    """Does the program compute without rounding? Then it gives the same in float32 and in float64."""
    runs = [run(program.retyped(*pair), module) for pair in (("float64", "float32"), ("float32", "float64"))]
    for narrow, wide in ((runs[0].values, runs[1].values), (runs[0].grads, runs[1].grads)):
        for name, one in narrow.items():
            other = wide.get(name)
            if (one is None) != (other is None):
                return False
            if one is None:
                continue
            if not np.array_equal(one.values(), other.values(), equal_nan=one.array.dtype.kind == "f"):
                return False
    return True


def sensitivity_of(program, module, plain):
    """{name: how far the tensor moves when the leaves move by about a rounding error}, infinite where it changes shape;
    None where noise changes what fails."""
    _, eps = plain.precision()
    moved = {}
    for noise_seed in range(1, NOISES + 1):
        other = run(program, module, noise=eps, noise_seed=noise_seed)
        if other.errors != plain.errors:
            return None
        pairs = [(name, one, other.values.get(name)) for name, one in plain.values.items()]
        pairs += [(name + ".grad", one, other.grads.get(name)) for name, one in plain.grads.items()]
        for name, one, another in pairs:
            if one is None or one.array.size == 0:
                continue
            if another is None or one.shape != another.shape:
                moved[name] = np.inf
                continue
            with np.errstate(all="ignore"):
                far = np.abs(one.values().astype(np.float64) - another.values().astype(np.float64))
            same = (one.values() == another.values()) | (np.isnan(far) & np.isnan(one.values().astype(np.float64)))
            far = np.where(same, 0.0, far)
            moved[name] = max(moved.get(name, 0.0), float(np.where(np.isnan(far), np.inf, far).max()))
    return moved
