#!/usr/bin/env python3
"""Forward, and forward with backward, of some 270 operations and layers from Python, winnow beside PyTorch: for finding what is far behind.

    python3 bench/gradients_versus_torch.py [REGEX of names] [--dtype float32] [--rows 1000] [--columns 1000] [--runs 3] [--below 1.0] [--threads 1]

Each side runs in processes of its own, in turns; of each time the least counts. Prints microseconds and PyTorch's time / winnow's,
slowest first ("b." with gradients of all operands, "f." without). What one side refuses is listed at the end. Five minutes for all.
SPDX-License-Identifier: Apache-2.0"""

import argparse
import json
import os
import re
import subprocess
import sys
import time

from gradients import cases
from steps_versus_torch import find_torch

HERE = os.path.dirname(os.path.abspath(__file__))


def least(f):
    f()
    begin = time.perf_counter()
    f()
    best = time.perf_counter() - begin
    for _ in range(max(3, min(60, int(0.08 / best)))):
        begin = time.perf_counter()
        f()
        best = min(best, time.perf_counter() - begin)
    return 1e6 * best


def one_side(o):
    if o.side == "winnow":
        sys.path.insert(0, os.path.join(HERE, "..", "python"))
        import winnow._hook

        winnow._hook.install()
    import torch

    torch.set_num_threads(o.threads)
    torch.manual_seed(0)
    dtype = getattr(torch, o.dtype)
    for name, (f, *sizes) in cases(torch, dtype, o.rows, o.columns).items():
        if not re.search(o.names, name):
            continue
        try:
            leaves = [(torch.rand(s) * 0.8 + 0.1 if isinstance(s, tuple) else torch.randn(s)).to(dtype).requires_grad_() for s in sizes]
            g = torch.randn_like(f(*leaves))

            def step():
                for a in leaves:
                    a.grad = None
                f(*leaves).backward(g)
                for a in leaves:
                    a.grad.data_ptr()

            def forward():
                with torch.no_grad():
                    f(*leaves).data_ptr()

            print(json.dumps([name, least(step), least(forward)]), flush=True)
        except Exception as e:  # whatever this side does not do
            print(json.dumps([name, f"{type(e).__name__}: {e}"[:120]]), flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("names", nargs="?", default="")
    p.add_argument("--dtype", default="float32")
    p.add_argument("--rows", type=int, default=1000)
    p.add_argument("--columns", type=int, default=1000)
    p.add_argument("--runs", type=int, default=3)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--below", type=float, default=float("inf"), help="print only what is below this")
    p.add_argument("--side", choices=["torch", "winnow"], help=argparse.SUPPRESS)
    o = p.parse_args()
    if o.side:
        return one_side(o)
    python, times, refused = find_torch(), {"torch": {}, "winnow": {}}, {}
    for _ in range(o.runs):
        for side in times:
            r = subprocess.run(
                [python, os.path.abspath(__file__), *sys.argv[1:], "--side", side],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            if r.returncode:
                sys.exit(f"{side} could not run: exit status {r.returncode} (`make python` builds winnow's front)")
            for name, *t in map(json.loads, r.stdout.splitlines()):
                if isinstance(t[0], str):
                    refused[side, name] = t[0]
                    continue
                for key, v in zip(("b. " + name, "f. " + name), t):
                    times[side][key] = min(v, times[side].get(key, v))
    both = sorted((times["torch"][k] / times["winnow"][k], k) for k in times["torch"] if k in times["winnow"])
    print(f"{'':42}  torch us  winnow us  ratio")
    for ratio, k in both:
        if ratio < o.below:
            print(f"{k:42} {times['torch'][k]:9.1f}  {times['winnow'][k]:9.1f}  {ratio:5.2f}")
    for (side, name), why in refused.items():
        print(f"{side} refuses {name}: {why}")


if __name__ == "__main__":
    main()
