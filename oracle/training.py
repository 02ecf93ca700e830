"""Whole training programs, run on torch and on a module: examples/python, each in processes of its own.

    python oracle/training.py --wn winnow --path python                # losses of the first 100 steps
    python oracle/training.py --wn winnow --path python --time         # torch's time of a step / the module's, 1 and 2 threads

A program prints its losses ("... loss 0.123"); with the same random streams (WINNOW_RNG=torch) they must agree to --rtol, and their
lines must say the same in the same order. Some programs are chaotic: a rounding that turns a maximum, a sampled action or the direction of
a first step of Adam is a hundredfold larger ten steps later. Where losses differ by more than --rtol, torch is measured against itself (OWN:
weights or outputs moved by a unit in the last place, other threads, other kernels), and the program passes only if
  - they agree to --rtol until rounding alone has moved torch's own losses by rtol/FREEDOM: from there float32 says no more;
  - and in float64, where the same chaos begins nine digits further down, they agree to --rtol (or, again, until torch moves itself).
The table says for each how far it was off at the most, and at which line it first left --rtol.

--time: pairs of runs, torch and the module alternating, medians of the pairs; "ratio" is torch's time / the module's (above 1: the module
is faster). A step is a lower quartile, and with one thread also processor time, which other work on the machine changes less.
"""
import argparse
import re
import statistics
import sys

from training_run import PROGRAMS, Run

NUMBER = re.compile(r"-?[0-9.]+")
FREEDOM = 8
OWN = (("weights", 0), ("outputs", 0), ("norms", 0), ("threads", None), ("weights", 1), ("onednn-off", 0))


def distance(got, want):
    """Relative to want; 0 for equal ones, NaN among them."""
    if got == want or (got != got and want != want):
        return 0.0
    error = abs(got - want) / max(abs(want), 1e-3)
    return error if error == error else float("inf")


class Distances:
    """How far the losses of some runs are from those of one, line by line: the largest so far. A line that says something else is
    infinitely far off, and so is one that only one of two has (actor_critic.py ends when it has learnt enough)."""

    def __init__(self, reference, runs):
        self.so_far = []
        worst = 0.0
        for k in range(max(len(run.losses) for run in [reference, *runs])):
            for run in runs:
                worst = max(worst, self._apart(run.losses[k:k + 1], reference.losses[k:k + 1]))
            self.so_far.append(worst)

    @staticmethod
    def _apart(got, want):
        """Of two lists of one line or none."""
        if len(got) != len(want):
            return float("inf")
        return max((distance(g[1], w[1]) if NUMBER.sub("#", g[0]) == NUMBER.sub("#", w[0]) else float("inf") for g, w in zip(got, want)), default=0.0)

    def first(self, limit):
        """The first line that is further off, or None."""
        return next((k for k, d in enumerate(self.so_far) if d > limit), None)

    def describe(self, rtol):
        """The largest distance, and where it first exceeds rtol."""
        worst = max(self.so_far, default=0.0)
        first = self.first(rtol)
        where = f" (line {first + 1} of {len(self.so_far)} is the first beyond {rtol:g})" if first is not None else ""
        return f"{worst:.1e}{where}"


def mismatch(ours, theirs):
    """Why there is nothing to compare, or None."""
    if theirs.error or ours.error:
        return f"torch itself {theirs.error}" if theirs.error else ours.error
    if not theirs.losses:
        return "no loss at all"
    return None


def beyond(ours, own, rtol):
    """The first line where ours is further off than rtol while torch is not, not even nearly, from itself; or None."""
    free = own.first(rtol / FREEDOM) if own else None
    k = ours.first(rtol)
    return None if k is None or (free is not None and free <= k) else k


def torch_against_itself(args, program, theirs, mine, kinds, double=False):
    """Distances of torch from torch in other arithmetic: one kind after the other until they explain mine."""
    runs, own = [], None
    for kind, seed in kinds:
        if kind == "threads":
            runs.append(Run(args, program, variant=("double", 0) if double else None, threads=1 if args.threads > 1 else 2))
        else:
            runs.append(Run(args, program, variant=(kind, seed)))
        own = Distances(theirs, runs)
        if beyond(mine, own, args.rtol) is None:
            break
    return own


