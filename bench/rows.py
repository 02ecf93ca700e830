#!/usr/bin/env python3
"""A list of problems for versus_torch.py --list: every pointwise row of docs/operations.md in every dtype it takes.

    python3 bench/rows.py [--shapes 10000 1000x1000t ...] [--dtypes f32 bf16 ...] [PART OF A NAME ...] > rows.txt
    python3 bench/versus_torch.py --threads 1 --cpu --stat min --pairs 3 --time 0.02 --list rows.txt

A shape is that of the first operand, or of all: 1000x1000,1000 broadcasts. Rows that take no tensor, or an argument that the benchmark would have to be
told, are left out. SPDX-License-Identifier: Apache-2.0"""
import argparse
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SECTIONS = ("Pointwise", "Activations", "Special functions")
FLOATS, INTEGERS = ("f32", "f64", "f16", "bf16"), ("i64", "i32", "i16", "u8")
TAKES = {"all": FLOATS + INTEGERS + ("bool",), "all but bool": FLOATS + INTEGERS, "floating": FLOATS, "f32, f64": FLOATS[:2],
         "integers": INTEGERS, "integers, bool": INTEGERS + ("bool",)}


def rows():
    """(name, tensors, dtypes) of the documented rows whose other arguments have defaults."""
    section = ""
    for line in open(os.path.join(ROOT, "docs", "operations.md"), encoding="utf-8"):
        if line.startswith("## "):
            section = line[3:].strip()
        m = re.match(r"\| `(\w+)(?:\.\w+)?\(([^`]*)\) -> Tensor`[^|]*\|(?:[^|\\]|\\.)*\| ([^|]*) \|", line)
        if section not in SECTIONS or not m or m[1].startswith("_") or m[3] not in TAKES:
            continue
        arguments = [a.strip() for a in m[2].split(",") if a.strip() != "*"]
        tensors = sum(re.match(r"Tensor(\(a!?\))? ", a) is not None for a in arguments)
        if tensors and all("=" in a or a.startswith("Tensor") for a in arguments) and not m[1].endswith("_backward"):
            yield m[1], tensors, TAKES[m[3]]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("names", nargs="*", help="rows whose names contain one of these; none: all")
    p.add_argument("--shapes", nargs="+", default=["10000"])
    p.add_argument("--dtypes", nargs="+", default=list(FLOATS + INTEGERS + ("bool",)))
    o = p.parse_args()
    seen = set()
    for name, tensors, dtypes in rows():
        if name in seen or (o.names and not any(n in name for n in o.names)):
            continue
        seen.add(name)
        for dtype in (d for d in dtypes if d in o.dtypes):
            for shape in o.shapes:
                if "," not in shape or tensors == shape.count(",") + 1:
                    print("%s\t%s %s %s" % (dtype, name, dtype, shape))


if __name__ == "__main__":
    main()
