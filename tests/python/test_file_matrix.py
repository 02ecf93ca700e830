"""Files of every dtype, layout and container that can be in one (file_cases.py), between PyTorch and winnow in both directions: the other
one is a child process where it is installed, and a file that PyTorch 2.13 wrote in any case. SPDX-License-Identifier: Apache-2.0"""
import functools
import io
import lzma
import os
import subprocess
import sys
import tempfile
import unittest
import warnings

import torch

import file_cases
from helper import WINNOW, Case

ONCE = True  # in every mode of deferral the same (run.py)

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


@functools.cache
def other():
    """The command line that runs a script on the other of the two, with its environment; None where it is not installed."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("WINNOW_")}
    if not WINNOW:
        candidates = [[sys.executable, "-W", "ignore", "-m", "winnow"]]
        environment["PYTHONPATH"] = os.path.join(ROOT, "python")
    else:
        environment.pop("PYTHONPATH", None)
        pythons = [os.environ.get("WINNOW_TORCH_PYTHON", ""), sys.executable, os.path.join(ROOT, ".venv-torch", "bin", "python")]
        candidates = [[python, "-W", "ignore"] for python in pythons if os.path.exists(python)]
    for command in candidates:
        probe = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({'torch' if WINNOW else 'winnow._C'!r}) is None)"
        if subprocess.run(command + ["-c", probe], env=environment, capture_output=True, check=False).returncode == 0:
            return command, environment
    return None


class Matrix(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path, self.old = (os.path.join(folder.name, name) for name in ("cases.pt", "old.pt"))
        quiet = warnings.catch_warnings()  # PyTorch: sparse CSR is in beta
        quiet.__enter__()
        self.addCleanup(quiet.__exit__, None, None, None)
        warnings.simplefilter("ignore")

    def right(self, got):
        self.assertEqual(file_cases.check(got), [])

    def child(self, *arguments):
        command, environment = other()
        done = subprocess.run(command + [os.path.join(HERE, "file_cases.py"), *arguments], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout.strip()), (0, ""), done.stderr[-2000:])

    def test_here_and_back(self):
        for options in ({}, {"mmap": True}, {"weights_only": True}, {"weights_only": False}):
            torch.save(file_cases.build(), self.path)
            self.right(torch.load(self.path, **options))
        torch.save(file_cases.build(), self.path, _use_new_zipfile_serialization=False)
        self.right(torch.load(self.path))

    def test_what_pytorch_wrote(self):
        for name in ("torch_cases.pt.xz", "torch_cases_old.pt.xz"):
            with lzma.open(os.path.join(ROOT, "tests", "data", name)) as file:
                data = file.read()
            self.right(torch.load(io.BytesIO(data)))
            with open(self.path, "wb") as file:
                file.write(data)
            self.right(torch.load(self.path, mmap=None if "old" in name else True))

    def test_a_comparison_that_finds_something(self):
        """The checks above can fail."""
        got = file_cases.build()
        got["layouts"]["int8"]["strided"] = got["layouts"]["int8"]["strided"].contiguous()
        got["values"]["bfloat16"] = got["values"]["bfloat16"].clone().fill_(1)
        got["containers"]["plain"][3] = 255.0
        self.assertEqual(len(file_cases.differences(got, file_cases.build())), 3)

    @unittest.skipIf(other() is None, "the other of PyTorch and winnow is not installed")
    def test_to_the_other(self):
        torch.save(file_cases.build(), self.path)
        torch.save(file_cases.build(), self.old, _use_new_zipfile_serialization=False)
        self.child(f"check:{self.path}", f"check-mmap:{self.path}", f"check:{self.old}")

    @unittest.skipIf(other() is None, "the other of PyTorch and winnow is not installed")
    def test_from_the_other(self):
        self.child(f"write:{self.path}", f"write-old:{self.old}")
        for path in (self.path, self.old):
            self.right(torch.load(path))
            with open(path, "rb") as file:
                self.right(torch.load(file))
        self.right(torch.load(self.path, mmap=True))


if __name__ == "__main__":
    unittest.main()
