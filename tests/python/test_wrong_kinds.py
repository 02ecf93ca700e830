"""Every public name is called with arguments of wrong kinds. What comes back is an answer or an error that is meant: no error of Python's that
comes from inside the package because it looked at something that is not there, unless PyTorch raises the same (recorded in SAME, which is
checked when these tests run on PyTorch). SPDX-License-Identifier: Apache-2.0"""
import inspect
import json
import operator
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
import warnings

import torch

from helper import WINNOW, Case, command, shortened, torch_only, winnow_only

ONCE = True  # in every mode of deferral the same (run.py)

ROUNDS = 60  # random calls of each name, besides those that are always made
# From inside the package none of these is meant.
INTERNAL = (AttributeError, LookupError, SystemError, NameError, AssertionError, ArithmeticError, RecursionError, StopIteration, MemoryError)
MEANT = re.compile("Dimension out of range|out of bounds|out of range for|has no dimensions|tuple index out of range|too many indices|non-zero size"
                   "|Torch not compiled with CUDA|math range error|overflow|must be an integer, a slice|numel\\(\\) == 0|broadcastable mask|only integers, slices")
# What PyTorch's functions of Python do, too: name -> classes.
SAME = {}
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "wrong_kinds.txt"), encoding="ascii") as _file:
    for _line in _file:
        _kind, _, _names = _line.partition(":")
        for _name in _names.split():
            SAME.setdefault(_name, set()).add(_kind)

KINDS = {
    "matrix": lambda: torch.ones(2, 3), "square": lambda: torch.eye(3), "row": lambda: torch.ones(3), "indices": lambda: torch.zeros(2, 3, dtype=torch.int64),
    "mask": lambda: torch.ones(2, 3, dtype=torch.bool), "image": lambda: torch.ones(1, 2, 4, 4), "scalar": lambda: torch.tensor(1.0),
    "leaf": lambda: torch.ones(2, 3, requires_grad=True), "0": lambda: 0, "1": lambda: 1, "-1": lambda: -1, "7": lambda: 7, "0.5": lambda: 0.5, "nan": lambda: float("nan"),
    "1j": lambda: 1j, "True": lambda: True, "None": lambda: None, "'abc'": lambda: "abc", "'mean'": lambda: "mean", "b'x'": lambda: b"x", "object()": object,
    "['a', 'b']": lambda: ["a", "b"], "{'k': 1}": lambda: {"k": 1}, "(0, 1)": lambda: (0, 1), "(None, 1)": lambda: (None, 1), "[]": lambda: [],
    "[matrix, matrix]": lambda: [torch.ones(2, 3), torch.ones(2, 3)], "float32": lambda: torch.float32, "device": lambda: torch.device("cpu"),
    "a function": lambda: lambda *args: args[0] if args else None, "a module": lambda: torch.nn.Linear(3, 3), "[a module]": lambda: [torch.nn.Linear(3, 3)],
    "range(2)": lambda: range(2), "iter([1])": lambda: iter([1]), "int": lambda: int}
GOOD = ["matrix", "matrix", "square", "row", "indices", "image"]
# They change settings, or wait for something.
SKIPPED = set("""save load seed manual_seed set_printoptions compile set_num_threads set_num_interop_threads set_default_dtype set_default_device
    set_default_tensor_type set_grad_enabled set_deterministic_debug_mode use_deterministic_algorithms set_rng_state set_warn_always set_flush_denormal
    set_float32_matmul_precision set_autocast_enabled from_file fork wait get_device_module set_anomaly_enabled set_autocast_cache_enabled
    set_autocast_cpu_enabled set_autocast_cpu_dtype set_autocast_dtype set_autocast_gpu_dtype autocast_increment_nesting autocast_decrement_nesting
    set_multithreading_enabled set_detect_anomaly share_memory_ share_memory""".split())
