"""Numbers at the ends of their types in every size, stride, step, dimension and list: an error of torch's class or something sound; no
signal, no SystemError, no tensor outside its storage, nothing that takes 20 s. The expressions are in hostile.py, what PyTorch does with
them in hostile_expected.txt (oracle/hostile.py). SPDX-License-Identifier: Apache-2.0"""
import os
import re
import sys
import unittest

import hostile
from helper import SANITIZED, Case, winnow_only

HERE = os.path.dirname(os.path.abspath(__file__))

# Where PyTorch has an error and winnow something else on purpose: the expressions, and what it is.
ELSEWHERE = (
    # It computes where PyTorch's arithmetic overflows, though the result would fit.
    (r"torch\.arange\(0, 3, |torch\.arange\(-5, |tri[ul]_indices\(3, 3, |combinations\(v, |\.unfold\(0, [012], |^x\[.*\(2\*\*63-1\)\]|chunk\(\(2\*\*63-1\)\)|[vh]split\(\[\(-2\*\*63|"
     r"\.roll\(\(*\(-2\*\*63|slice_scatter\(x\[:1\], 0, 0, \(2\*\*63-1|^torch\.sparse_coo_tensor\(", "ok"),
    (r"\.index_add\(", "IndexError"),  # a position that is none
    (r"\(-2\*\*63\)|max_unpool1d|\(2\*\*63-1\) \+ 3", "OverflowError"),  # of a sum beyond 64 bits in Python; PyTorch: TypeError
    (r"broadcast_shapes\(|pixel_shuffle\(|torch\.nn\.GRU\(|embedding_bag\(", "RuntimeError"),
    (r"expand\(.*2\*\*.*\.(median|uniform_|bincount)\(| @ ", "RuntimeError"),  # too wide is said before the dtype is looked at
    (r"\.numpy\(\)", "BufferError"),
    (r"scale_factor=float\(", "OverflowError ValueError"),
)


def expected():
    with open(os.path.join(HERE, "hostile_expected.txt"), encoding="utf-8") as file:
        return [tuple(line.rstrip("\n").split("\t", 1)) for line in file]


def as_torchs(what, torchs, expression):
    """Is it torch's class? Where torch has a result, or dies, anything orderly will do."""
    if torchs in ("ok", "DIED", "LONGER") or torchs in what.split():
        return True
    if SANITIZED and what.split()[0] == "ok":
        return True  # the sanitizer has its address space already: hostile.py's limit does not hold it
    return any(re.search(where, expression) and what.split()[0] in classes.split() for where, classes in ELSEWHERE)


class Hostile(Case):
    @winnow_only
    def test_all(self):
        listed = expected()
        self.assertEqual([expression for _, expression in listed], hostile.expressions(), "run oracle/hostile.py")
        self.assertGreater(len(listed), 3000)
        got = hostile.outcomes([sys.executable, "-m", "winnow"])
        self.assertGreater(sum(what == "ok" for what in got), 500)
        for what, (torchs, expression) in zip(got, listed, strict=True):
            with self.subTest(expression):
                self.assertNotRegex(what, "^(DIED|LONGER|OUTSIDE|SystemError)")
                self.assertTrue(as_torchs(what, torchs, expression), f"{what}; PyTorch: {torchs}")


if __name__ == "__main__":
    unittest.main()
