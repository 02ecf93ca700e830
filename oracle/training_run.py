"""One run of a training program in a process of its own: its losses, and the time of its steps. Used by training.py."""
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
VARIANT = os.path.join(HERE, "training_variant.py")
LOSS = re.compile(r"^(.*\bloss) (-?(?:[0-9.]+(?:e[-+]?\d+)?|inf|nan))\s*(.*)$")
STEP = re.compile(r"\bstep \d+")

# name, file, arguments; each epoch ends after --steps steps
PROGRAMS = (
    ("mnist", "mnist.py", ["--epochs", "1", "--save-model", "{folder}/mnist.pt"]),
    ("mnist-adam", "mnist.py", ["--epochs", "1", "--optimizer", "adam"]),
    ("vae", "vae.py", ["--epochs", "1"]),
    ("lm-lstm", "word_language_model.py", ["--epochs", "2", "--model", "LSTM"]),
    ("lm-lstm-tied", "word_language_model.py", ["--epochs", "2", "--model", "LSTM", "--tied"]),
    ("lm-gru", "word_language_model.py", ["--epochs", "2", "--model", "GRU"]),
    ("lm-rnn", "word_language_model.py", ["--epochs", "2", "--model", "RNN_TANH"]),
    ("lm-transformer", "word_language_model.py", ["--epochs", "2", "--model", "Transformer", "--lr", "0.5"]),
    ("time-sequence", "time_sequence.py", []),
    ("char-gpt", "char_gpt.py", []),
    ("char-gpt-matmul", "char_gpt.py", ["--no-flash", "--dropout", "0"]),
    ("gcn", "gcn.py", []),
    ("dcgan", "dcgan.py", []),
    ("actor-critic", "actor_critic.py", []),
    ("amp-bf16", "amp_workers.py", ["--epochs", "1"]),
    ("amp-f16", "amp_workers.py", ["--epochs", "1", "--dtype", "float16"]),
    ("amp-off", "amp_workers.py", ["--epochs", "1", "--no-amp"]),
)


def processor_seconds(pid):
    """Seconds that the process's first thread has computed, whatever else the machine did; NaN where Linux does not say."""
    try:
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[0]) * 1e-9
    except (OSError, ValueError, IndexError):
        return float("nan")


class Run:
    """losses: [(text before, number, text after)]; error: why it failed, or ""; gaps: seconds from one step's first loss to the next
    one's; busy: processor seconds of a step, mean; total: seconds of the whole process."""

    def __init__(self, args, program, module=None, variant=None, steps=None, threads=None):
        """program: of PROGRAMS; module: run `python -m module` with torch's random streams, or torch itself; variant: (kind, seed) of
        training_variant.py."""
        self.losses, self.error, self.gaps, self._marks = [], "", [], []
        threads = threads or args.threads
        _, file, options = program
        command = [sys.executable] + (["-m", module] if module else []) + ([VARIANT, *map(str, variant)] if variant else [])
        command += [os.path.join(EXAMPLES, file), *options, "--steps", str(steps or args.steps)]
        environment = dict(os.environ, OMP_NUM_THREADS=str(threads), MKL_NUM_THREADS=str(threads), PYTHONUNBUFFERED="1")
        if module:
            environment["WINNOW_RNG"] = "torch"
            if args.path:
                environment["PYTHONPATH"] = os.path.abspath(args.path)

        def settle():
            """Both see as many processors as they shall have threads."""
            if hasattr(os, "sched_setaffinity"):
                os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])

        with tempfile.TemporaryFile("w+") as errors, tempfile.TemporaryDirectory() as folder:
            command = [part.replace("{folder}", folder) for part in command]
            started = time.perf_counter()
            child = subprocess.Popen(command, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=errors, text=True, preexec_fn=settle)
            watch = threading.Timer(args.limit, child.kill)
            watch.start()
            self._read(child)
            code = child.wait()
            watch.cancel()
            self.total = time.perf_counter() - started
            errors.seek(0)
            lines = errors.read().strip().splitlines()
        if code:
            self.error = f"longer than {args.limit} s" if self.total >= args.limit else f"ended with {code}: " + " | ".join(lines[-3:] or ["no message"])

    def _read(self, child):
        """Losses and times as the lines arrive."""
        last = None
        for line in child.stdout:
            now = time.perf_counter(), processor_seconds(child.pid)
            found = LOSS.match(line)
            if found:
                self.losses.append((found[1], float(found[2]), found[3]))
            step = STEP.search(line)
            if not found or not step:
                last = None                         # not between two steps
            elif last is None or step[0] != last[0]:  # the first line of a step that has several
                if last is not None:
                    self.gaps.append(now[0] - last[1][0])
                    self._marks.append(now[1] - last[1][1])
                last = (step[0], now)

    @property
    def step(self):
        """Seconds of a step: the lower quartile, since other work on the machine only adds."""
        gaps = self.gaps[2:]
        return statistics.quantiles(gaps, n=4)[0] if len(gaps) > 2 else float("nan")

    @property
    def busy(self):
        """Processor seconds of a step, mean: with one thread (and no other process at work) what step is on an idle machine."""
        marks = self._marks[2:]
        return statistics.fmean(marks) if marks else float("nan")
