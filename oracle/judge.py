"""Judges one entry in one dtype: draws the samples and runs the checks that were asked for."""
import dataclasses
import fnmatch
import importlib
import math
import random
import sys
import warnings

import checks
import outs
from calls import Bench
from compare import Tolerances
from entries import load_entries
from gradients import gradients
from report import Report

KINDS = ("name", "value", "memory", "arguments", "noncontiguous", "method", "inplace", "operator", "inplace-operator",
         "reflected", "alias", "out", "out-dtype", "out-grad", "grad", "noncontiguous-grad", "gradgrad", "inplace-grad",
         "error", "crash")

REFUSALS = 3                    # samples on which out= of other dtypes is tried: the answer depends little on them


@dataclasses.dataclass
class Settings:
    module: str
    path: str = None
    seed: int = 0
    samples: int = 40           # of an entry in a dtype; 0 is all
    few: int = 10               # of the checks that run a sample many times: out=, gradients, other names
    full: bool = False          # reference_inputs where an entry has them
    kinds: tuple = ("*",)
    text: bool = False


def load_module(name, path=None):
    """The module under judgement. `planted:DEFECT` is torch behind a wall with a defect: see selftest.py."""
    if path:
        sys.path.insert(0, path)
    if name.startswith("planted:"):
        from planted import planted
        return planted(name.partition(":")[2])
    module = importlib.import_module(name)
    for part in ("nn.functional", "linalg", "special"):         # as `import torch` makes them attributes
        try:
            importlib.import_module(f"{name}.{part}")
        except ImportError:
            pass
    return module


def chosen(samples, count, seed):
    """[(index, sample)]: at most `count` of them, the first always, the others by lot."""
    if not count or len(samples) <= count:
        return list(enumerate(samples))
    picked = random.Random(seed).sample(range(1, len(samples)), count - 1)
    return [(index, samples[index]) for index in (0, *sorted(picked))]


class Judge:
    def __init__(self, settings, note=None):
        import torch
        warnings.simplefilter("ignore")
        torch.set_num_threads(1)
        self.settings = settings
        self.note = note
        self.torch = torch
        self.entries = load_entries()
        self.module = load_module(settings.module, settings.path)
        import torch.testing._internal.common_utils as common_utils
        common_utils.SEED = 1234 + settings.seed              # what the database's samples are drawn with

    def wants(self, *kinds):
        return any(fnmatch.fnmatchcase(kind, glob) for kind in kinds for glob in self.settings.kinds)

    def tasks(self, ops, dtypes):
        """(covered: [(index, name, dtype)], missing: [names]); the dtype "-" stands for the checks that have none."""
        tasks, missing = [], []
        for index, entry in enumerate(self.entries):
            if not any(fnmatch.fnmatchcase(entry.name, glob) for glob in ops):
                continue
            if not entry.covered(self.module):
                missing.append(entry.name)
                continue
            for dtype in ("-", *entry.dtypes):
                if not dtypes or dtype == "-" or dtype in dtypes:
                    tasks.append((index, entry.name, dtype))
        return tasks, missing

    def run(self, index, dtype):
        entry, settings = self.entries[index], self.settings
        report = Report(entry.name, dtype)
        bench = Bench(self.torch, self.module, entry, Tolerances(entry.op), settings.seed, self.note)
        if dtype == "-":
            if self.wants("name"):
                checks.names(bench, report)
            if self.wants("error") and entry.op.error_inputs_func is not None:
                checks.errors(bench, report, settings.text)
        elif not hasattr(self.module, dtype):
            report.leave_out(f"the module has no {dtype}")
        else:
            self.forward(bench, report, dtype)
            if dtype == "float64" and entry.op.supports_autograd:
                self.backward(bench, report)
        report.passed = +report.passed
        return self.filtered(report)

    def filtered(self, report):
        """Checks that ran only because another kind was asked for."""
        for kind in [kind for kind in report.passed if not self.wants(kind)]:
            del report.passed[kind]
        report.failures = [one for one in report.failures if self.wants(one.kind)]
        return report

    def draw(self, op, dtype, requires_grad=False):
        source = op.reference_inputs if self.settings.full and not requires_grad else op.sample_inputs
        return list(source("cpu", getattr(self.torch, dtype), requires_grad=requires_grad))

    def forward(self, bench, report, dtype):
        """Each check with the number of samples that it is worth."""
        few = self.settings.few or math.inf
        plan = [(("value", "memory", "arguments"), checks.value, math.inf),
                (("noncontiguous",), checks.noncontiguous, math.inf),
                (("method", "inplace", "operator", "inplace-operator", "reflected"), checks.variants, math.inf),
                (("alias",), checks.aliases, few)]
        if bench.op.supports_out:
            plan += [(("out",), outs.written, few), (("out-dtype", "out-grad"), outs.refused, min(few, REFUSALS))]
        plan = [(check, limit) for kinds, check, limit in plan if self.wants(*kinds)]
        if not plan:
            return
        samples = chosen(self.draw(bench.op, dtype), self.settings.samples, self.settings.seed)
        for number, (index, sample) in enumerate(samples):
            for check, limit in plan:
                if number < limit:
                    check(bench, report, index, sample)

    def backward(self, bench, report):
        if self.wants("grad", "noncontiguous-grad", "gradgrad", "inplace-grad"):
            for index, sample in chosen(self.draw(bench.op, "float64", True), self.settings.few, self.settings.seed):
                gradients(bench, report, index, sample)
