#!/usr/bin/env python3
"""Runs the tests of the Python front and ends with one line, "N passed, N failed".

    python tests/python/run.py [-v] [filter...]                        on PyTorch: proves what the tests expect
    PYTHONPATH=python python3 -m winnow tests/python/run.py [filter...]    the same files on winnow

With WINNOW_DEFER in the environment the files are left out that say ONCE = True: what they test has nothing to do with deferral.
A filter is a part of a test's full name (test_indexing.Basic.test_slices). Without filters everything runs. A file
that cannot be imported counts as one failure. SPDX-License-Identifier: Apache-2.0"""
import os
import sys
import time
import unittest
import warnings

FOLDER = os.path.dirname(os.path.abspath(__file__))


class Counts(unittest.TestResult):
    """Counts tests, not subtests: a test with three wrong subtests is one failure. Prints a failure as it happens, so
    that a crash later on does not swallow it."""

    def __init__(self, verbose):
        super().__init__()
        self.verbose = verbose
        self.passed, self.failed_ids, self.began = 0, set(), 0.0
        self.durations = []

    def startTest(self, test):
        super().startTest(test)
        self.began = time.perf_counter()
        if self.verbose:
            print(test.id(), end=" ... ", flush=True)

    def stopTest(self, test):
        super().stopTest(test)
        self.durations.append((time.perf_counter() - self.began, test.id()))

    def _note(self, text):
        if self.verbose:
            print(text, flush=True)

    def _fail(self, test, kind, err, detail=""):
        self.failed_ids.add(test.id())
        self._note(kind)
        print(f"{kind} {test.id()}{detail}\n{self._exc_info_to_string(err, test)}", flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1
        self._note("ok")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._note(f"skipped: {reason}")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._fail(test, "FAILED", err)

    def addError(self, test, err):
        super().addError(test, err)
        self._fail(test, "ERROR", err)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._fail(test, "FAILED", err, f" {subtest._subDescription()}")


def selected(suite, filters):
    """The suite's tests, in order, whose name contains one of the filters."""
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from selected(item, filters)
        elif not filters or any(f in item.id() for f in filters):
            yield item


def main(arguments):
    verbose = "-v" in arguments
    filters = [a for a in arguments if a != "-v"]
    if FOLDER not in sys.path:
        sys.path.insert(0, FOLDER)
    found = unittest.TestLoader().discover(FOLDER, pattern="test_*.py", top_level_dir=FOLDER)
    tests = list(selected(found, filters))
    if "WINNOW_DEFER" in os.environ and not filters:
        tests = [test for test in tests if not getattr(sys.modules.get(type(test).__module__), "ONCE", False)]
    result = Counts(verbose)
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        unittest.TestSuite(tests).run(result)
    if verbose:
        for seconds, name in sorted(result.durations, reverse=True)[:10]:
            print(f"{seconds:7.2f} s  {name}")
    if result.skipped:
        print(f"{len(result.skipped)} skipped")
    if not tests:
        print("no test of that name")
    failed = len(result.failed_ids)
    print(f"{result.passed} passed, {failed} failed")
    return 1 if failed or not tests else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
