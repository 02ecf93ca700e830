#!/usr/bin/env python3
"""Runs PyTorch's own test files on PyTorch and on winnow, and prints what PyTorch passes and winnow does not.

    python oracle/suites/run.py [--folder build/suites] [--python .venv-torch/bin/python] [-v] [FILE ...]      (`make oracle-suites`)

FILE: indexing, view_ops ... (all of FILES unless given). A test counts that this PyTorch passes, and whose name asks for nothing that winnow
has not on purpose (ELSEWHERE). known.txt lists those that fail for a reason; one that passes after all is told. PyTorch's own results are
kept in the folder. The last line is "N passed, N failed". SPDX-License-Identifier: Apache-2.0"""

import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FILES = ["indexing", "view_ops", "type_promotion", "shape_ops", "sort_and_select", "tensor_creation_ops", "torch", "autograd", "nn", "optim", "reductions",
         "linalg", "dataloader"]
ELSEWHERE = re.compile(r"[Cc]omplex|_r_to_c|conj|neg_bit|cfloat|cdouble|chalf|uint(16|32|64)|quint|qint|quant|lazy|sparse|float8|_meta(?![a-z])|cuda|jit|script|named|"
                       r"datapipe|mkldnn|xpu|mps|dynamo|int[48]_mm|_int_mm|tunable|Forward_?Mode|forw?ard_mode|forward_ad|fwad|_cow_|[Ll]ogging")
RESULT = re.compile(r"^(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\s+\S*?::(\S+)")


def results(command, folder, environment, limit):
    """{test: what became of it}, and whether the file ended by itself."""
    try:
        done = subprocess.run([*command, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", "-rA", *environment.pop("FILES")], cwd=folder,
                              env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=limit)
        text, whole = done.stdout, done.returncode in (0, 1)
    except subprocess.TimeoutExpired as late:
        text, whole = (late.stdout or b"").decode(), False
    found = [RESULT.match(line) for line in text.splitlines()]
    return {m[2]: m[1] for m in found if m}, whole, text


def of_pytorch(options, name):
    path = os.path.join(options.folder, f"pytorch_{name}.json")
    if not os.path.exists(path):
        found, whole, text = results([options.python], options.folder, {"FILES": [f"test_{name}.py"], "WINNOW_SUITES": HERE}, options.limit)
        if "PASSED" not in found.values():
            print(f"PyTorch itself passes nothing of test_{name}.py:\n{text[-2000:]}")
            return {}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(found, file)
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def known():
    """{file: {pattern: reason}} of known.txt: lines "file pattern: reason"."""
    table = {}
    with open(os.path.join(HERE, "known.txt"), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                where, reason = line.rstrip("\n").split(": ", 1)
                name, pattern = where.split(" ", 1)
                table.setdefault(name, {})[pattern] = reason
    return table


def judge(options, name, reasons):
    expected = of_pytorch(options, name)
    site = subprocess.run([options.python, "-c", "import os, torch; print(os.path.dirname(os.path.dirname(torch.__file__)))"], capture_output=True, text=True)
    environment = {"TORCH_SITE": site.stdout.strip(), "WINNOW_SUITES": HERE, "PYTHONPATH": os.path.join(ROOT, "python"), "WINNOW_RNG": "torch",
                   "FILES": [f"test_{name}.py"]}
    got, whole, text = results([options.python, "-m", "winnow"], options.folder, environment, options.limit)
    if not got or not expected:
        print(f"{name}: nothing ran, which is a failure\n{text[-1500:]}")
        return 0, 1
    # What was not collected wants the operator database, or that of modules, which the bridge leaves out.
    wanted = [test for test, what in expected.items() if what == "PASSED" and not ELSEWHERE.search(test) and (test in got or not whole)]
    failing = [test for test in wanted if got.get(test) != "PASSED"]
    excused = {test: p for test in failing for p in reasons if re.fullmatch(p, test.partition("::")[2])}
    bad = [test for test in failing if test not in excused]
    for pattern in sorted(set(reasons) - set(excused.values())):
        print(f"{name}: known.txt lists {pattern}, which nothing needs")
    print(f"{name:20} {len(wanted) - len(failing):5} {len(excused):9} {len(bad):6} {len(expected) - len(wanted):9}{'' if whole else '  (did not end)'}", flush=True)
    for test in bad if options.verbose else []:
        print(f"    {test} {got.get(test, 'not run')}")
    return len(wanted) - len(failing), len(bad)


def prepare(folder):
    """Today's helpers let the class of a device inherit from the one that is written in the file, so that `super(self.__class__, self)`, as
    PyTorch 2.6 has it, would call the same method again."""
    shutil.copy(os.path.join(HERE, "conftest.py"), folder)
    for path in glob.glob(os.path.join(folder, "test_*.py")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if "super(self.__class__, self)" in text:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace("super(self.__class__, self)", "super()"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", default=os.path.join(ROOT, "build", "suites"))
    parser.add_argument("--python", default=os.path.join(ROOT, ".venv-torch", "bin", "python"))
    parser.add_argument("--limit", type=int, default=1800, help="seconds for a file")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    options.folder = os.path.abspath(options.folder)
    if not os.path.isdir(options.folder):
        sys.exit(f"oracle-suites: {options.folder} is not there; `make oracle-suites` fetches PyTorch's test files into it")
    prepare(options.folder)
    reasons = known()
    print(f"{'':20} {'pass':>5} {'excused':>9} {'fail':>6} {'left out':>9}")
    counts = [judge(options, name, reasons.get(name, {})) for name in options.files or FILES]
    passed, failed = (sum(c) for c in zip(*counts))
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
