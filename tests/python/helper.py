"""What the tests of the Python front share: exact and close comparison through tolist() (so that no comparison
operation of the library judges itself), errors with key words, children that run the same `torch`.
SPDX-License-Identifier: Apache-2.0"""
import contextlib
import gc
import io
import math
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

import torch

try:
    import numpy
except ImportError:
    numpy = None

WINNOW = hasattr(torch, "_winnow")
winnow_only = unittest.skipUnless(WINNOW, "about winnow")
torch_only = unittest.skipIf(WINNOW, "about PyTorch")
SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")  # AddressSanitizer: freed memory stays, addresses cost terabytes
counts_memory = unittest.skipIf(SANITIZED, "the sanitizer's memory would be counted")
HOSTILE = WINNOW and "WINNOW_HOSTILE_SEED" in os.environ  # `make hostile`: an engine at its limits, neither fast nor sparing
not_hostile = unittest.skipIf(HOSTILE, "hostile builds compute slowly, and their slabs hold little for their size")
needs_numpy = unittest.skipIf(numpy is None, "needs NumPy")

FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
INTEGERS = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]
DTYPES = [torch.bool] + INTEGERS + FLOATS


def flat(value):
    """The numbers of nested lists and tuples, in order."""
    if isinstance(value, (list, tuple)):
        return [x for part in value for x in flat(part)]
    return [value]


def equal(a, b):
    return a == b or (isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b))


def shortened(value):
    """Its repr, cut where it gets long: a failure must not fill the screen."""
    text = repr(value)
    return text if len(text) < 500 else text[:250] + " ... " + text[-250:]


def saved(value, **options):
    """The bytes that torch.save writes."""
    file = io.BytesIO()
    torch.save(value, file, **options)
    return file.getvalue()


def loaded(data, **options):
    return torch.load(io.BytesIO(data), **options)


class Case(unittest.TestCase):
    def assertListEqual(self, first, second, msg=None):
        """assertEqual for lists, without unittest's diff, which takes minutes for thousands of elements."""
        if first != second:
            self.fail(self._formatMessage(msg, f"{shortened(first)}\nis not\n{shortened(second)}"))

    def values(self, got, expected, dtype=None):
        """got is a tensor with exactly these (nested lists of) values."""
        self.assertIsInstance(got, torch.Tensor)
        if dtype is not None:
            self.assertIs(got.dtype, dtype)
        listed = got.tolist()
        if listed != expected:  # NaN, or really different
            self.assertEqual(shape_of(listed), shape_of(expected))
            for i, (a, b) in enumerate(zip(flat(listed), flat(expected), strict=True)):
                if not equal(a, b):
                    self.fail(f"element {i}: {a!r} and not {b!r} in\n{shortened(listed)}\nexpected\n"
                              f"{shortened(expected)}")

    def same(self, got, expected):
        """Two tensors of one dtype and shape with equal values."""
        self.assertIsInstance(got, torch.Tensor)
        self.assertEqual(got.dtype, expected.dtype)
        self.assertEqual(tuple(got.shape), tuple(expected.shape))
        self.values(got, expected.tolist())

    def close(self, got, expected, tolerance=1e-5):
        """A tensor near a tensor, number or nested lists: |got - expected| <= tolerance * max(1, |expected|)."""
        if isinstance(expected, torch.Tensor):
            self.assertEqual(tuple(got.shape), tuple(expected.shape))
            expected = expected.tolist()
        listed = got.tolist() if isinstance(got, torch.Tensor) else got
        self.assertEqual(shape_of(listed), shape_of(expected))
        for i, (a, b) in enumerate(zip(flat(listed), flat(expected), strict=True)):
            if not equal(a, b) and not abs(a - b) <= tolerance * max(1, abs(b)):
                self.fail(f"element {i}: {a!r} is not near {b!r}")

    @contextlib.contextmanager
    def raises(self, kind, *words):
        """The block raises `kind`, and every word is in its message, in any case."""
        with self.assertRaises(kind) as caught:
            yield caught
        message = str(caught.exception)
        for word in words:
            self.assertIn(word.lower(), message.lower())


def shape_of(nested):
    """The lengths of nested lists; () for a number."""
    shape = []
    while isinstance(nested, (list, tuple)):
        shape.append(len(nested))
        if not nested:
            break
        nested = nested[0]
    return tuple(shape)


def resident_bytes():
    """The memory that this process has resident, after a collection; nothing where a sanitizer keeps what is freed."""
    gc.collect()
    if SANITIZED:
        return 0
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def command(script, *arguments):
    """The command line that runs a file with the `torch` of this process."""
    return [sys.executable] + (["-m", "winnow"] if WINNOW else []) + [script, *arguments]


@contextlib.contextmanager
def script_file(source):
    """The path of a temporary file with this program, dedented."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "child.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(source))
        yield path


def run_child(source, timeout=120):
    """Runs a program with the `torch` of this process; returns (exit status, stdout, stderr)."""
    with script_file(source) as path:
        done = subprocess.run(command(path), capture_output=True, text=True, timeout=timeout, check=False)
    return done.returncode, done.stdout, done.stderr
