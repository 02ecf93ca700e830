#!/usr/bin/env python3
"""Calls of every public function and method with arguments by lot: tensors of up to 2^62 elements that are one, numbers at the ends of
their types, lists of them, what is no argument at all.

    PYTHONPATH=python python3 -m winnow fuzz/calls.py --cases 1000000 --processes 2

A case must return something sound or raise something ordinary: no signal, no SystemError, no tensor outside its storage, nothing that
takes 20 s (a call with wide tensors may have to: it is stopped, and the function gets no more of them). Each case is an expression; --only K
shows one and tries it. SPDX-License-Identifier: Apache-2.0"""
import os
import random
import re
import sys

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "tests", "python")]
import hostile  # noqa: E402
import workers  # noqa: E402

F = torch.nn.functional
# They do something to the process, to files, or wait for somebody.
LEFT_OUT = {"save", "load", "set_default_dtype", "set_default_tensor_type", "set_default_device", "set_num_threads", "set_num_interop_threads", "compile", "manual_seed",
            "seed", "set_printoptions", "set_flush_denormal", "set_grad_enabled", "use_deterministic_algorithms", "set_rng_state", "share_memory_", "from_file",
            "set_warn_always", "set_deterministic_debug_mode", "set_float32_matmul_precision", "import_ir_module", "register_hook", "frombuffer", "from_dlpack", "fork", "wait",
            "inference_mode", "no_grad", "enable_grad", "set_autocast_enabled", "get_rng_state", "initial_seed", "autocast_increment_nesting", "autocast_decrement_nesting"}
SPACES = (("torch", torch), ("F", F), ("torch.linalg", torch.linalg), ("torch.special", torch.special), ("torch.Tensor", torch.Tensor))


def names():
    out = []
    for prefix, space in SPACES:
        for name in sorted(dir(space)):
            if name.startswith("_") or name in LEFT_OUT or name.startswith(("set_autocast", "is_autocast")):
                continue
            thing = getattr(space, name, None)
            if callable(thing) and not isinstance(thing, type):
                out.append(f"{prefix}.{name}")
    return out


NAMES = names()
POOL = {"torch": torch, "F": F, "inf": float("inf"), "nan": float("nan")}
SMALL = ("torch.arange(12.0).reshape(3, 4)", "torch.arange(12).reshape(3, 4)", "torch.arange(6.0)", "torch.tensor(2.5)", "torch.tensor(3)", "torch.zeros(0, 4)", "torch.ones(1, 2, 5, 5)",
         "torch.ones(1, 1, 5)", "torch.eye(3)", "torch.tensor([0, 2, 1])", "torch.tensor([True, False, True])", "torch.ones(3, 4).half()", "torch.ones(3, 4, dtype=torch.float64).t()",
         "torch.arange(6, dtype=torch.uint8)", "torch.arange(12.0)[::3]", "torch.ones(3, 4, dtype=torch.bfloat16)", "torch.rand(3, 4, requires_grad=True)",
         "torch.tensor([2**62, -2**63, 2**63-1])", "torch.full((3, 4), 255, dtype=torch.uint8).view(torch.bool)", "torch.ones(2, 3, 4)", "torch.empty(0)", "torch.tensor([[2**40]])",
         "torch.ones(3, 3).to_sparse()", "torch.tensor([nan, inf, -inf])", "torch.rand(1, 0).expand(2**62, 0)", "torch.rand(0, 1).expand(0, 2**62)")
WIDE = ("torch.ones(1).expand(2**31)", "torch.ones(1).expand(2**31, 2**31)", "torch.ones(1).expand(2**62)", "torch.ones(2).expand(2**47, 2)", "torch.tensor(True).expand(2**62)",
        "torch.tensor(1).expand(2**61, 2)", "torch.ones(3, 1).expand(3, 2**40)", "torch.ones(1).half().expand(3, 2**60)", "torch.tensor(1, dtype=torch.uint8).expand(2**32, 2**30)",
        "torch.ones(1, 1, 1, 1).expand(1, 2, 2**31, 2**30)", "torch.ones(1, requires_grad=True).expand(2**33)", "torch.ones(1).double().expand(2**31 + 1)")
OTHER = ("None", "True", "False", "'mean'", "'sum'", "''", "'ij'", "'reflect'", "torch.float32", "torch.int64", "torch.bool", "torch.uint8", "torch.float16", "object()", "b'x'", "...", "{}", "slice(None)",
         "1j", "torch.strided", "'cpu'", "[[1, 2], [3]]", "int", "'replicate'", "'bilinear'", "'linear'")
KEYWORDS = ("dim", "keepdim", "size", "dtype", "out", "n", "alpha", "value", "dims", "diagonal", "offset", "step", "padding", "stride", "dilation", "groups", "kernel_size", "output_size", "mode",
            "reduction", "correction", "weight", "repeats", "sections", "chunks", "start", "end", "length", "index", "src", "mask", "num_classes", "bins", "minlength", "num_samples", "k", "p",
            "eps", "ceil_mode", "scale_factor", "requires_grad", "storage_offset", "output_padding", "descending", "memory_format", "indices", "other")


def overloads(name):
    """The parameters that the documentation names, for each overload: (type, name, is it optional?)."""
    text, out = eval(name, POOL).__doc__ or "", []  # pylint: disable=eval-used
    for parameters in re.findall(r"^[\w.]+\((.*)\) -> ", text, re.MULTILINE):
        listed, keyword = [], False
        for parameter in re.split(r", (?![^\[]*\])", parameters):
            kind, _, rest = parameter.partition(" ")
            keyword |= kind == "*"
            if rest:
                listed.append((re.sub(r"\(.*\)|\?$|\[\d+\]", lambda m: "[]" if m[0][0] == "[" else "", kind.rstrip("?")), rest.partition("=")[0], "=" in rest or "?" in kind, keyword))
        if name.startswith("torch.Tensor.") and listed and listed[0][1] in ("self", "input"):
            del listed[0]
        out.append(listed)
    return out


