#!/usr/bin/env python3
"""Training steps from Python, winnow against PyTorch: the same text (steps.py) in two processes, both alive and taking turns.

    .venv-torch/bin/python bench/steps_versus_torch.py [--threads N] [--pairs N] [--cpu] [--stat min] [WORD...]
    .venv-torch/bin/python bench/steps_versus_torch.py --jax PYTHON       JAX's jitted steps as well (steps_jax.py, run by PYTHON)

WORDs choose steps by a part of their names; none: the seven that are compared everywhere. The first three losses of both sides are compared before
anything is timed. Lines are those of versus_torch.py, with winnow's page faults of a step; --jax adds JAX's time / winnow's.
SPDX-License-Identifier: Apache-2.0"""
import argparse
import importlib.util
import os
import statistics
import sys
import time

import steps
from versus_torch import HEAD, ROOT, Child, geomean, line, quartiles, share_processor

HERE = os.path.dirname(os.path.abspath(__file__))
IN_JAX = ("mlp 784-512-512-10 b128", "cnn b64")


def find_torch():
    """The Python that has PyTorch: this one, or that of .venv-torch."""
    if importlib.util.find_spec("torch"):
        return sys.executable
    python = os.path.join(ROOT, ".venv-torch", "bin", "python")
    if not os.path.exists(python):
        sys.exit("steps_versus_torch: PyTorch is not here; `make torch-env` installs it in .venv-torch (about 200 MB).")
    return python


def start(python, script, arguments, o):
    """A side, with as many processors as it has threads."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(o.threads), MKL_NUM_THREADS=str(o.threads),
                       STEPS_OPTIMIZERS="default" if o.default_optimizers else "fused")
    child = Child([python, os.path.join(HERE, script), *arguments, str(o.threads)], environment)
    child.ask("clock " + ("cpu" if o.cpu else "wall"))
    return child


def different(name, a, b):
    """None, or why the two sides do not compute the same."""
    a, b = a.ask("losses " + name)["losses"], b.ask("losses " + name)["losses"]
    if all(abs(x - y) <= 1e-3 * max(abs(y), 1e-2) for x, y in zip(a, b)):
        return None
    return "the losses differ: %s and %s" % (a, b)


def compare(name, sides, o):
    """{side: [ns of each turn]}, winnow's faults."""
    times, faults = {side: [] for side in sides}, []
    for i in range(o.pairs):
        if o.threads == 1:
            share_processor(i, *(child.process.pid for child in sides.values()))
        for side, child in sides.items():
            answer = child.ask("time %g %s" % (o.time, name))
            times[side].append(answer["min_ns" if o.stat == "min" else "median_ns"])
            if side == "winnow":
                faults.append(answer["faults"])
            if o.threads > 1:
                time.sleep(0.004)  # its threads may still spin
    return times, statistics.median(faults)


def result(name, times):
    """What versus_torch.line prints."""
    theirs = times["torch"]
    own = [a / b for a, b in zip(theirs, theirs[1:])]
    return {"problem": name, "ratio": quartiles([t / w for t, w in zip(theirs, times["winnow"])]), "self": quartiles(own) if own else (1, 1, 1),
            "torch_ns": statistics.median(theirs), "winnow_ns": statistics.median(times["winnow"]), "gflops": None, "gbps": None}


def main():
    a = argparse.ArgumentParser(description="Training steps from Python: ratio = PyTorch's time / winnow's time, more than 1 is good.")
    a.add_argument("words", nargs="*", help="parts of the steps' names; none: the seven that are compared everywhere; 'all': all")
    a.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    a.add_argument("--pairs", type=int, default=15)
    a.add_argument("--time", type=float, default=0.2, help="seconds for one side of a pair; at least three steps")
    a.add_argument("--stat", choices=["median", "min"], default="median", help="of the steps of one side of a pair")
    a.add_argument("--cpu", action="store_true", help="processor time instead of wall time; one thread only")
    a.add_argument("--default-optimizers", action="store_true", help="PyTorch's optimisers as programs write them, without fused=True")
    a.add_argument("--jax", metavar="PYTHON", help="a Python that has JAX: its jitted MLP and CNN steps take turns too")
    o = a.parse_args()
    if o.cpu and o.threads != 1:
        a.error("--cpu is for --threads 1: processor time adds up all threads")
    names = [n for n in steps.STEPS if o.words == ["all"] or any(w in n for w in o.words)] if o.words else list(steps.STEPS)[:steps.DEFAULT]
    python = find_torch()
    sides = {"torch": start(python, "steps.py", ["torch"], o), "winnow": start(python, "steps.py", ["winnow"], o)}
    if o.jax:
        sides["jax"] = start(o.jax, "steps_jax.py", [], o)
    print("threads: %d   pairs: %d of %g s each   %s %s" % (o.threads, o.pairs, o.time, o.stat, "processor time" if o.cpu else "wall time"))
    print(HEAD.replace("winnow's rate", "winnow's faults") + ("   JAX us  ratio" if o.jax else ""), flush=True)
    results = []
    for name in names:
        apart = different(name, sides["winnow"], sides["torch"])
        if apart:
            print("%-58s %s" % (name, apart), flush=True)
            continue
        times, faults = compare(name, {s: c for s, c in sides.items() if s != "jax" or name in IN_JAX}, o)
        results.append(result(name, times))
        text = line(results[-1]) + "%15.3g" % faults
        if "jax" in times:
            text += "%9.0f  %5.2f" % (statistics.median(times["jax"]) / 1e3, statistics.median(j / w for j, w in zip(times["jax"], times["winnow"])))
        print(text, flush=True)
    for child in sides.values():
        child.close()
    if results:
        worst = min(results, key=lambda r: r["ratio"][1])
        print("\ngeometric mean %.2f, worst %.2f (%s)" % (geomean([r["ratio"][1] for r in results]), worst["ratio"][1], worst["problem"]))
    return 0 if len(results) == len(names) else 1


if __name__ == "__main__":
    sys.exit(main())
