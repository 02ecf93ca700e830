"""What help() and inspect see of functions that are no Python functions, and the stubs that are written from the same table.
SPDX-License-Identifier: Apache-2.0"""
import ast
import importlib
import inspect
import os
import pydoc
import subprocess
import sys
import tempfile
import unittest

import torch

from helper import Case, WINNOW

ONCE = True  # in every mode of deferral the same (run.py)

FUNCTIONS = ["add", "matmul", "sum", "max", "softmax", "where", "zeros", "conv2d", "sort", "clamp", "einsum", "norm"]
MODULES = ("", "nn.functional", "linalg", "special", "nn", "nn.init", "nn.parallel", "nn.utils", "nn.utils.rnn", "nn.utils.parametrizations", "nn.utils.parametrize",
           "nn.utils.prune", "optim", "optim.lr_scheduler", "optim.swa_utils", "autograd", "autograd.functional", "autograd.graph", "utils.data",
           "utils.checkpoint", "utils.hooks", "utils.dlpack", "distributions", "distributions.transforms", "distributions.constraints", "distributions.kl",
           "sparse", "masked", "amp", "cuda", "cuda.amp", "backends", "distributed", "jit", "hub", "func", "compiler", "profiler", "serialization", "random",
           "overrides", "testing")
PARAMETERS = {  # of torch's functions in Python, some of which winnow makes from rows
    "relu": "input inplace", "silu": "input inplace", "elu": "input alpha inplace", "leaky_relu": "input negative_slope inplace",
    "threshold": "input threshold value inplace", "hardtanh": "input min_val max_val inplace", "rrelu": "input lower upper training inplace",
    "dropout": "input p training inplace", "softmin": "input dim _stacklevel dtype", "embedding": "input weight padding_idx max_norm norm_type scale_grad_by_freq sparse",
    "cross_entropy": "input target weight size_average ignore_index reduce reduction label_smoothing",
    "interpolate": "input size scale_factor mode align_corners recompute_scale_factor antialias",
    "unfold": "input kernel_size dilation padding stride", "normalize": "input p dim eps out"}


def public(place):
    """(name, callable) of everything that help() and dir() show there; Python's own things among them left out."""
    for name in dir(place):
        value = getattr(place, name)  # an AttributeError here: dir() says what is not there
        if name[0] != "_" and callable(value) and str(getattr(value, "__module__", "")).partition(".")[0] not in sys.stdlib_module_names:
            yield name, value


def rows():
    """(label, function) of all functions and methods that are made from the operation table."""
    for name, place in (("torch", torch), ("F", torch.nn.functional), ("linalg", torch.linalg), ("special", torch.special), ("Tensor", torch.Tensor)):
        for key, value in vars(place).items():
            if key[0] != "_" and (inspect.isbuiltin(value) or inspect.ismethoddescriptor(value)) and "->" in (value.__doc__ or ""):
                yield f"{name}.{key}", value


