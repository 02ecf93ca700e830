"""WINNOW_RNG=torch draws PyTorch 2.13's random numbers and leaves the generator in its state, as recorded (oracle/streams.py --record, which
also compares live and more thoroughly). SPDX-License-Identifier: Apache-2.0"""

import gzip
import os
import subprocess
import unittest

import streams
from helper import Case, command

ONCE = True  # whether an operation waits has nothing to do with what it draws

FOLDER = os.path.dirname(os.path.abspath(__file__))


class Streams(Case):
    def test_as_recorded(self):
        with gzip.open(os.path.join(FOLDER, "streams_expected.txt.gz"), "rt") as file:
            expected = file.read().splitlines()
        environment = {**os.environ, "WINNOW_RNG": "torch"}
        done = subprocess.run(command(os.path.join(FOLDER, "streams.py")), capture_output=True, text=True, timeout=300, check=False, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        first = {}  # the first case of each expression and dtype
        for case in streams.cases():
            first.setdefault((case[0], case[3]), case)
        got = streams.together(done.stdout.splitlines())
        wrong = []
        for (name, case), want, have in zip(first.items(), expected, got, strict=True):
            if not want.endswith("Error") and not streams.agree(want, have, case):
                wrong.append(f"{name[0]} {name[1] or ''}: {have} and not {want}")
        self.assertFalse(wrong, "\n" + "\n".join(wrong))


if __name__ == "__main__":
    unittest.main()
