#!/usr/bin/env python3
"""Asks PyTorch how the results of tests/python/layouts.py lie in memory, for tests/python/test_layouts.py to compare with:

    python oracle/layouts.py tests/python/layouts_expected.txt.gz

A line has the strides of the results, a tab, and those of the gradient. SPDX-License-Identifier: Apache-2.0"""

import gzip
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "python"))
import layouts  # noqa: E402


def main(path):
    lines = ["\t".join(layouts.outcome(*case)) + "\n" for case in layouts.cases()]
    lines += [layouts.einsum_strides(equation) + "\n" for equation in layouts.EQUATIONS]
    with open(path, "wb") as file, gzip.GzipFile("", "wb", mtime=0, fileobj=file) as packed:
        packed.write("".join(lines).encode())
    print(f"{len(lines)} lines")


if __name__ == "__main__":
    main(sys.argv[1])
