#!/usr/bin/env python3
"""Random streams: does WINNOW_RNG=torch give PyTorch's numbers, and leave the generator in PyTorch's state?

    python oracle/streams.py --path python                               every case of tests/python/streams.py, thoroughly, on both
    python oracle/streams.py --record tests/python/streams_expected.txt.gz   what tests/python/test_streams.py compares with

SPDX-License-Identifier: Apache-2.0"""

import argparse
import gzip
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.join(HERE, "..", "tests", "python")
sys.path.insert(0, TESTS)
import streams  # noqa: E402


def outcomes(interpreter, arguments, **environment):
    """Begins to ask a process; the answer is awaited by communicate()."""
    command = [*interpreter, os.path.join(TESTS, "streams.py"), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})


def judge(path, seed):
    arguments = ["thorough", str(seed)]
    asked = [outcomes([sys.executable], arguments), outcomes([sys.executable, "-m", "winnow"], arguments, PYTHONPATH=path, WINNOW_RNG="torch")]
    expected, got = (process.communicate()[0].splitlines() for process in asked)
    passed, wrong = 0, {}
    for case, want, have in zip(streams.cases(thorough=True), expected, got, strict=True):
        if want.endswith("Error"):  # where PyTorch refuses, winnow may do more
            continue
        if streams.agree(want, have, case):
            passed += 1
        else:
            wrong.setdefault((case[0], case[3]), []).append(f"{case[1]} {case[2]}: {have} and not {want}")
    for (expression, dtype), differences in wrong.items():
        print(f"FAIL {expression} {dtype or ''}: {len(differences)} forms, {differences[0][:300]}")
    failed = sum(map(len, wrong.values()))
    print(f"{passed} passed, {failed} failed")
    return int(bool(failed) or not passed)


def record(path):
    process = outcomes([sys.executable], [])
    lines = streams.together(process.communicate()[0].splitlines())
    with open(path, "wb") as file, gzip.GzipFile("", "wb", mtime=0, fileobj=file) as packed:
        packed.write("".join(line + "\n" for line in lines).encode())
    print(f"{len(lines)} lines")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--path", metavar="DIR", default="python", help="where winnow lies")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--record", metavar="FILE", help="write what PyTorch gives")
    args = parser.parse_args()
    return record(args.record) if args.record else judge(args.path, args.seed)


if __name__ == "__main__":
    sys.exit(main())
