"""Looking for a program on which the module differs from torch, and making it small."""
import dataclasses
import faulthandler
import re
import warnings

import hypothesis
import torch

from judge import load_module
from program_run import Step, differences, exactly, is_exact, loosely, run, sensitivity_of
from program_steps import absent, programs

LIMIT = 120                     # seconds for one program; a longer one has hung
ROUND = 200                     # programs between two failures that are looked for


class Mismatch(Exception):
    """The program that failed, and why."""

    def __init__(self, program, reason):
        super().__init__(reason)
        self.program, self.reason = program, reason


class Judge:
    def __init__(self, args):
        warnings.simplefilter("ignore")
        torch.set_num_threads(1)
        self.torch = torch
        self.module = load_module(args.wn, args.path)
        self.note = args.inside
        inner = getattr(self.module, "_C", None)
        # winnow: never, always, and as it comes: the same bits each time
        self.set_defer = getattr(inner, "set_defer_from", None) if self.module is not torch else None

    def verdict(self, program):
        """None, or how the module differs."""
        expected = run(program, self.torch)
        with open(self.note, "w", encoding="utf-8") as note:
            note.write(program.listing(expected.errors, expected.loss))
        faulthandler.dump_traceback_later(LIMIT, exit=True)
        try:
            return self.beside(program, expected)
        except Exception as error:          # in reading a result: errors of statements are results
            return f"the module's tensors cannot be read: {type(error).__name__}: {error}"
        finally:
            faulthandler.cancel_dump_traceback_later()

    def beside(self, program, expected):
        actual = run(program, self.module, expected.loss)
        reason = differences(expected, actual, loosely(expected, {}))
        if reason and not is_exact(program, self.torch):
            moved = sensitivity_of(program, self.torch, expected)
            reason = None if moved is None else differences(expected, actual, loosely(expected, moved))
        if reason or self.set_defer is None:
            return reason
        for threshold in (-1, 1):
            before = self.set_defer(threshold)
            try:
                other = run(program, self.module, expected.loss)
            finally:
                self.set_defer(before)
            reason = differences(actual, other, exactly)
            if reason:
                return f"with set_defer_from({threshold}), beside the default: {reason}"
        return None

    def shortened(self, program, reason):
        """The program without the statements that the failure does not need."""
        shorter = True
        while shorter:
            shorter = False
            for attempt in self.shorter_ones(program):
                try:
                    other = None if self.loses_names(attempt) else self.verdict(attempt)
                except Exception:               # no program any more
                    other = None
                if other:
                    program, reason, shorter = attempt, other, True
                    break
        return program, reason

    @staticmethod
    def shorter_ones(program):
        """Programs of one statement less: left out, or with one of the tensors it uses in the place of its result."""
        for part in ("steps", "leaves"):
            steps = getattr(program, part)
            for index in reversed(range(len(steps))):
                before, after = steps[:index], steps[index + 1:]
                yield dataclasses.replace(program, **{part: before + after})
                if part == "leaves" or not steps[index].target:
                    continue
                name = steps[index].target
                for used in dict.fromkeys(re.findall(r"\b[tx]\d+\b", steps[index].text.partition("=")[2])):
                    renamed = [Step(re.sub(rf"\b{name}\b", used, step.text), step.target) for step in after]
                    yield dataclasses.replace(program, **{part: before + renamed})

    def loses_names(self, program):
        """Does a statement use a name that is not there?"""
        return "NameError" in run(program, self.torch).errors.values() or not program.leaves


def search(args, judge, count, seed):
    """Runs `count` programs; the first failure, made small, or None; and how many passed."""
    passed = 0
    failing = None

    @hypothesis.seed(seed)
    @hypothesis.settings(max_examples=count, deadline=None, database=None, print_blob=False, report_multiple_bugs=False,
                         suppress_health_check=list(hypothesis.HealthCheck), verbosity=hypothesis.Verbosity.quiet)
    @hypothesis.given(programs(args.longest, absent(judge.module)))
    def attempt(program):
        nonlocal passed, failing
        reason = judge.verdict(program)
        if reason:
            failing = Mismatch(program, reason)
            raise failing
        passed += failing is None           # not what is tried to make the program smaller
    try:
        attempt()
    except Exception as error:
        if failing is None:
            raise
        # the last failing attempt is hypothesis's smallest; an error that is not repeated counts as well
        flaky = "" if isinstance(error, Mismatch) else " (not every time)"
        program, reason = judge.shortened(failing.program, failing.reason)
        return Mismatch(program, reason + flaky), passed
    return None, passed


def inside(args):
    judge = Judge(args)
    if absent(judge.module):
        print("not in the module, so not in programs: " + " ".join(absent(judge.module)))
    passed, failures, done, seed = 0, 0, 0, args.seed * 1000
    while done < args.examples and failures < args.first:
        count = min(ROUND, args.examples - done)
        failure, good = search(args, judge, count, seed)
        done, seed, passed = done + count, seed + 1, passed + good
        if failure is not None:
            failures += 1
            expected = run(failure.program, judge.torch)
            print(f"FAIL program (seed {args.seed}): {failure.reason}\n"
                  f"{failure.program.listing(expected.errors, expected.loss)}", flush=True)
    print(f"{passed} passed, {failures} failed")
    return 0 if passed and not failures else 1