SIGNATURES = {name: overloads(name) for name in NAMES}


class Maker:
    """One case: an expression, and whether it has wide tensors."""

    def __init__(self, k, avoided):
        self.r = random.Random(k)
        self.wide = False
        self.name = self.r.choice(NAMES)
        self.may_be_wide = self.name not in avoided
        self.favourite = self.r.choice(SMALL)
        signatures = SIGNATURES[self.name]
        if signatures and self.r.random() < 0.95:
            given = self.typed(self.r.choice(signatures))
        else:
            given = [self.argument() for _ in range(self.r.choice((0, 1, 1, 2, 2, 2, 3, 3, 4, 5)))]
            given += [f"{name}={self.argument()}" for name in self.r.sample(KEYWORDS, self.r.choice((0, 0, 0, 1, 1, 2)))]
            if not self.name.startswith("torch.Tensor.") and self.r.random() < 0.7:
                given.insert(0, self.tensor())
        self.text = f"({self.tensor()}).{self.name[13:]}({', '.join(given)})" if self.name.startswith("torch.Tensor.") else f"{self.name}({', '.join(given)})"

    def typed(self, parameters):
        given, named = [], False
        for kind, name, optional, keyword in parameters:
            if optional and self.r.random() < 0.5:
                named = True
                continue
            value = self.argument() if self.r.random() < 0.03 else self.of_type(kind)
            named |= keyword
            given.append(f"{name}={value}" if named else value)
        if self.r.random() < 0.05:
            given.append(f"{'' if given and '=' in given[-1] else 'out='}{self.tensor()}" if not named else f"out={self.tensor()}")
        return given

    def of_type(self, kind):
        r = self.r
        if kind == "Tensor":
            return self.tensor()
        if kind == "Tensor[]":
            return f"[{', '.join(self.tensor() for _ in range(r.randrange(1, 5)))}]"
        if kind == "int[]":
            return self.numbers() if r.random() < 0.8 else str(self.whole())
        if kind in ("int", "Scalar", "float"):
            return str(self.whole() if kind == "int" or r.random() < 0.5 else self.number())
        if kind == "bool":
            return r.choice(("True", "False"))
        if kind == "ScalarType":
            return r.choice(("torch.float32", "torch.int64", "torch.bool", "torch.uint8", "torch.float16", "torch.float64", "torch.bfloat16", "torch.int8", "torch.int32"))
        if kind == "str":
            return r.choice(("'mean'", "'sum'", "'none'", "'reflect'", "'replicate'", "'circular'", "'constant'", "'bilinear'", "'linear'", "'nearest'", "'ij'", "'amax'", "'tanh'"))
        return self.argument() if kind != "Generator" else "None"

    def whole(self):
        return int(min(max(self.number(), -2**64), 2**64))

    def number(self):
        r = self.r
        return r.choice((lambda: r.randrange(-3, 8), lambda: r.randrange(-3, 8), lambda: r.choice((1, -1)) * (1 << r.randrange(65)) + r.randrange(-2, 3),
                         lambda: r.choice((2**31, 2**32, 2**62, 2**63 - 1, -2**63, 2**32 + 1, 2**32 - 1, 2**61)), lambda: r.choice((0.5, 1e300, -1.0, 2.0**63))))()

    def numbers(self):
        r = self.r
        if r.random() < 0.3:  # they wrap to something harmless
            few = r.choice(((2**62, 2**62, 2**62, 2**62 + r.randrange(8)), (2**63 - 1, 2**63 - 1, 2 + r.randrange(8)), (2**32, 2**32), (2**31, 2**31, 4), (3, 2**62, 4), (6148914691236517205, 3),
                            (2**32 + 1, 2**32 - 1), (2**62, -2**62, r.randrange(8)), (2**62, 4, 0), (0, 2**62, 4)))
        else:
            few = [self.whole() for _ in range(r.choice((0, 1, 1, 2, 2, 3, 4)))]
        return f"({', '.join(map(str, few))}{',' if len(few) == 1 else ''})"

    def tensor(self):
        if self.may_be_wide and self.r.random() < 0.3:
            self.wide = True
            return self.r.choice(WIDE)
        return self.favourite if self.r.random() < 0.6 else self.r.choice(SMALL)

    def argument(self):
        chance = self.r.random()
        if chance < 0.3:
            return str(self.number())
        if chance < 0.5:
            return self.numbers()
        if chance < 0.8:
            return self.tensor()
        if chance < 0.87:
            return f"[{', '.join(self.tensor() for _ in range(self.r.randrange(4)))}]"
        return self.r.choice(OTHER)


def evaluate(text):
    try:
        value = eval(text, dict(POOL))  # pylint: disable=eval-used
        for t in hostile.tensors(value):
            wrong = hostile.outside(t)
            if wrong:
                return f"outside of its storage ({wrong})"
            if t.requires_grad and t.grad_fn is not None and t.numel() < 1000:
                t.backward(torch.ones_like(t))
    except SystemError as e:
        return f"SystemError ({e})"
    except (Exception, SystemExit):  # pylint: disable=broad-except
        pass
    return None


def try_case(k, avoided):
    case = Maker(k, avoided)
    with workers.Clock(case.wide):
        return evaluate(case.text)


if __name__ == "__main__":
    torch.set_num_threads(1)
    sys.exit(workers.main(lambda: workers.Run(try_case, lambda k, avoided: Maker(k, avoided).text, lambda k, avoided: Maker(k, avoided).name)))
