"""What is held and not read waits, and the trace says so. SPDX-License-Identifier: Apache-2.0"""
import os
import subprocess
import sys
import unittest

import torch

from helper import Case, command, script_file, winnow_only

ONCE = True  # the program says itself from how many elements on operations are deferred

PROGRAM = """
    import sys
    import torch
    torch._C.set_defer_from(8192)
    x = torch.rand(1000000)
    x.sum().item()
    for i in range(2):
        y = x.exp()
        z = (x * 2).tanh()
        print("round", i, file=sys.stderr, flush=True)
        (x + 1).sum().item()
        y[5].item()
    """


@winnow_only
class Trace(Case):
    def test_why(self):
        with script_file(PROGRAM) as path:
            done = subprocess.run(command(path), capture_output=True, text=True, timeout=120, env=os.environ | {"WINNOW_TRACE": "programs"})
        self.assertEqual(done.returncode, 0, done.stderr)
        _, first, second = done.stderr.split("round ")
        sum_first, sum_second = (next(p for p in text.split("program: ") if "= sum" in p) for text in (first, second))
        self.assertEqual(sum_first.count("left waiting"), 2, sum_first)
        self.assertIn("left waiting: exp(a tensor)[float32 x 1000000]: held, but not read in an earlier round", sum_first)
        self.assertNotIn("exp", sum_first.partition("left waiting")[0])
        self.assertIn("along: held, and read in an earlier round", sum_second)
        self.assertEqual(sum_second.count("left waiting"), 1, sum_second)
        self.assertIn("left waiting: tanh(mul(a tensor, a number))", sum_second)


if __name__ == "__main__":
    unittest.main()
