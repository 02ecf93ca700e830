#!/usr/bin/env python3
"""What a call costs from Python: winnow beside PyTorch and NumPy (where they are installed), in one process, in turns.

    PYTHONPATH=python .venv-torch/bin/python bench/python_calls.py [--pairs 15] [--instructions] [--gate]

Times are medians over the pairs, in ns; ratios are medians of ratios within a pair. --instructions counts winnow's instructions
for each call with callgrind (valgrind), which is exact where times are not. --gate fails if winnow is over one of
these limits: add 300 ns, x[3] 250, x[1:5] 350, backward through 20 operations 30 us, import 30 ms over a bare interpreter.
SPDX-License-Identifier: Apache-2.0"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

CALLS = [  # name, code, calls of it in a measurement, limit in ns
    ("a + b", "a + b", 20000, 300),
    ("a + 1", "a + 1", 20000, None),
    ("a.add_(b)", "a.add_(b)", 20000, None),
    ("x[3]", "x[3]", 20000, 250),
    ("x[1:5]", "x[1:5]", 20000, 350),
    ("x.sum()", "x.sum()", 20000, None),
    ("x.reshape(10, 10)", "x.reshape(10, 10)", 20000, None),
    ("x[mask]", "x[mask]", 5000, None),
    ("float(a)", "float(a)", 20000, None),
]
BACKWARD = """
y = w
for _ in range(20):
    y = y * c
y.backward()
"""


def objects(module):
    if module.__name__ == "numpy":
        x = module.arange(100, dtype="float32")
        return {"a": module.ones(1, "float32"), "b": module.zeros(1, "float32"), "x": x, "mask": x > 50}
    x = module.arange(100, dtype=module.float32)
    return {"a": module.ones(1), "b": module.zeros(1), "x": x, "mask": x > 50, "w": module.ones(1, requires_grad=True), "c": module.ones(1)}


def loop(code, n):
    """A function that runs code n times and returns ns a time."""
    names = {"clock": time.perf_counter_ns}
    body = "\n".join("        " + line for line in code.strip().split("\n"))
    exec(f"def run(g):\n    {'; '.join(f'{k} = g.get({k!r})' for k in 'abxwc')}; mask = g.get('mask')\n    t = clock()\n"
         f"    for _i in range({n}):\n{body}\n    return (clock() - t) / {n}", names)
    return names["run"]


def compare(name, code, n, modules, pairs):
    run = loop(code, n)
    times = {m: [] for m in modules}
    for _ in range(pairs + 1):
        for m, names in modules.items():
            try:
                times[m].append(run(names))
            except (AttributeError, TypeError):
                times[m].append(None)
    line = f"{name:34}"
    mine = times["winnow"][1:]
    line += f"{statistics.median(mine):10.0f}"
    for m in modules:
        if m == "winnow":
            continue
        other = times[m][1:]
        if None in other:
            line += f"{'':18}"
            continue
        line += f"{statistics.median(other):10.0f} {statistics.median(o / w for o, w in zip(other, mine)):5.1f}x "
    print(line, flush=True)
    return statistics.median(mine)


def import_ms(what):
    """Median of processes that import something over ones that import nothing."""
    def once(code):
        t = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return 1e3 * (time.perf_counter() - t)
    environment = os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # what users have: compiled modules
    try:
        once(f"import {what}")
        return statistics.median(once(f"import {what}") - once("pass") for _ in range(11))
    finally:
        if environment is not None:
            os.environ["PYTHONDONTWRITEBYTECODE"] = environment


def instructions():
    """Instructions of one call: the difference of two runs that differ in their number."""
    def run(code, n):
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "s.py")
            with open(script, "w") as f:
                f.write("import winnow as t\nx = t.arange(100, dtype=t.float32); a = t.ones(1); b = t.zeros(1)\n"
                        "w = t.ones(1, requires_grad=True); c = t.ones(1); mask = x > 50\ndef f(a, b, x, w, c, mask, n):\n    for _ in range(n):\n"
                        + "\n".join("        " + line for line in code.strip().split("\n")) + f"\nf(a, b, x, w, c, mask, {n})\n")
            r = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable, script],
                               capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": "0"})
            return int(re.search(r"Collected : (\d+)", r.stderr).group(1))
    print("\ninstructions of a call (the interpreter's own included)")
    for name, code, n in [(c[0], c[1], 4000) for c in CALLS[:5]] + [("backward through 20 multiplications", BACKWARD, 60)]:
        print(f"{name:40}{(run(code, 2 * n) - run(code, n)) / n:10.0f}", flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--pairs", type=int, default=15)
    p.add_argument("--instructions", action="store_true")
    p.add_argument("--gate", action="store_true")
    a = p.parse_args()
    import winnow

    modules = {"winnow": objects(winnow)}
    for name in ("torch", "numpy"):
        try:
            module = __import__(name)
        except ImportError:
            print(f"({name} is not installed: left out)")
            continue
        if name == "torch":
            module.set_num_threads(1)
        modules[name] = objects(module)
    winnow.set_num_threads(1)
    print(f"{'ns a call':34}{'winnow':>10}" + "".join(f"{m:>10}{'':8}" for m in modules if m != "winnow"))
    over = []
    for name, code, n, limit in CALLS:
        t = compare(name, code, n, modules, a.pairs)
        if limit and t > limit:
            over.append(f"{name}: {t:.0f} ns > {limit}")
    modules.pop("numpy", None)
    compare("20 multiplications and backward", BACKWARD, 300, modules, a.pairs)
    t = backward_alone(modules, a.pairs)
    if t > 30000:
        over.append(f"backward: {t:.0f} ns > 30000")
    for what in ["winnow"] + [m for m in ("torch", "numpy") if m in sys.modules and m != "winnow"]:
        ms = import_ms(what)
        print(f"import {what:27}{ms:10.1f} ms over a bare interpreter")
        if what == "winnow" and ms > 30:
            over.append(f"import: {ms:.1f} ms > 30")
    if a.instructions:
        instructions()
    for line in over:
        print("over the limit:", line)
    sys.exit(1 if a.gate and over else 0)


def backward_alone(modules, pairs):
    """Backward through a chain of 20 multiplications, without recording it."""
    def once(g):
        graphs = []
        for _ in range(100):
            y = g["w"]
            for _ in range(20):
                y = y * g["c"]
            graphs.append(y)
        t = time.perf_counter_ns()
        for y in graphs:
            y.backward()
        return (time.perf_counter_ns() - t) / 100
    times = {m: [] for m in modules}
    for _ in range(pairs + 1):
        for m, g in modules.items():
            times[m].append(once(g))
    line = f"{'backward through 20 operations':34}{statistics.median(times['winnow'][1:]):10.0f}"
    for m in modules:
        if m != "winnow":
            line += f"{statistics.median(times[m][1:]):10.0f} {statistics.median(o / w for o, w in zip(times[m][1:], times['winnow'][1:])):5.1f}x "
    print(line, flush=True)
    return statistics.median(times["winnow"][1:])


if __name__ == "__main__":
    main()
