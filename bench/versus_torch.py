#!/usr/bin/env python3
"""winnow against PyTorch, problem by problem, both alive and taking turns.

    python3 bench/versus_torch.py [--threads N] [--pairs N] [--quick] [--gate] [problem...]
    python3 bench/versus_torch.py --fused [--compile] [--threads N]     chains of operations and what they promise (torch_fused.py)

PyTorch runs in this process, winnow in a child (`wnbench --serve`) that explains every problem string to this side (`spec`), so
both run the same call on the same numbers; the results are compared before anything is timed. bench/README.md says how to read
the output. SPDX-License-Identifier: Apache-2.0"""
import argparse
import functools
import json
import math
import operator
import os
import statistics
import subprocess
import sys
import time

import results_file
import steps

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GATES = [("step cnn b64", 1 / 1.5, "the demo's training step takes at most 1.5x PyTorch's time"),
         ("matmul f32 1024x1024,1024x1024", 1.0, "f32 matmul 1024 at least at PyTorch's rate")]


def find_torch(gate):
    """Imports torch and numpy here, or starts again with .venv-torch's Python, or says how to get them."""
    try:
        import numpy
        import torch
        return torch, numpy
    except ImportError:
        python = os.path.join(ROOT, ".venv-torch", "bin", "python")
        if os.path.exists(python) and os.environ.get("WNBENCH_VENV") != "1":
            os.environ["WNBENCH_VENV"] = "1"
            os.execv(python, [python] + sys.argv)
        print("versus_torch: PyTorch is not here; `make torch-env` installs it in .venv-torch (about 200 MB).")
        sys.exit(2 if gate else 0)


# ----------------------------------------------------------------------------------------------------- winnow