CONSTRUCTORS = [(), (4,), (4, 4), (4, 4, 1), (2, 2, 2), (4, 4, 4, 4), (2, 3, 4), (0.5,), ((2, 3),), (10, 3, [2, 4])]
OPERATORS = ("add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift iadd isub imul itruediv lt le eq ne gt ge getitem setitem "
             "contains neg invert index truth").split()


def spaces():
    """(name, what holds the functions, a function that makes the first argument or None)"""
    import torch.distributions
    import torch.func
    import torch.masked
    import torch.nn.utils.rnn
    import torch.signal.windows
    import torch.utils.checkpoint
    import torch.utils.data

    plain = {"torch": torch, "functional": torch.nn.functional, "linalg": torch.linalg, "special": torch.special, "init": torch.nn.init, "nn": torch.nn, "optim": torch.optim,
             "lr_scheduler": torch.optim.lr_scheduler, "data": torch.utils.data, "distributions": torch.distributions, "windows": torch.signal.windows,
             "utils": torch.nn.utils, "rnn": torch.nn.utils.rnn, "autograd": torch.autograd, "autograd.functional": torch.autograd.functional, "sparse": torch.sparse,
             "masked": torch.masked, "func": torch.func, "amp": torch.amp, "checkpoint": torch.utils.checkpoint}
    for name, space in plain.items():
        yield name, {n: getattr(space, n, None) for n in dir(space)}, None
    yield "Tensor", {n: getattr(torch.Tensor, n, None) for n in dir(torch.Tensor)}, KINDS["matrix"]
    yield "Module", {n: getattr(torch.nn.Module, n, None) for n in dir(torch.nn.Module)}, KINDS["a module"]
    yield "operator", {n: getattr(operator, n) for n in OPERATORS}, KINDS["matrix"]
    yield "set", {n: lambda x, value, n=n: setattr(x, n, value) for n in ("data", "grad", "requires_grad")}, KINDS["matrix"]


def targets():
    """(name, callable, first or None) for every public name, and for the calls of modules that can be made from numbers."""
    for space, functions, first in spaces():
        for name, f in sorted(functions.items()):
            if name.startswith("_") or name in SKIPPED or not callable(f) or isinstance(f, type) and issubclass(f, BaseException):
                continue
            yield f"{space}.{name}", f, first
            if space == "nn" and isinstance(f, type) and issubclass(f, torch.nn.Module):
                for arguments in CONSTRUCTORS:
                    try:
                        module = f(*arguments)
                    except Exception:
                        continue
                    yield f"{space}.{name}()", module, None
                    break


def keywords(f):
    try:
        return [p.name for p in inspect.signature(f).parameters.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.name != "self"]
    except (ValueError, TypeError):  # a row: torch's notation is in its text
        return sorted(set(re.findall(r"[(,*] ?(?:\w+[?\[\]0-9]* )(\w+)", (f.__doc__ or "").split("->")[0])))


def calls(name, f):
    """Tuples of kinds and dicts of kinds."""
    yield (), {}
    yield (), {"no_such_keyword": "1"}
    for kind in KINDS:
        yield (kind,), {}
        yield ("matrix", kind), {}
    rnd, words = random.Random(name), keywords(f)
    for _ in range(ROUNDS):
        n = rnd.choice([0, 1, 1, 2, 2, 3, 3, 4, 5])
        good = rnd.random() < 0.6
        args = tuple(rnd.choice(GOOD) if good and i < n - 1 else rnd.choice(list(KINDS)) for i in range(n))
        yield args, {rnd.choice(words): rnd.choice(list(KINDS)) for _ in range(rnd.choice([0, 1, 1, 2]))} if words else {}


def error_of(f, first, args, options):
    """The exception of a call, and the file in which it was raised; (None, "")."""
    arguments = [KINDS[k]() for k in args]
    if first is not None:
        arguments.insert(0, first())
    try:
        f(*arguments, **{name: KINDS[k]() if k in KINDS else k for name, k in options.items()})
    except Exception as error:
        tb = error.__traceback__
        while tb.tb_next:
            tb = tb.tb_next
        return error, tb.tb_frame.f_code.co_filename
    return None, ""


