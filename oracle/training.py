"""Whole training programs, run on torch and on a module: examples/python, each in processes of its own.

    python oracle/training.py --wn winnow --path python --steps 20

A program prints its losses ("... loss 0.123"); with the same random streams (WINNOW_RNG=torch) they must agree to --rtol, and their
lines must say the same in the same order. Some programs are chaotic: the last bit of a sum grows a hundredfold in ten steps. Where
losses differ by more than --rtol, torch runs thrice more with the outputs of half the neurons one unit in the last place larger, and
what that has moved the losses by so far, times FREEDOM, is allowed too: it is printed as "torch's own".

The time of a step, from the arrival of one loss to the next, is a lower quartile (other work on the machine only adds); the ratio is
the module's beside torch's, below 1 where the module is faster.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, os.pardir, "examples", "python")
LOSS = re.compile(r"^(.*\bloss) (-?(?:[0-9.]+(?:e[-+]?\d+)?|inf|nan))\s*(.*)$")

NUMBER = re.compile(r"-?[0-9.]+")
STEP = re.compile(r"\bstep \d+")

# name, file, arguments
PROGRAMS = (
    ("mnist", "mnist.py", ["--epochs", "1", "--save-model", "{folder}/mnist.pt"]),
    ("mnist-adam", "mnist.py", ["--epochs", "2", "--optimizer", "adam"]),
    ("vae", "vae.py", ["--epochs", "1"]),
    ("lm-lstm", "word_language_model.py", ["--epochs", "1", "--model", "LSTM"]),
    ("lm-lstm-tied", "word_language_model.py", ["--epochs", "1", "--model", "LSTM", "--tied"]),
    ("lm-gru", "word_language_model.py", ["--epochs", "1", "--model", "GRU"]),
    ("lm-rnn", "word_language_model.py", ["--epochs", "1", "--model", "RNN_TANH"]),
    ("lm-transformer", "word_language_model.py", ["--epochs", "1", "--model", "Transformer", "--lr", "0.5"]),
    ("time-sequence", "time_sequence.py", []),
    ("char-gpt", "char_gpt.py", []),
    ("char-gpt-matmul", "char_gpt.py", ["--no-flash", "--dropout", "0"]),
    ("gcn", "gcn.py", []),
    ("dcgan", "dcgan.py", []),
    ("actor-critic", "actor_critic.py", []),
    ("amp-bf16", "amp_workers.py", ["--epochs", "1"]),
    ("amp-f16", "amp_workers.py", ["--epochs", "1", "--dtype", "float16"]),
    ("amp-off", "amp_workers.py", ["--epochs", "2", "--no-amp"]),
)
FREEDOM = 8
# Runs a script as Python would, with the outputs of its modules rounded up or not by chance: what another order of the sums does.
NUDGED = """
import runpy, sys, torch
chance = torch.Generator().manual_seed(int(sys.argv.pop(1)))
def nudge(module, inputs, output):
    if isinstance(output, torch.Tensor) and output.is_floating_point():
        up = torch.rand(output.shape, generator=chance) < 0.5
        return output * (1 + up.to(output.dtype) * torch.finfo(output.dtype).eps)
torch.nn.modules.module.register_module_forward_hook(nudge)
sys.argv = sys.argv[1:]
sys.path[0] = sys.argv[0].rpartition("/")[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


class Run:
    """A program's losses, [(text before, number, text after)], the seconds of a step, or why it failed."""

    def __init__(self, command, environment, args):
        def settle():
            """Both see as many processors as they shall have threads."""
            if hasattr(os, "sched_setaffinity"):
                os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:args.threads])

        self.losses, self.error, gaps, last = [], "", [], None
        with tempfile.TemporaryFile("w+") as errors, tempfile.TemporaryDirectory() as folder:
            command = [part.replace("{folder}", folder) for part in command]
            started = time.perf_counter()
            child = subprocess.Popen(command, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=errors, text=True, preexec_fn=settle)
            watch = threading.Timer(args.limit, child.kill)
            watch.start()
            for line in child.stdout:
                now = time.perf_counter()
                found = LOSS.match(line)
                if found:
                    self.losses.append((found[1], float(found[2]), found[3]))
                step = STEP.search(line)
                if not found or not step:
                    last = None                         # not between two steps
                elif last is None or step[0] != last[0]:  # the first line of a step that has several
                    if last is not None:
                        gaps.append(now - last[1])
                    last = (step[0], now)
            code = child.wait()
            watch.cancel()
            self.total = time.perf_counter() - started
            errors.seek(0)
            lines = errors.read().strip().splitlines()
        if code:
            self.error = f"longer than {args.limit} s" if self.total >= args.limit else f"ended with {code}: " + " | ".join(lines[-3:] or ["no message"])
        self.step = statistics.quantiles(gaps[1:], n=4)[0] if len(gaps) > 2 else float("nan")


