#!/usr/bin/env python3
"""Libraries written on PyTorch, on winnow: every program in oracle/libraries runs with each, and must print the same.

    python oracle/libraries.py [--torch PYTHON] [WORD...]

Makes .venv-libraries without PyTorch and installs oracle/libraries/requirements.txt there (a few minutes, 2 GB). On winnow a program runs by
`python -m winnow` of that environment with WINNOW_RNG=torch, on PyTorch by PYTHON (that of .venv-torch) with the same packages behind its own and winnow's
torchvision. WORDs choose programs. The last line is "N passed, N failed". SPDX-License-Identifier: Apache-2.0"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER, VENV = ROOT / "oracle/libraries", ROOT / ".venv-libraries"


def packages():
    """The environment's python and where its packages are; made if need be."""
    python = VENV / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    # those that name torch as their dependency must not install it
    parts = (FOLDER / "requirements.txt").read_text().split("# without what they depend on\n")
    for part, options in zip(parts, ([], ["--no-deps"])):
        names = [line for line in part.splitlines() if line and line[0] != "#"]
        subprocess.run([python, "-m", "pip", "install", "-q", *options, *names], check=True)
    found = subprocess.run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], check=True, capture_output=True, text=True)
    return python, found.stdout.strip()


def output(command, **environment):
    """What a program prints; None and its last words, if it fails."""
    run = subprocess.run(command, cwd=FOLDER, env={**os.environ, **environment}, capture_output=True, text=True)
    return (run.stdout, "") if run.returncode == 0 else (None, (run.stderr.strip().splitlines() or ["no message"])[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--torch", metavar="PYTHON", default=str(ROOT / ".venv-torch/bin/python"), help="a Python that has PyTorch (make torch-env)")
    parser.add_argument("words", nargs="*", help="only programs whose names contain one of these")
    options = parser.parse_args()
    python, folder = packages()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as behind:
        pathlib.Path(behind, "sitecustomize.py").write_text(f"import sys\nsys.path += {[folder, str(ROOT / 'python/torchvision-like')]!r}\n")
        for program in sorted(FOLDER.glob("use_*.py")):
            name = program.stem[4:]
            if options.words and not any(word in name for word in options.words):
                continue
            ours, why = output([python, "-m", "winnow", program], PYTHONPATH=str(ROOT / "python"), WINNOW_RNG="torch")
            theirs, why_torch = output([options.torch, program], PYTHONPATH=behind)
            if ours is not None and ours == theirs:
                passed += 1
                print(f"{name}: the same {ours.count(chr(10))} lines", flush=True)
            else:
                failed += 1
                print(f"FAILED {name}\n  winnow: {ours if ours is not None else why}\n  torch: {theirs if theirs is not None else why_torch}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return bool(failed or not passed)


if __name__ == "__main__":
    sys.exit(main())
