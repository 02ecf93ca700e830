"""The stubs of an installed winnow: mypy accepts a program that is right and refuses each line of one that is wrong."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from helper import WINNOW

ONCE = True  # in every mode of deferral the same (run.py)
HERE = os.path.dirname(os.path.abspath(__file__))


def checker():
    """mypy's command, or None: on the path, beside this interpreter, or in the environment with PyTorch."""
    places = [os.environ.get("WINNOW_MYPY"), "mypy", os.path.join(os.path.dirname(sys.executable), "mypy"), os.path.join(HERE, "..", "..", ".venv-torch", "bin", "mypy")]
    for place in places:
        found = place and shutil.which(place)
        if found and subprocess.run([found, "--version"], capture_output=True).returncode == 0:  # a shim may be there and not run
            return found
    return None


MYPY = checker() if WINNOW else None


@unittest.skipUnless(MYPY, "there is no mypy on this machine (Debian: apt-get install mypy), or this is PyTorch")
class Stubs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import winnow

        package = os.path.dirname(os.path.dirname(os.path.abspath(winnow.__file__)))
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        shutil.copytree(os.path.join(package, "winnow"), os.path.join(cls.folder.name, "winnow"), ignore=shutil.ignore_patterns("*.so", "*.pyi", "__pycache__"))
        made = subprocess.run([sys.executable, "-m", "winnow_build.stubs", os.path.join(cls.folder.name, "winnow")], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join([package, os.path.join(HERE, "..", "..", "python")])})
        assert made.returncode == 0, made.stderr

    def errors(self, name):
        """{line: kinds of errors} of a file; errors of the package itself are not the program's."""
        ran = subprocess.run([MYPY, "--follow-imports=silent", "--no-error-summary", "--hide-error-context", "--cache-dir", os.path.join(self.folder.name, "cache"),
                              os.path.join(HERE, name)], capture_output=True, text=True, cwd=self.folder.name, env={**os.environ, "MYPYPATH": self.folder.name})
        self.assertIn(ran.returncode, (0, 1), ran.stdout + ran.stderr)
        found = {}
        for line in ran.stdout.splitlines():
            place = re.fullmatch(rf".*{name}:(\d+): error: .*\[([a-z-]+)\]", line)
            if place:
                found.setdefault(int(place[1]), set()).add(place[2])
            else:
                self.assertIn(": note: ", line)
        return found

    def test_one_class_of_tensors(self):
        declared = []
        for folder, _, files in os.walk(os.path.join(self.folder.name, "winnow")):
            for name in files:
                if name.endswith(".pyi"):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        declared += [name for line in file if re.match(r"class (Tensor|Size|dtype|Generator)\b", line)]
        self.assertEqual(declared, ["_C.pyi"] * 3)  # Tensor, Size, Generator; dtype is read in _types.py

    def test_right(self):
        self.assertEqual(self.errors("typed_right.py"), {})

    def test_wrong(self):
        with open(os.path.join(HERE, "typed_wrong.py"), encoding="utf-8") as file:
            expected = {n: {line.rpartition("  # ")[2].strip()} for n, line in enumerate(file, 1) if "  # " in line}
        self.assertGreater(len(expected), 20)
        self.assertEqual(self.errors("typed_wrong.py"), expected)


if __name__ == "__main__":
    unittest.main()
