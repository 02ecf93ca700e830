"""programs.py judged: torch beside itself and behind a wall passes, planted defects are found, their programs small."""
import copy
import os
import re
import subprocess
import tempfile
import warnings

os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", tempfile.gettempdir())    # not the working directory
import hypothesis

import program_steps
from planted import PROGRAM_DEFECTS
from programs import outside

EXAMPLES = 600                  # within which a planted defect must be found
STATEMENTS = 8                  # of which a failing program may consist at most, the loss apart


def judged(args, module, examples):
    args = copy.copy(args)
    args.wn, args.examples, args.first, args.path = module, examples, 1, None
    return outside(args, subprocess.PIPE)


def statements(text):
    """The lines of the program in a report."""
    lines = text.partition("return tensor.requires_grad_()")[2].splitlines()[1:]
    return [line for line in lines if line.strip() and "passed," not in line and not line.startswith(("loss", "  "))]


def names_of(seed):
    """Names that drawn programs use and program_steps.py does not list: absent() would not know them."""
    found = set()

    @hypothesis.seed(seed)
    @hypothesis.settings(max_examples=200, deadline=None, database=None,
                         suppress_health_check=list(hypothesis.HealthCheck))
    @hypothesis.given(program_steps.programs())
    def collect(program):
        for step in program.steps:
            found.update(re.findall(r"\.([A-Za-z]\w*)", step.text))
    collect()
    return found - set(program_steps.METHODS + program_steps.FUNCTIONS + program_steps.CASTS)


def main(args):
    warnings.simplefilter("ignore")
    passed = failed = 0

    def tally(good, text):
        nonlocal passed, failed
        print(("ok   " if good else "FAIL ") + text, flush=True)
        passed, failed = passed + bool(good), failed + (not good)

    for module, what in (("torch", "torch beside itself"), ("planted:none", "torch behind a wall")):
        code, text = judged(args, module, args.examples)
        if code:
            print(text)
        tally(code == 0 and f"{args.examples} passed, 0 failed" in text, f"{what}: {text.splitlines()[-1]}")
    unknown = names_of(args.seed)
    tally(not unknown, f"programs use only the names in program_steps.py {sorted(unknown)}")
    for name, (_, _, word) in PROGRAM_DEFECTS.items():
        code, text = judged(args, f"planted:{name}", EXAMPLES)
        report = text.partition("FAIL ")[2].splitlines()
        lines = statements(text)
        small = len(lines) <= STATEMENTS or word == "ended with"        # what crashes cannot be made smaller
        tally(code == 1 and report and word in report[0] and small,
              f"{name}: {report[0][:120] if report else 'not found'} | {'; '.join(lines)[:160]}")
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1
