"""PyTorch's side of the fused_... problems (bench/wnbench/fused.c), and the table of what is promised about them.
versus_torch.py --fused prints it. SPDX-License-Identifier: Apache-2.0"""
import math
import os
import statistics
import time

import torch
import torch.nn.functional as F

EPS, DROP = 1e-5, 0.1


def chain(a, b, c):
    t = a * b + c
    t = torch.where(t > 0.5, 2 * t, t)
    return t * t + 3 * t


def sparse(x, m):
    return torch.where(m, torch.tanh(torch.log1p(torch.exp(x))), x).sum()


def gelu_rows(z):
    return z * 0.5 * (1 + torch.erf(z * 0.70710678118654752))


def norm_rows(x, w, b):
    d = x - x.mean(-1, keepdim=True)
    v = (d * d).mean(-1, keepdim=True)
    return d * torch.rsqrt(v + EPS) * w + b


def norm(x, w, b):
    return F.layer_norm(x, (x.shape[-1],), w, b, EPS)


def softmax_rows(x):
    e = torch.exp(x - x.detach().amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


def dropout_norm_rows(x, h, w, b):
    keep = torch.rand_like(h) >= DROP
    return norm_rows(x + h * keep * (1 / (1 - DROP)), w, b)


CASES = { # name: (built-in operations, rows)
    "chain": (chain, None),
    "sparse": (sparse, None),
    "bias_gelu": (lambda x, b: F.gelu(x + b), lambda x, b: gelu_rows(x + b)),
    "layer_norm": (norm, norm_rows),
    "softmax": (lambda x: torch.softmax(x, -1), softmax_rows),
    "gelu_norm": (lambda x, w, b: F.gelu(norm(x, w, b)), lambda x, w, b: gelu_rows(norm_rows(x, w, b))),
    "dropout_norm": (lambda x, h, w, b: norm(x + F.dropout(h, DROP, True), w, b), dropout_norm_rows),
    "relu_linear": (lambda x, w, b: torch.relu(x @ w + b), None),
    "conv_relu": (lambda x, w, b: torch.relu(F.conv2d(x, w, b, padding=1)), None),
}

# problem: (least ratio against eager PyTorch, least ratio against torch.compile, most memory as a share of PyTorch's); None: no promise
SIZE = " f32 4096x768 bwd"
PROMISES = {
    "fused_chain f32 100000": (4, 1 / 2.2, None),
    "fused_chain f32 1000000": (4, 1 / 2.2, None),
    "fused_chain f32 30000000": (4, 1 / 2.2, None),
    "fused_sparse f32 1000000": (6, None, None),
    "fused_sparse f32 1000000 bwd": (5, None, None),
}
for _name in ("bias_gelu", "layer_norm", "softmax", "gelu_norm", "dropout_norm"):
    PROMISES["fused_" + _name + SIZE] = (1, None, None)  # kernels on both sides: the peak is what the results take
    PROMISES["fused_" + _name + SIZE + " rows"] = (2, None, 0.5)
for _name in ("relu_linear f32 512x1024,1024x1024", "relu_linear f32 64x3136,3136x128", "conv_relu f32 64x1x28x28,32x1x3x3", "conv_relu f32 64x32x14x14,64x32x3x3"):
    PROMISES["fused_" + _name] = (None, None, None)
STEP = "step cnn b64"


def build(spec, make_tensor, sums, compiled=False):
    """(run, check) as in versus_torch.py."""
    function = CASES[spec["case"]][1 if spec["rows"] else 0]
    if compiled:
        function = torch.compile(function)
    operands = [make_tensor(o, o["seed"]) for o in spec["operands"]]
    leaves = [t for t in operands if t.requires_grad]
    y = function(*operands)
    cotangent = None
    if leaves and y.dim():
        o = {"shape": list(y.shape), "t": False, "lo": -1, "hi": 1, "dtype": spec["operands"][0]["dtype"]}
        cotangent = make_tensor(o, 99)
    del y

    def results():
        y = function(*operands)
        return [y] + list(torch.autograd.grad(y, leaves, cotangent)) if leaves else [y]

    def run():
        for t in results():
            t.data_ptr()
    return run, None if spec["random"] else lambda: sums(results())


# --------------------------------------------------------------------------------------------------------- memory

def peak_of(run):
    """Bytes above the operands at the highest moment of a run: every allocation and release of PyTorch's CPU allocator, as its
    profiler reports them. winnow's number is the same: wn_get_stats().allocated_peak over what was there before."""
    run()
    quiet, saved = os.open(os.devnull, os.O_WRONLY), os.dup(2) # the profiler talks
    os.dup2(quiet, 2)
    try:
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as p:
            run()
        events = [(e.start_ns(), e.nbytes()) for e in p.profiler.kineto_results.events() if e.name() == "[memory]"]
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(quiet)
    now = peak = 0
    for _, n in sorted(events, key=lambda e: e[0]):
        now += n
        peak = max(peak, now)
    return peak


# ---------------------------------------------------------------------------------------------------------- table

def verdict(ratio, least):
    return "" if least is None else "pass" if ratio >= least else "MISS"


def quartiles(v):
    if len(v) < 2:
        return v[0], v[0], v[0]
    q = statistics.quantiles(v, n=4, method="inclusive")
    return q[0], q[1], q[2]


def ask_time(winnow, problem, o):
    answer = winnow.ask("time %g %s" % (o.time, problem))
    if "error" in answer:
        raise RuntimeError(answer["error"])
    return answer["min_ns" if o.stat == "min" else "median_ns"]


def take_turns(sides, pairs, pause):
    """Times of each side, taken in turns."""
    times = [[] for _ in sides]
    for _ in range(pairs):
        for i, side in enumerate(sides):
            times[i].append(side())
            time.sleep(pause)
    return times


def milliseconds(ns):
    return "%.3f" % (ns / 1e6) if ns < 1e8 else "%.1f" % (ns / 1e6)


HEAD = "%-46s %6s %-15s %6s %5s  %6s %6s %5s  %9s %9s  %8s %8s %5s %5s  %s" % (
    "problem", "eager", "  quartiles", "wanted", "", "comp.", "wanted", "", "torch ms", "winnow ms", "torch MB", "winn. MB", "share", "", "programs, instructions/element (skipped)")


def one(problem, winnow, timer, o, tools):
    spec = winnow.ask("spec " + problem)
    if "error" in spec:
        return "%-46s none  %s" % (problem, spec["error"]), 0
    run, check = build(spec, tools.make_tensor, tools.sums)
    different = tools.compare_results(winnow, spec, check)
    if different:
        return "%-46s none  %s" % (problem, different), 1
    compiled, why = None, ""
    least_eager, least_compiled, most_memory = PROMISES[problem]
    if o.compile:
        try:
            compiled, _ = build(spec, tools.make_tensor, tools.sums, True)
            for _ in range(5): # warm
                compiled()
        except Exception as e: # whatever torch.compile throws: no compiler, an unsupported operation
            compiled, why = None, "  torch.compile: " + (str(e).splitlines() or [type(e).__name__])[0][:60]
    sides = [lambda: timer.time(run, o.time, o.stat), lambda: ask_time(winnow, problem, o)]
    if compiled:
        sides.append(lambda: timer.time(compiled, o.time, o.stat))
    pairs = min(o.pairs, 5) if " 30000000" in problem else o.pairs
    times = take_turns(sides, pairs, 0.004 if o.threads > 1 else 0)
    eager = quartiles([t / w for t, w in zip(times[0], times[1])])
    comp = quartiles([t / w for t, w in zip(times[2], times[1])])[1] if compiled else None
    tally, theirs = winnow.ask("tally " + problem), peak_of(run)
    share = tally["peak"] / theirs if theirs else math.nan
    n = math.prod(spec["operands"][0]["shape"])
    words = [verdict(eager[1], least_eager), verdict(comp, least_compiled) if comp else "", verdict(1 / max(share, 1e-9), most_memory and 1 / most_memory)]
    text = "%-46s %6.2f [%5.2f ..%6.2f] %6s %5s  %6s %6s %5s  %9s %9s  %8.1f %8.1f %5.2f %5s  %d, %.2f (%.2f)%s" % (
        problem, eager[1], eager[0], eager[2], "" if least_eager is None else "%.3g" % least_eager, words[0], "%.2f" % comp if comp else "",
        "%.3f" % least_compiled if least_compiled and comp else "", words[1], milliseconds(statistics.median(times[0])), milliseconds(statistics.median(times[1])),
        theirs / 1e6, tally["peak"] / 1e6, share, words[2], tally["programs"], tally["instr_elements"] / n, tally["skipped"] / n, why)
    return text, sum(w == "MISS" for w in words)


def demo_step(make_winnow, o):
    """The demo network's step, deferral on against off: two children, in turns."""
    on, off = make_winnow(), make_winnow()
    times = take_turns([lambda: ask_time(on, STEP, o), lambda: ask_time(off, STEP + " nodefer", o)], o.pairs, 0.004 if o.threads > 1 else 0)
    memory = [w.ask("tally " + p)["peak"] / 1e6 for w, p in ((on, STEP), (off, STEP + " nodefer"))]
    on.close(), off.close()
    q = quartiles([b / a for a, b in zip(*times)])
    print("%-46s %6.2f [%5.2f ..%6.2f] %6s %5s  %s ms on, %s ms off; peak %.1f MB on, %.1f MB off" % (
        STEP + ", deferral off / on", q[1], q[0], q[2], "1", verdict(q[1], 1), milliseconds(statistics.median(times[0])), milliseconds(statistics.median(times[1])),
        memory[0], memory[1]), flush=True)
    return q[1] < 1


def table(problems, make_winnow, timer, o, tools):
    """Prints the table for one thread count; the number of promises that are not kept."""
    torch.set_num_threads(o.threads)
    winnow = make_winnow()
    print("\n%d thread%s: eager = eager PyTorch's time / winnow's, comp. = torch.compile's (warm) / winnow's; medians of %d pairs. MB: peak above the operands, "
          "share = winnow's / PyTorch's" % (o.threads, "" if o.threads == 1 else "s", o.pairs))
    print(HEAD, flush=True)
    missed = 0
    for problem in problems:
        try:
            text, bad = one(problem, winnow, timer, o, tools)
        except RuntimeError as e:
            text, bad = "%-46s none  %s" % (problem, str(e).splitlines()[0]), 1
        missed += bad
        print(text, flush=True)
    winnow.close()
    missed += demo_step(make_winnow, o)
    return missed