class Help(Case):
    def test_every_function_has_a_text_that_names_it(self):
        for name in FUNCTIONS:
            for f in (getattr(torch, name), getattr(torch.Tensor, name, None), getattr(torch.linalg, name, None)):
                if f is not None:
                    self.assertIn(name, pydoc.render_doc(f))
                    self.assertTrue(f.__doc__)

    def test_functional(self):
        for name in ("softmax", "relu", "cross_entropy", "linear", "layer_norm", "max_pool2d", "unfold"):
            self.assertTrue(getattr(torch.nn.functional, name).__doc__)

    def test_parameters(self):
        for name, parameters in PARAMETERS.items():
            self.assertEqual(" ".join(inspect.signature(getattr(torch.nn.functional, name)).parameters), parameters, name)

    @unittest.skipUnless(WINNOW, "PyTorch's functions have no signatures")
    def test_everything_public_has_a_text_and_a_signature(self):
        seen = 0
        for place in (torch.Tensor, *(importlib.import_module(f"torch.{m}".rstrip(".")) for m in MODULES)):
            for name, value in public(place):
                label, seen = f"{place.__name__}.{name}", seen + 1
                text = value.__doc__
                self.assertTrue(isinstance(text, str) and text.strip(), f"{label} has no help text")
                if "->" in text and (inspect.isbuiltin(value) or inspect.ismethoddescriptor(value)):
                    continue  # of rows: overloads have no common signature (test_signatures_name_what_is_taken)
                if value is torch.Tensor or (inspect.isclass(value) and issubclass(value, Exception)):
                    continue  # nor has torch's
                try:
                    inspect.signature(value)
                except (ValueError, TypeError) as error:
                    self.fail(f"{label} has no signature: {error}")
        self.assertGreater(seen, 2000)

    @unittest.skipUnless(WINNOW, "PyTorch's functions have no signatures")
    def test_texts_are_from_the_rows(self):
        self.assertEqual(torch.add.__doc__, "add.Tensor(Tensor input, Tensor other, *, Scalar alpha=1) -> Tensor\n\ninput + alpha * other.")
        self.assertEqual(str(inspect.signature(torch.add)), "(input, other, *, alpha=1, out=None)")
        self.assertEqual(str(inspect.signature(torch.Tensor.add_)), "(self, /, other, *, alpha=1)")
        self.assertTrue(torch.Tensor.add_.__doc__.startswith("add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)\n"))
        self.assertIn("exp(x) / sum(exp(x))", torch.nn.functional.softmax.__doc__)
        self.assertEqual(torch.max.__doc__.count("->"), 3)  # each overload
        self.assertRaises(ValueError, inspect.signature, torch.max)
        self.assertEqual(str(inspect.signature(torch.zeros))[:22], "(*size, dtype=None, ou")

    @unittest.skipUnless(WINNOW, "PyTorch's functions have no signatures")
    def test_signatures_name_what_is_taken(self):
        known = 0
        for label, f in rows():
            try:
                parameters = inspect.signature(f).parameters
            except ValueError:
                continue
            known += 1
            for p in parameters.values():
                if p.kind not in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD):
                    continue
                receiver = [torch.ones(2)] if label.startswith("Tensor.") else []
                try:
                    f(*receiver, **{p.name: object()})
                except Exception as error:
                    self.assertNotIn("unexpected keyword", str(error), f"{label}({p.name}=)")
        self.assertGreater(known, 900)


@unittest.skipUnless(WINNOW, "of winnow's own package")
class Stubs(Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        package = os.path.dirname(torch.__file__)
        front = os.path.dirname(package)
        if not os.path.isdir(os.path.join(front, "winnow_build")):
            raise unittest.SkipTest("winnow is installed: its stubs were written when it was built (tests/test_wheel.sh)")
        for path, _, _ in os.walk(package):
            os.makedirs(os.path.join(cls.folder.name, os.path.relpath(path, package)), exist_ok=True)
        subprocess.run([sys.executable, "-P", "-m", "winnow_build.stubs", cls.folder.name], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "PYTHONPATH": front})

    def stub(self, name):
        with open(os.path.join(self.folder.name, name), encoding="utf-8") as file:
            return ast.parse(file.read())

    def test_all_are_python(self):
        found = [os.path.join(path, n) for path, _, names in os.walk(self.folder.name) for n in names]
        self.assertGreater(len(found), 10)
        for path in found:
            self.stub(path)

    def test_every_row_is_declared(self):
        for stub, place in (("__init__.pyi", torch), ("nn/functional.pyi", torch.nn.functional), ("linalg.pyi", torch.linalg), ("special.pyi", torch.special)):
            declared = {n.name for n in self.stub(stub).body if isinstance(n, ast.FunctionDef)}
            wanted = {n for n, f in vars(place).items() if n[0] != "_" and inspect.isbuiltin(f) and "->" in (f.__doc__ or "")}
            self.assertEqual(wanted - declared, set())
        tensor = next(n for n in self.stub("_C.pyi").body if isinstance(n, ast.ClassDef) and n.name == "Tensor")
        declared = {n.name for n in tensor.body if isinstance(n, ast.FunctionDef)}
        self.assertEqual({n for n in vars(torch.Tensor) if n[0] != "_"} - declared - {"grad", "data", "requires_grad"}, set())

    def test_types(self):
        lines = {n.name: ast.unparse(n) for n in self.stub("__init__.pyi").body if isinstance(n, ast.FunctionDef)}
        self.assertEqual(lines["add"], "def add(input: Tensor | Number, other: Tensor | Number, *, alpha: Number=1, out: Tensor | None=None) -> Tensor:\n    ...")
        self.assertIn("_QR", lines["qr"])
        self.assertEqual(sum(isinstance(n, ast.FunctionDef) and n.name == "max" for n in self.stub("__init__.pyi").body), 3)


if __name__ == "__main__":
    unittest.main()