def at(run, k):
    """The line of a loss, or that there is none."""
    return "{} {}".format(*run.losses[k][:2]) if k < len(run.losses) else "no line"


def judge(args, program):
    """The lines about one program, and whether it passed."""
    theirs, ours = Run(args, program), Run(args, program, module=args.wn)
    complaint, text = mismatch(ours, theirs), ""
    if not complaint:
        mine = Distances(theirs, [ours])
        text = f"losses {len(ours.losses):3}  relative {mine.describe(args.rtol)}"
        if beyond(mine, None, args.rtol) is not None:
            own = torch_against_itself(args, program, theirs, mine, OWN)
            text += f"\n     torch against itself {own.describe(args.rtol / FREEDOM)}"
            k = beyond(mine, own, args.rtol)
            if k is not None:
                complaint = f"line {k + 1}: {at(ours, k)} beside torch's {at(theirs, k)}"
            else:
                report, complaint = judge_in_double(args, program)
                text += "\n     " + report
    return f"{'FAIL' if complaint else 'ok  '} {program[0]:16} {text}" + (f"\n     {complaint}" if complaint else ""), not complaint


def judge_in_double(args, program):
    """(report, complaint or None) about a program whose losses in float32 say too little."""
    double = ("double", 0)
    theirs, ours = Run(args, program, variant=double), Run(args, program, module=args.wn, variant=double)
    complaint = mismatch(ours, theirs)
    if complaint:
        return "in float64", complaint
    mine = Distances(theirs, [ours])
    report, own = f"in float64 relative {mine.describe(args.rtol)}", None
    if beyond(mine, None, args.rtol) is not None:
        own = torch_against_itself(args, program, theirs, mine, [("threads", None)], double=True)
        report += f", torch against itself {own.describe(args.rtol / FREEDOM)}"
    k = beyond(mine, own, args.rtol)
    return report, None if k is None else f"in float64, line {k + 1}: {at(ours, k)} beside torch's {at(theirs, k)}"


def timed(args, program):
    """The line about one program's time, and whether it passed."""
    text, good = "", True
    for threads in sorted({1, args.threads}):
        pairs = []
        for k in range(args.pairs):
            order = (None, args.wn) if k % 2 == 0 else (args.wn, None)
            runs = {module: Run(args, program, module=module, threads=threads) for module in order}
            failed = next((run.error for run in runs.values() if run.error), None)
            if failed:
                return f"FAIL {program[0]:16} {failed}", False
            pairs.append((runs[None], runs[args.wn]))
        torch_step, step = (statistics.median(pair[i].step for pair in pairs) * 1e3 for i in (0, 1))
        ratio = statistics.median(theirs.step / ours.step for theirs, ours in pairs)
        text += f"  {threads} thread{'s' * (threads > 1)}: {step:7.2f} ms, torch {torch_step:7.2f} ms, ratio {ratio:.2f}"
        if threads == 1:
            text += f" (processor time {statistics.median(theirs.busy / ours.busy for theirs, ours in pairs):.2f})"
        good = good and not (args.least and ratio < args.least)
    return f"{'ok  ' if good else 'FAIL'} {program[0]:16}{text}", good


def arguments(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wn", metavar="MODULE", default="winnow", help="the module to judge, run as `python -m MODULE script`")
    parser.add_argument("--path", metavar="DIR", help="put in front of sys.path")
    parser.add_argument("--steps", type=int, default=100, help="steps of each program")
    parser.add_argument("--programs", metavar="NAMES", help="only these, separated by commas")
    parser.add_argument("--rtol", type=float, default=1e-3)
    parser.add_argument("--threads", type=int, default=2, help="threads; --time takes one as well")
    parser.add_argument("--limit", type=float, default=300, help="seconds of one program")
    parser.add_argument("--time", action="store_true", help="the table of times instead of losses")
    parser.add_argument("--pairs", type=int, default=3, help="pairs of runs of which --time takes medians")
    parser.add_argument("--least", type=float, metavar="RATIO", help="with --time: a smaller ratio fails")
    return parser.parse_args(argv)


def main(argv=None):
    args = arguments(argv)
    passed = failed = 0
    for program in PROGRAMS:
        if args.programs and program[0] not in args.programs.split(","):
            continue
        line, good = (timed if args.time else judge)(args, program)
        passed, failed = passed + good, failed + (not good)
        print(line, flush=True)
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
