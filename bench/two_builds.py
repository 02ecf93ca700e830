"""Two builds of wnbench in turns: python3 bench/two_builds.py OLD NEW [--list bench/families.txt] [--family F] [problem ...]

Every problem is run --pairs times by both programs, now the one first, now the other; a line's ratio is the median of old time / new time (more than
1: new is faster). A line counts as slower when its ratio is below what the old program shows against itself (its fastest by its slowest run) and a
second round of pairs says so again. Exit status 1 where a line is slower or the geometric mean of a family is below 0.99."""
import argparse
import json
import math
import statistics
import subprocess
import sys

import results_file


def problems(args):
    """(family, problem) of each line."""
    if args.list:
        with open(args.list) as f:
            lines = [line.rstrip("\n") for line in f if line.strip() and not line.startswith("#")]
    else:
        lines = subprocess.run([args.new, "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
    named = [tuple(line.split("\t", 1)) for line in lines]
    named += [("given", p) for p in args.problems if p not in [n for _, n in named]]
    return [(f, p) for f, p in named if (not args.family or f in args.family) and (not args.problems or p in args.problems)]


def measure(program, problem, args):
    """Nanoseconds, the fastest batch; None where this build has no such problem."""
    command = [program, "--threads", "1", "--time", str(args.time), *(["--cpu"] if args.cpu else []), problem]
    out = subprocess.run(command, capture_output=True, text=True).stdout
    return json.loads(out.splitlines()[0])["min_ns"] if out.startswith("{") else None


def pairs(problem, args):
    """Ratios old / new, and the old program's times."""
    ratios, olds = [], []
    for i in range(args.pairs):
        order = (args.old, args.new) if i % 2 == 0 else (args.new, args.old)
        times = {program: measure(program, problem, args) for program in order}
        if times[args.old] and times[args.new]:
            ratios.append(times[args.old] / times[args.new])
            olds.append(times[args.old])
    return ratios, olds


def line(problem, args):
    """Its ratio, the least that the old program's own spread explains, and whether it is slower."""
    ratios, olds = [], []
    for _ in range(2):
        more, again = pairs(problem, args)
        ratios, olds = ratios + more, olds + again
        if not ratios:
            return None
        ratio, least = statistics.median(ratios), min(olds) / max(olds)
        if ratio >= min(least, 0.98):
            break
    return ratio, least, ratio < min(least, 0.98)


def mean(ratios):
    return math.exp(sum(math.log(r) for r in ratios) / len(ratios))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("problems", nargs="*")
    parser.add_argument("--list", help="problems from this file: family, tab, problem")
    parser.add_argument("--family", action="append", help="only this family (may be repeated)")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--time", type=float, default=0.05, help="seconds for one side of a pair")
    parser.add_argument("--cpu", action="store_true", help="processor time: on a busy machine")
    parser.add_argument("--results", nargs="?", const="", metavar="FILE", help="adds the table to FILE (default: bench/results/DATE-PROCESSOR.md)")
    args = parser.parse_intermixed_args()
    families, rows, bad = {}, [], False
    for family, problem in problems(args):
        result = line(problem, args)
        if result is None:
            print(f"{family:12} not in both: {problem}")
            continue
        ratio, least, slower = result
        bad |= slower
        families.setdefault(family, []).append(ratio)
        rows.append((family, f"`{problem}`", f"{ratio:.3f}", f"{least:.3f}", "slower" if slower else ""))
        print(f"{family:12} {ratio:6.3f}  {'SLOWER' if slower else '      '}  (old against itself {least:.3f})  {problem}", flush=True)
    for family, ratios in families.items():
        bad |= mean(ratios) < 0.99
        print(f"{family:12} {mean(ratios):6.3f}  geometric mean of {len(ratios)}, the least {min(ratios):.3f}")
    if args.results is not None:
        facts = [("each ratio", f"old time / new time, of {args.pairs} pairs"), ("clock", "processor" if args.cpu else "wall")]
        print("results: " + results_file.write(facts, ("family", "problem", "ratio", "old against itself", ""), rows, args.results))
    if families:
        print(f"all          {mean([r for ratios in families.values() for r in ratios]):6.3f}")
    return 1 if bad or not families else 0


if __name__ == "__main__":
    sys.exit(main())
