#!/usr/bin/env python3
"""Programs most of whose work does not count (what_counts.py), winnow beside PyTorch.

    python3 bench/what_counts_versus_torch.py [REGEX of names] [--rounds 3] [--threads 1] [--results]

Each side is one process; they are asked in turns, and of each answer the least processor time of five runs counts. Prints the median of
PyTorch's time / winnow's, and PyTorch against itself: its slowest round by its fastest. --results adds to bench/results. A minute for all.
SPDX-License-Identifier: Apache-2.0"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import time

import results_file
from steps_versus_torch import find_torch
from what_counts import cases

HERE = os.path.dirname(os.path.abspath(__file__))
RUNS = 5


def least(f):
    best = float("inf")
    for run in range(RUNS + 1):
        begin = time.process_time()
        f().reshape(-1)[0].item()
        if run:  # the first one warms up
            best = min(best, time.process_time() - begin)
    return best


def one_side(o):
    """Answers names that come in with seconds; first come the names that there are."""
    if o.side == "winnow":
        sys.path.insert(0, os.path.join(HERE, "..", "python"))
        import winnow._hook

        winnow._hook.install()
    import torch

    torch.set_num_threads(o.threads)
    known = cases(torch)
    print("\t".join(known), flush=True)
    for line in sys.stdin:
        print(least(known[line.rstrip("\n")]), flush=True)


def begin(python, side, o):
    command = [python, os.path.abspath(__file__), "--side", side, "--threads", str(o.threads)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(process, name):
    process.stdin.write(name + "\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="?", default="")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--results", action="store_true")
    parser.add_argument("--side", choices=("torch", "winnow"), help=argparse.SUPPRESS)
    o = parser.parse_args()
    if o.side:
        return one_side(o)
    torch, winnow = begin(find_torch(), "torch", o), begin(sys.executable, "winnow", o)
    names = torch.stdout.readline().rstrip("\n").split("\t")
    winnow.stdout.readline()  # the same
    rows = []
    for name in names:
        if not re.search(o.names, name):
            continue
        times = [(ask(torch, name), ask(winnow, name)) for _ in range(o.rounds)]
        theirs = [t for t, _ in times]
        row = (name, "%.2f" % statistics.median(t / w for t, w in times), "%.2f" % (max(theirs) / min(theirs)),
               "%.2f" % (1e3 * statistics.median(theirs)), "%.2f" % (1e3 * statistics.median(w for _, w in times)))
        print("%8s  (PyTorch against itself %s)  %s ms, %s ms   %s" % (*row[1:], name), flush=True)
        rows.append(row)
    if o.results and rows:
        columns = ("program", "PyTorch's time / winnow's", "PyTorch against itself", "PyTorch, ms", "winnow, ms")
        print(results_file.write([("threads", str(o.threads))], columns, rows))


if __name__ == "__main__":
    main()