class Child:
    """A process that answers. One command a line, one JSON line back."""

    def __init__(self, command, environment=None):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)

    def ask(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            sys.exit("%s ended (status %s) at: %s" % (self.process.args, self.process.wait(), line))
        return json.loads(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Winnow(Child):
    """wnbench."""

    def __init__(self, path, threads, cpu):
        super().__init__([path, "--serve"])
        self.level = self.ask("threads %d" % threads)["level"]
        self.ask("clock " + ("cpu" if cpu else "wall"))


def find_wnbench(given):
    for path in [given, os.path.join(ROOT, "build", "bench", "wnbench")]:
        if path and os.access(path, os.X_OK):
            return path
    sys.exit("versus_torch: build/bench/wnbench is missing: make, then cmake --build build --target winnow_bench (or make bench).")


# ------------------------------------------------------------------------------------------------------- data

def make_tensor(o, seed):
    """operand.c's numbers."""
    shape = list(o["shape"])
    if o["t"]:
        shape[-1], shape[-2] = shape[-2], shape[-1]
    n = math.prod(shape)
    h = np.arange(1, n + 1, dtype=np.uint32) * np.uint32(2654435761) + np.uint32((seed + 1) * 0x9E3779B9 & 0xFFFFFFFF)
    h ^= h >> np.uint32(15)
    h *= np.uint32(0x2C1B3C6D)
    h ^= h >> np.uint32(12)
    u = (h >> np.uint32(8)).astype(np.float64) * 2.0**-24
    dtype, density = DTYPES[o["dtype"]], o.get("density", 1)
    if dtype == torch.bool:
        t = torch.from_numpy(u < o["hi"])
    else:
        t = torch.from_numpy(np.where(u < density, o["lo"] + (o["hi"] - o["lo"]) * u, 0))
        t = (t if dtype.is_floating_point else t.floor()).to(dtype)
    t = t.reshape(shape)
    if o.get("sorted"):
        t = t.sort().values
    if o["t"]:
        t = t.transpose(-1, -2)
    return t.requires_grad_(True) if o.get("grad") else t


def simple_operand(shape, lo, hi, dtype="f32"):
    return {"shape": shape, "t": False, "lo": lo, "hi": hi, "dtype": dtype}


def as_list(y):
    if isinstance(y, torch.Tensor):
        return [y]
    return [t for t in y if t is not None]


def sums(tensors):
    s, m = 0.0, 0.0
    for t in tensors:
        v = t.detach().to(torch.float64)
        s, m = s + v.sum().item(), m + v.abs().sum().item()
    return s, m


# ------------------------------------------------------------------------------------------- PyTorch's side
# build(spec) gives (run, check): run() is what is timed, check() runs once and returns the sums of the results.

FUNCTIONAL = {"conv1d", "conv2d", "conv3d", "conv_transpose2d", "max_pool2d", "avg_pool2d", "layer_norm", "batch_norm", "group_norm", "rms_norm",
              "cross_entropy", "nll_loss", "mse_loss", "linear", "gelu", "silu", "softplus", "leaky_relu", "elu", "embedding", "dropout",
              "instance_norm"}
RANDOM = {"dropout", "bernoulli", "normal_", "uniform_", "exponential_", "random_", "bernoulli_", "rand_like", "randn_like"}
BASE = {"max_dim": "max", "min_dim": "min", "median_dim": "median", "scatter_value": "scatter"}  # rows of overloads
RENAMED = {("dropout", "train"): "training"}


def argument(name, kind, text):
    if kind.startswith("int["):
        v = [int(x) for x in text.replace("x", ",").split(",")]
        return v[0] if len(v) == 1 and (kind.startswith("int[1]") or name in ("kernel_size", "stride", "padding", "dilation")) else v
    if kind.startswith("int"):
        return int(text)
    if kind.startswith("bool"):
        return text in ("1", "True", "true")
    if kind.startswith("ScalarType"):
        return DTYPES[text]
    if kind.startswith("str"):
        return text
    return float(text) if any(c in text for c in ".eEn") else int(text)


def masked(name, call):
    """where= on a reduction, as it is written in PyTorch."""
    def run(input, where, **kw):
        if name == "sum":
            return torch.where(where, input, 0).sum(**kw)
        if name == "mean":
            return torch.where(where, input, 0).sum(**kw) / where.sum(**kw)
        if name in ("amax", "amin"):
            return call(input=torch.where(where, input, -math.inf if name == "amax" else math.inf), **kw)
        raise NotImplementedError
    return run


def function_of(name):
    """PyTorch's function, where it has one by that name: in torch, torch.nn.functional or torch.special; else None, it is a method."""
    modules = [torch, torch.nn.functional, torch.special]
    if name in FUNCTIONAL:  # torch has them with other arguments, or slower
        modules = modules[1:]
    return None if name.endswith("_") else next((getattr(m, name) for m in modules if hasattr(m, name)), None)


def build_row(spec):
    name = spec["op"] if not spec["inplace"] or spec["op"].endswith("_") else spec["op"] + "_"
    kw, many, leaves = {}, [], []
    for o in spec["operands"]:
        value = o["number"] if "number" in o else make_tensor(o, o["seed"])
        if o["many"]:
            many.append(value)
            kw[o["name"]] = many
        else:
            kw[o["name"]] = value
        if o.get("grad"):
            leaves.append(value)
    for key, (kind, text) in spec["args"].items():
        kw[RENAMED.get((name, key), key)] = argument(key, kind, text)
    call = function_of(BASE.get(name, name))
    if name == "einsum":
        equation, operands = kw.pop("equation"), kw.pop("tensors", many)
        call = lambda: torch.einsum(equation, *operands)
        kw = {}
    elif name == "index":
        call = functools.partial(operator.getitem, kw["self"], tuple(many))
        kw = {}
    elif call is None:
        call = getattr(kw.pop("self"), name)
    elif "self" in kw:
        kw["input"] = kw.pop("self")
    if name == "embedding":
        kw["input"] = kw.pop("indices")
    if name == "prod" and isinstance(kw.get("dim"), list):
        kw["dim"], = kw["dim"]
    if "where" in kw:
        call = masked(name, call)

    cotangent = None
    if spec["bwd"]:
        y = as_list(call(**kw))[0]
        if y.numel() != 1:
            cotangent = make_tensor(dict(simple_operand(list(y.shape), -1, 1), dtype=SHORT[y.dtype]), 99)

    def results():
        y = as_list(call(**kw))
        return y + list(torch.autograd.grad(y[0], leaves, cotangent)) if leaves else y

    def run(): # the results are read: eager PyTorch has them by then, winnow computes what is pending when it is asked
        for t in results():
            t.data_ptr()

    def run_one():
        call(**kw).data_ptr()
    single = not leaves and isinstance(call(**kw), torch.Tensor)
    for _ in range(spec["before"] - 1 if spec["inplace"] else 0): # the line above was the first
        call(**kw)
    return run_one if single else run, None if name in RANDOM else lambda: sums(results())


def build_call(spec):
    """Per-call cost: what a Python program pays."""
    name, inplace = spec["name"], spec["name"].endswith("_")
    a = make_tensor(dict(simple_operand([spec["n"]], 0.9, 1, spec["dtype"]), grad=spec["grad"]), 0)
    b = make_tensor(simple_operand([spec["n"]], 1, 1 + 1e-9, spec["dtype"]), 1)
    two = name.rstrip("_") in ("add", "sub", "mul", "div")
    f = getattr(a, name) if inplace else getattr(torch, name, None)
    if name == "view":
        return (lambda: a.view(1, -1).data_ptr()), None
    if two:
        return (lambda: f(b).data_ptr()) if inplace else (lambda: f(a, b).data_ptr()), None
    return (lambda: f().data_ptr()) if inplace else (lambda: f(a).data_ptr()), None


def build_optim(spec):
    params = [make_tensor(o, o["seed"]) for o in spec["operands"]]
    for o, p in zip(spec["operands"], params):
        p.grad = make_tensor(simple_operand(o["shape"], -0.1, 0.1, o["dtype"]), o["seed"] + 50)
    name = spec["name"]
    kind = {"sgd": "SGD", "adam": "Adam", "adamw": "AdamW"}[name]
    optim = steps.optimizer_of(torch, kind, params, **({"momentum": 0.9} if name == "sgd" else {}))
    for _ in range(spec["before"]):
        optim.step()

    def check():
        optim.step()
        return sums(params)
    return optim.step, check


def build_step(spec):
    """The networks of steps.py, whose parameters step.c fills by the same rule."""
    net, bound = getattr(steps, spec["net"] + "_net")(torch, *([spec["sizes"]] if spec["sizes"] else [])), 1
    with torch.no_grad():
        for i, (name, p) in enumerate(net.named_parameters()):
            if p.dim() > 1:
                bound = 1 / math.sqrt(p.numel() / p.shape[0])
            elif name.endswith(".weight"):
                continue
            p.copy_(make_tensor(simple_operand(list(p.shape), -bound, bound), i))
    x = make_tensor(dict(spec["x"], t=False), 100)
    target = make_tensor(simple_operand([spec["targets"]], 0, spec["classes"], "i64"), 101)
    if spec["net"] == "resnet18":
        optim = steps.optimizer_of(torch, "SGD", net.parameters(), spec["rate"], momentum=0.9, weight_decay=5e-4)
    else:
        optim = steps.optimizer_of(torch, "AdamW" if spec["net"] == "transformer" else "Adam", net.parameters(), spec["rate"])
    loss_of = torch.nn.functional.cross_entropy

    def run():
        optim.zero_grad()
        loss = loss_of(net(x), target)
        loss.backward()
        optim.step()
        return loss.item()

    def check():
        for group in optim.param_groups:
            group["lr"] = 1e-3
        losses = [run() for _ in range(3)]
        for group in optim.param_groups:
            group["lr"] = spec["rate"]
        return sum(l * (i + 1) for i, l in enumerate(losses)), sum(losses)
    for _ in range(spec["before"]):
        run()
    return run, check


def build_fused(spec):
    import torch_fused
    return torch_fused.build(spec, make_tensor, sums)


BUILD = {"call": build_call, "optim": build_optim, "step": build_step, "fused": build_fused}


def compare_results(winnow, spec, check):
    """None, or why the two sides do not compute the same."""
    mine = winnow.ask("check " + spec["problem"])
    if check is None or "magnitude" not in mine:
        return mine.get("error")
    total, magnitude = check()
    dtypes = {o.get("dtype") for o in spec.get("operands", [])}
    tolerance = 2e-2 if dtypes & {"bf16", "f16"} else 1e-3
    same = [a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= tolerance * magnitude for a, b in ((total, mine["sum"]), (magnitude, mine["magnitude"]))]
    if not all(same):
        return "the results differ: sums %.9g and %.9g, of magnitudes %.9g and %.9g" % (total, mine["sum"], magnitude, mine["magnitude"])
    return None


# ----------------------------------------------------------------------------------------------------- timing

def shortest(samples):
    """As measure.c: a sample below a quarter of the median is a clock that stood still."""
    least = statistics.median(samples) / 4
    return min(s for s in samples if s >= least)


class Torch:
    """measure.c's way of timing: batches of about 20 us, for a number of seconds; at least three."""

    def __init__(self, cpu):
        self.now = time.process_time_ns if cpu else time.perf_counter_ns

    def batch(self, run, n):
        start = self.now()
        for _ in range(n):
            run()
        return self.now() - start

    def time(self, run, seconds, stat):
        end = self.now() + seconds * 1e9
        n = 1
        self.batch(run, 1)
        while True:
            ns = self.batch(run, n)
            if ns >= 1e4 or n >= 1 << 20:
                break
            n *= 8 if ns < 1250 else 2
        samples = []
        while len(samples) < 3 or self.now() < end:
            samples.append(self.batch(run, n) / n)
        return shortest(samples) if stat == "min" else statistics.median(samples)


def quartiles(values):
    if len(values) < 2:
        return values[0], values[0], values[0]
    q = statistics.quantiles(values, n=4, method="inclusive")
    return q[0], q[1], q[2]


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


PROCESSORS = sorted(os.sched_getaffinity(0))


def share_processor(pair, *sides):
    """Both sides (processes) of a pair on the same processor, each pair on the next one: what a neighbour in the same core takes is taken from both."""
    for process in sides:
        os.sched_setaffinity(process, {PROCESSORS[pair % len(PROCESSORS)]})


def compare(problem, winnow, timer, o):
    """A result, or a sentence why there is none."""
    spec = winnow.ask("spec " + problem)
    if "error" in spec:
        return spec["error"]
    try:
        run, check = BUILD.get(spec["op"], build_row)(spec)
        different = compare_results(winnow, spec, check)
    except (AttributeError, TypeError, NotImplementedError, RuntimeError, ValueError) as e:
        return "PyTorch: %s: %s" % (type(e).__name__, str(e).splitlines()[0] if str(e) else "")
    if different:
        return different
    ours, theirs, last = [], [], {}
    for i in range(o.pairs):
        if o.threads == 1:
            share_processor(i, 0, winnow.process.pid)
        pause = 0.004 if o.threads > 1 else 0 # threads of the other side may still spin
        theirs.append(timer.time(run, o.time, o.stat))
        time.sleep(pause)
        last = winnow.ask("time %g %s" % (o.time, problem))
        if "error" in last:
            return last["error"]
        ours.append(last["min_ns" if o.stat == "min" else "median_ns"])
        time.sleep(pause)
    ratios = [t / w for t, w in zip(theirs, ours)]
    own = [a / b for a, b in zip(theirs, theirs[1:])]
    w = statistics.median(ours)
    return {"problem": problem, "ratio": quartiles(ratios), "self": quartiles(own) if own else (1, 1, 1), "torch_ns": statistics.median(theirs),
            "winnow_ns": w, "gbps": spec["bytes"] / w if spec.get("bytes") else None, "gflops": spec["flops"] / w if spec.get("flops") else None,
            "elements": last["elements"], "faults": last["faults"], "pairs": list(zip(theirs, ours))}


def microseconds(ns):
    return "%.3f" % (ns / 1e3) if ns < 1e4 else "%.1f" % (ns / 1e3) if ns < 1e6 else "%.0f" % (ns / 1e3)


HEAD = "%-58s %7s  %-15s %-13s %10s %10s  %s" % ("problem", "ratio", "  quartiles", " torch/torch", "torch us", "winnow us", "winnow's rate")


def line(r):
    rate = "%.0f GFLOP/s" % r["gflops"] if r["gflops"] else "%.1f GB/s" % r["gbps"] if r["gbps"] else ""
    return "%-58s %7.2f  [%5.2f .. %5.2f] %5.2f .. %4.2f %10s %10s  %s" % (
        r["problem"], r["ratio"][1], r["ratio"][0], r["ratio"][2], r["self"][0], r["self"][2], microseconds(r["torch_ns"]), microseconds(r["winnow_ns"]), rate)


def show_own_spread(timer, winnow, problems, o):
    """PyTorch against itself: what a ratio of 1 looks like on this machine now."""
    ratios = []
    for problem in problems:
        spec = winnow.ask("spec " + problem)
        if "error" in spec:
            continue
        try:
            run, _ = BUILD.get(spec["op"], build_row)(spec)
        except (AttributeError, TypeError, RuntimeError):
            continue
        times = [timer.time(run, o.time, o.stat) for _ in range(2 * o.pairs)]
        ratios += [a / b for a, b in zip(times[::2], times[1::2])]
    if ratios:
        q = quartiles(ratios)
        print("PyTorch against itself: median %.3f, quartiles %.3f .. %.3f, extremes %.2f .. %.2f (%d pairs)" % (q[1], q[0], q[2], min(ratios), max(ratios), len(ratios)), flush=True)


def summary(results, families):
    print("\n%-12s %8s  %s" % ("family", "geomean", "worst"))
    for family in dict.fromkeys(families[r["problem"]] for r in results):
        rows = [r for r in results if families[r["problem"]] == family]
        worst = min(rows, key=lambda r: r["ratio"][1])
        print("%-12s %8.2f  %.2f  %s" % (family, geomean([r["ratio"][1] for r in rows]), worst["ratio"][1], worst["problem"]))
    worst = min(results, key=lambda r: r["ratio"][1])
    print("%-12s %8.2f  %.2f  %s" % ("all", geomean([r["ratio"][1] for r in results]), worst["ratio"][1], worst["problem"]))


def fused(path, threads, o):
    """The table of torch_fused.py, for each thread count; 1 with --gate when a promise is not kept."""
    import torch_fused
    problems = [" ".join(p.split()) for p in o.problems] or list(torch_fused.PROMISES)
    torch_fused.PROMISES.update({p: (None, None, None) for p in problems if p not in torch_fused.PROMISES})
    missed = 0
    for o.threads in threads:
        missed += torch_fused.table(problems, lambda: Winnow(path, o.threads, o.cpu), Torch(o.cpu), o, sys.modules[__name__])
    print("\n%d promises are not kept" % missed)
    return 1 if o.gate and missed else 0


def keep_results(results, families, winnow, o):
    """The table for the repository (--results)."""
    facts = [("against", "PyTorch %s" % torch.__version__), ("level", winnow.level), ("threads", str(o.threads)), ("clock", "processor" if o.cpu else "wall"),
             ("each ratio", "PyTorch's time / winnow's, of %d pairs of %s times" % (o.pairs, o.stat))]
    rows = [(families[r["problem"]], "`%s`" % r["problem"], "%.2f" % r["ratio"][1], "%.2f to %.2f" % (r["ratio"][0], r["ratio"][2]),
             microseconds(r["torch_ns"]), microseconds(r["winnow_ns"])) for r in results]
    print("results: " + results_file.write(facts, ("family", "problem", "ratio", "quartiles", "PyTorch, us", "winnow, us"), rows, o.results))


def read_list(path, o):
    if o.list:
        with open(o.list) as f:
            return [text for text in f.read().splitlines() if text and not text.startswith("#")]
    return subprocess.run([path, "--list"] + (["--quick"] if o.quick else []), capture_output=True, text=True, check=True).stdout.splitlines()


def main():
    a = argparse.ArgumentParser(description="winnow against PyTorch: ratio = PyTorch's time / winnow's time, more than 1 is good.")
    a.add_argument("problems", nargs="*", help="problem strings; none: those of wnbench --list")
    a.add_argument("--threads", type=int, help="default: all processors")
    a.add_argument("--pairs", type=int, default=15)
    a.add_argument("--time", type=float, default=0.02, help="seconds for one side of a pair")
    a.add_argument("--quick", action="store_true", help="the short list, 5 pairs")
    a.add_argument("--family", help="only this family of the list")
    a.add_argument("--list", metavar="FILE", help="problems from this file (family, tab, problem), e.g. bench/families.txt")
    a.add_argument("--stat", choices=["median", "min"], default="median", help="of the batches of one side of a pair")
    a.add_argument("--cpu", action="store_true", help="processor time instead of wall time; one thread only")
    a.add_argument("--default-optimizers", action="store_true", help="PyTorch's optimisers as programs write them, without fused=True")
    a.add_argument("--gate", action="store_true", help="the promises of GATES; exit 1 when one is broken")
    a.add_argument("--fused", action="store_true", help="chains of operations: ratios, memory and what was promised, for one thread and two (or --threads)")
    a.add_argument("--compile", action="store_true", help="with --fused: torch.compile's kernels too")
    a.add_argument("--json", help="writes all results to this file")
    a.add_argument("--results", nargs="?", const="", metavar="FILE", help="adds the table to FILE (default: bench/results/DATE-PROCESSOR.md)")
    a.add_argument("--wnbench", help="the program (default: build/bench/wnbench)")
    o = a.parse_args()
    if o.default_optimizers:
        os.environ["STEPS_OPTIMIZERS"] = "default"
    threads = [o.threads] if o.threads else sorted({1, min(2, len(os.sched_getaffinity(0)))})
    o.threads = o.threads or len(os.sched_getaffinity(0))
    if o.results is not None and o.fused:
        a.error("--results is for tables of problems, not for --fused")
    if o.cpu and o.threads != 1:
        a.error("--cpu is for --threads 1: processor time adds up all threads")
    global torch, np, DTYPES, SHORT
    torch, np = find_torch(o.gate)
    DTYPES = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16, "i8": torch.int8,
              "i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "u8": torch.uint8, "bool": torch.bool}
    SHORT = {v: k for k, v in DTYPES.items()}
    if o.quick and o.pairs == 15:
        o.pairs = 5
    path = find_wnbench(o.wnbench)
    if o.fused:
        return fused(path, threads, o)
    families = {}
    for text in read_list(path, o):
        family, problem = text.split("\t")
        if o.family in (None, family):
            families[problem] = family
    problems = [" ".join(p.split()) for p in o.problems] or ([g[0] for g in GATES] if o.gate else list(families))
    families.update({p: "given" for p in problems if p not in families})

    torch.set_num_threads(o.threads)
    winnow = Winnow(path, o.threads, o.cpu)
    timer = Torch(o.cpu)
    print("PyTorch %s, winnow at level %s, %d thread%s, %d pairs of %s times; ratio = PyTorch's time / winnow's time"
          % (torch.__version__, winnow.level, o.threads, "" if o.threads == 1 else "s", o.pairs, o.stat))
    show_own_spread(timer, winnow, [p for p in ["add f32 1000000", "softmax f32 4096x768 dim=1", "matmul f32 1024x1024,1024x1024"]], o)
    print("\n" + HEAD)
    results = []
    for problem in problems:
        r = compare(problem, winnow, timer, o)
        if isinstance(r, str):
            print("%-58s    none  %s" % (problem, r), flush=True)
            continue
        results.append(r)
        print(line(r), flush=True)
    if results and not o.gate:
        summary(results, families)
    winnow.close()
    if o.results is not None:
        keep_results(results, families, winnow, o)
    if o.json:
        with open(o.json, "w") as f:
            json.dump(results, f, indent=1)
    if not o.gate:
        return 0
    broken = 0
    for problem, least, words in GATES:
        r = next((r for r in results if r["problem"] == problem), None)
        good = r is not None and r["ratio"][1] >= least
        broken += not good
        print("%s  %s: ratio %s, at least %.3f wanted" % ("pass" if good else "FAIL", words, "%.3f" % r["ratio"][1] if r else "none", least))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