def distance(got, want):
    """Relative to want; 0 for equal ones, NaN among them."""
    if got == want or (got != got and want != want):
        return 0.0
    error = abs(got - want) / max(abs(want), 1e-3)
    return error if error == error else float("inf")


def differences(ours, theirs, rtol, nudged=()):
    """What differs first, or None; the largest distance of two losses; the largest of torch's own."""
    worst = own = 0.0
    if not theirs.losses:
        return "no loss at all", worst, own
    for k, ((before, got, after), (text, want, rest)) in enumerate(zip(ours.losses, theirs.losses)):
        if NUMBER.sub("#", before) != NUMBER.sub("#", text):
            return f"{before!r} beside torch's {text!r}", worst, own
        worst = max(worst, distance(got, want))
        own = max([own] + [distance(run.losses[k][1], want) for run in nudged if k < len(run.losses)])
        if distance(got, want) > max(rtol, FREEDOM * own):
            return f"{before} {got} {after} beside torch's {text} {want} {rest}", worst, own
    if len(ours.losses) != len(theirs.losses):
        return f"{len(ours.losses)} losses beside torch's {len(theirs.losses)}", worst, own
    return None, worst, own


def arguments(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wn", metavar="MODULE", default="winnow", help="the module to judge, run as `python -m MODULE script`")
    parser.add_argument("--path", metavar="DIR", help="put in front of sys.path")
    parser.add_argument("--steps", type=int, default=20, help="steps of each program")
    parser.add_argument("--programs", metavar="NAMES", help="only these, separated by commas")
    parser.add_argument("--rtol", type=float, default=1e-3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--limit", type=float, default=300, help="seconds of one program")
    parser.add_argument("--slower", type=float, metavar="RATIO", help="a program whose steps take longer than RATIO times torch's fails")
    return parser.parse_args(argv)


def environment_of(args, own):
    kept = dict(os.environ, OMP_NUM_THREADS=str(args.threads), MKL_NUM_THREADS=str(args.threads), PYTHONUNBUFFERED="1")
    if own:
        kept["WINNOW_RNG"] = "torch"
        if args.path:
            kept["PYTHONPATH"] = os.path.abspath(args.path)
    return kept


def judge(args, name, file, options):
    """The line about one program, and whether it passed."""
    script = [os.path.join(EXAMPLES, file), *options, "--steps", str(args.steps)]
    theirs = Run([sys.executable, *script], environment_of(args, False), args)
    ours = Run([sys.executable, "-m", args.wn, *script], environment_of(args, True), args)
    worst = own = 0.0
    if theirs.error or ours.error:
        complaint = f"torch itself {theirs.error}" if theirs.error else ours.error
    else:
        complaint, worst, own = differences(ours, theirs, args.rtol)
        if complaint and worst > args.rtol:
            nudged = [Run([sys.executable, "-c", NUDGED, str(seed), *script], environment_of(args, False), args) for seed in range(3)]
            complaint, worst, own = differences(ours, theirs, args.rtol, nudged)
    ratio = ours.step / theirs.step
    if not complaint and args.slower and ratio > args.slower:
        complaint = f"{ratio:.2f} times torch's time"
    line = (f"{'FAIL' if complaint else 'ok  '} {name:16} losses {len(ours.losses):3}  relative {worst:.1e}  "
            f"step {ours.step * 1e3:7.2f} ms, torch {theirs.step * 1e3:7.2f} ms, ratio {ratio:.2f}  "
            f"whole {ours.total:.1f} s, torch {theirs.total:.1f} s")
    return line + (f"  torch's own {own:.1e}" if own else "") + (f"\n     {complaint}" if complaint else ""), not complaint


def main(argv=None):
    args = arguments(argv)
    passed = failed = 0
    for name, file, options in PROGRAMS:
        if args.programs and name not in args.programs.split(","):
            continue
        line, good = judge(args, name, file, options)
        passed, failed = passed + good, failed + (not good)
        print(line, flush=True)
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
