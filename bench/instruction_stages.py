#!/usr/bin/env python3
"""Where the instructions of one call on one element go: the stages of the hot path, from C and from Python, against their budgets.

    PYTHONPATH=python python3 bench/instruction_stages.py [--wnbench build/bench/wnbench] [--functions]

Counted by callgrind (exact): two runs that differ in the number of calls, the empty loop taken off. A function belongs to the stage
in STAGES that names it; --functions lists them. Exit 1 when a stage is over its budget. SPDX-License-Identifier: Apache-2.0"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FEW, MANY = 1000, 5000
LINE = re.compile(r"\s*([\d,]+) \([ \d.]+%\)\s+[^ ]*?:([^\s']+)(?:'\d+)?(?: \[(.*)\])?$")

STAGES = (  # name, functions; what no stage names is the caller's: the interpreter, the benchmark's own code
    ("arguments", r"wnpy_(call|overridden|run_raw|to_\w+)|binary|call|convert|bind|method_\d+|add|wn_numel|wn_call(_inplace)?|wn_add(_inplace)?_x|results|wn_ok"),
    ("dispatch", r"wn__express1|wn__try_small|may_change"),
    ("graph node", r"wn__record_small|wn__grad_meta_of"),
    ("result", r"wn__tensor_like|wn__lend"),
    ("kernel", r"k_add_\w+"),
    ("wrapping", r"wnpy_wrap\w*|new_object|wn_(set_)?user|PyType_(GenericAlloc|GetSlot)|_?PyObject_Malloc|_Py_NewReference|_PyObject_GC_Link|__memset\w+"),
    ("giving back", r"wn_done|wn_drop|wn__tensor_free|free_contents|wn__grad_meta_free|wn__node_release|dealloc|object_dealloc|_?PyObject_Free|"
                    r"PyObject_GC_(Del|UnTrack)|__memcpy\w+"),
)
CALLS = (  # from, problem or code, the empty loop; budgets of the stages and of the whole (from Python: today's + 5%)
    ("C", "op add_ f32 1", "op none f32 1", {"arguments": 10, "dispatch": 280, "kernel": 30, "giving back": 10}, 400),
    ("C", "op add f32 1", "op none f32 1", {"arguments": 10, "dispatch": 260, "result": 130, "kernel": 30, "giving back": 80}, 600),
    ("C", "op add f32 1 grad", "op none f32 1", {"arguments": 10, "dispatch": 340, "graph node": 230, "result": 130, "kernel": 30, "giving back": 200}, 900),
    ("Python", "a.add_(b)", "pass", {"arguments": 500, "dispatch": 240, "kernel": 30, "wrapping": 120, "giving back": 70}, 1200),
    ("Python", "a + b", "pass", {"arguments": 260, "dispatch": 210, "result": 105, "kernel": 30, "wrapping": 290, "giving back": 200}, 1250),
)
PROGRAM = """import gc, winnow as t
a = t.ones(1); b = t.zeros(1)
gc.collect(); gc.freeze()
def f(a, b):
    for _ in range({n}): {code}
f(a, b)
"""


def functions(side, what, n, wnbench, folder):
    """{function: instructions} of a run of n calls."""
    out = os.path.join(folder, "out")
    command = [wnbench, "--threads", "1", "--runs", str(n), what] if side == "C" else [sys.executable, "-c", PROGRAM.format(n=n, code=what)]
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + out, *command], capture_output=True, text=True,
                          env={**os.environ, "PYTHONHASHSEED": "0"}, check=False)
    if done.returncode:
        sys.exit("instruction_stages: " + done.stderr)
    text = subprocess.run(["callgrind_annotate", "--threshold=100", out], capture_output=True, text=True, check=True).stdout
    counts = {}
    for found in filter(None, map(LINE.match, text.splitlines())):
        counts[found[2]] = counts.get(found[2], 0) + int(found[1].replace(",", ""))
    return counts


def per_call(side, what, wnbench, folder):
    few, many = (functions(side, what, n, wnbench, folder) for n in (FEW, MANY))
    return {f: (many[f] - few.get(f, 0)) / (MANY - FEW) for f in many}


def stage_of(function):
    return next((name for name, pattern in STAGES if re.fullmatch(pattern, function)), "caller")


def main():
    a = argparse.ArgumentParser(description="Instructions of a call by stages.")
    a.add_argument("--wnbench", default=os.path.join(ROOT, "build", "bench", "wnbench"))
    a.add_argument("--functions", action="store_true")
    o = a.parse_args()
    names, loops, over = ["caller"] + [name for name, _ in STAGES], {}, 0
    print("%-6s %-18s" % ("", "") + "".join("%12s" % n for n in names) + "%10s" % "all")
    with tempfile.TemporaryDirectory() as folder:
        for side, what, empty, budget, limit in CALLS:
            if empty not in loops:
                loops[empty] = per_call(side, empty, o.wnbench, folder)
            each = per_call(side, what, o.wnbench, folder)
            spent = dict.fromkeys(names, 0.0)
            for f in set(each) | set(loops[empty]):
                spent[stage_of(f)] += each.get(f, 0) - loops[empty].get(f, 0)
            total = sum(spent.values())
            print("%-6s %-18s" % (side, what) + "".join("%12s" % ("%.0f/%d" % (spent[n], budget[n]) if n in budget else "%.0f" % spent[n]) for n in names)
                  + "%10s" % ("%.0f/%d" % (total, limit)), flush=True)
            over += any(spent[n] > budget[n] for n in budget) or total > limit
            for f, v in sorted(each.items(), key=lambda item: -item[1]) if o.functions else ():
                if v >= 1:
                    print("%20.0f  %-12s %s" % (v, stage_of(f), f))
    return int(over > 0)


if __name__ == "__main__":
    sys.exit(main())
