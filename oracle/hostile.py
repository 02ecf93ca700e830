#!/usr/bin/env python3
"""Asks PyTorch what it does with each expression of tests/python/hostile.py, for tests/python/test_hostile.py to compare with:

    python oracle/hostile.py tests/python/hostile_expected.txt

A line is the class of the error (ok: none; DIED or LONGER: PyTorch crashed, or took more than 20 s; then anything orderly will do),
a tab, and the expression. SPDX-License-Identifier: Apache-2.0"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "python"))
import hostile  # noqa: E402


def main(path):
    got = hostile.outcomes([sys.executable])
    with open(path, "w", encoding="utf-8") as file:
        for what, expression in zip(got, hostile.expressions(), strict=True):
            file.write(f"{what.split()[0]}\t{expression}\n")
    print({what: sum(g.split()[0] == what for g in got) for what in sorted({g.split()[0] for g in got})})


if __name__ == "__main__":
    main(sys.argv[1])
