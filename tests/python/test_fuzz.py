"""Some cases of the Python fuzzers (fuzz/README.md). SPDX-License-Identifier: Apache-2.0"""
import os
import subprocess
import unittest

from helper import Case, command, counts_memory, winnow_only

FUZZ = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "fuzz")


class Fuzz(Case):
    def run_cases(self, program, *arguments):
        done = subprocess.run(command(os.path.join(FUZZ, program), *arguments), capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        self.assertRegex(done.stdout.splitlines()[-1], "^[1-9][0-9]* passed, 0 failed$")

    @winnow_only
    @counts_memory  # only its limit keeps some calls from running for minutes
    def test_calls(self):
        self.run_cases("calls.py", "--cases", "3000")

    @winnow_only
    @counts_memory
    def test_torch_load(self):
        self.run_cases("torch_load.py", "--cases", "500")


if __name__ == "__main__":
    unittest.main()