def child(folder):
    """Prints each call whose error is not meant, as JSON, and how many calls there were."""
    os.chdir(folder)
    torch.set_num_threads(1)
    inside, total = os.path.dirname(os.path.realpath(torch.__file__)), 0  # beside links its own folder is another
    for name, f, first in targets():
        print("at", name, file=sys.stderr, flush=True)  # where a crash was
        torch.manual_seed(0)
        for args, options in calls(name, f):
            error, file = error_of(f, first, args, options)
            total += 1
            unmeant = isinstance(error, INTERNAL) and not MEANT.search(str(error))
            if isinstance(error, SystemError) or unmeant and os.path.realpath(file).startswith(os.path.realpath(inside)):
                print(json.dumps([name, type(error).__name__, args, options, str(error)[:120]]))
    print("calls", total)


class WrongKinds(Case):
    @winnow_only
    @unittest.skipIf(os.environ.get("WINNOW_DEFER"), "once is enough")
    def test_errors_are_meant(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(command(os.path.abspath(__file__)) + [folder], capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        *lines, last = done.stdout.splitlines()
        self.assertGreater(int(last.split()[1]), 200_000)
        found = [json.loads(line) for line in lines if line[:1] == "["]
        wrong = {(x[0], x[1]): x for x in found if x[1] not in SAME.get(x[0], ())}
        if wrong:
            self.fail("\n".join([f"{len(wrong)} names with errors that are not meant, for example"] + [shortened(x) for x in list(wrong.values())[:30]]))
        seen = {(x[0], x[1]) for x in found}
        stale = [(name, kind) for name, kinds in SAME.items() for kind in kinds if (name, kind) not in seen]
        self.assertFalse(stale, "wrong_kinds.txt has what winnow does not do any more")

    @torch_only
    def test_torch_raises_what_is_recorded(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name, f, first in targets():
                for kind in SAME.get(name, ()):
                    found = any(type(error_of(f, first, args, options)[0]).__name__ == kind for args, options in calls(name, f))
                    self.assertTrue(found, f"{name} never raises {kind}")

    def test_what_the_messages_say(self):
        """torch's words where a function of Python looks first."""
        x = torch.ones(2, 3)
        for call, words in (("torch.relu('a')", "relu(): argument 'input' (position 1) must be Tensor, not str"),
                            ("x.view_as('a')", "view_as(): argument 'other' (position 1) must be Tensor, not str"),
                            ("torch.nonzero('a', as_tuple=True)", "nonzero(): argument 'input' (position 1) must be Tensor, not str"),
                            ("torch.where('a')", "where(): argument 'condition' (position 1) must be Tensor, not str"),
                            ("x.is_contiguous(memory_format=5)", "is_contiguous(): argument 'memory_format' must be torch.memory_format, not int"),
                            ("torch.empty(2, layout=5)", "argument 'layout' must be torch.layout, not int"),
                            ("torch.empty(2, pin_memory='a')", "argument 'pin_memory' must be bool, not str"),
                            ("torch.empty(2, requires_grad=1)", "argument 'requires_grad' must be bool, not int"),
                            ("torch.ones_like(x, memory_format=5)", "argument 'memory_format' must be torch.memory_format, not int"),
                            ("torch.broadcast_tensors(x, 1)", "expected Tensor as element 1 in argument 0, but got int")):
            with self.subTest(call), self.raises(TypeError, words):
                eval(call, {"torch": torch, "x": x})


if __name__ == "__main__":
    if len(sys.argv) == 2 and os.path.isdir(sys.argv[1]):
        warnings.simplefilter("ignore")
        child(sys.argv[1])
    else:
        unittest.main()
