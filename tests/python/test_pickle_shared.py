"""Plain pickles go both ways: what PyTorch pickled is read by winnow, and what winnow pickled names PyTorch's functions only, so that PyTorch
reads it. The recordings are of both (`python tests/python/test_pickle_shared.py --record pytorch` with PyTorch, `... --record winnow` with
winnow). SPDX-License-Identifier: Apache-2.0"""

import lzma
import os
import pickle
import pickletools
import sys
import unittest

import torch
from helper import WINNOW, Case

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")


def objects():
    """Tensors, views that share memory, parameters, modules and what they computed."""
    torch.manual_seed(0)
    base = torch.arange(6.0)
    parameter = torch.nn.Parameter(torch.ones(2))
    parameter.note = "kept"
    dense = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.BatchNorm1d(4)).eval()
    recurrent = torch.nn.LSTM(2, 3, bidirectional=True)
    x = torch.rand(5, 3)
    return {
        "views": (base[1:3], base.reshape(2, 3).t()),
        "dtypes": [torch.ones(2, dtype=d) for d in (torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.uint8, torch.int64, torch.bool)],
        "empty": torch.empty(0, 3),
        "scalar": torch.tensor(7),
        "leaf": torch.ones(2, requires_grad=True),
        "parameter": torch.nn.Parameter(torch.zeros(1), requires_grad=False),
        "with attribute": parameter,
        "sparse": torch.eye(3).to_sparse(),
        "module": (dense, x, dense(x).detach()),
        "recurrent": (recurrent, x[None, :, :2], recurrent(x[None, :, :2])[0].detach()),
        "attention": torch.nn.MultiheadAttention(4, 2),
        "small": (torch.Size([1, 2]), torch.float16, torch.device("cpu")),
    }


def path(who):
    return os.path.join(FOLDER, f"pickles_{who}.xz")


class Pickles(Case):
    def check(self, got, shares):
        first, second = got["views"]
        first[0] = 50
        self.assertEqual(second[1, 0].item(), 50 if shares else 1)  # PyTorch writes a storage once for each view
        self.assertEqual(second.stride(), (1, 3))
        for t in got["dtypes"]:
            self.assertEqual(t.tolist(), [1, 1])
        self.assertEqual(tuple(got["empty"].shape), (0, 3))
        self.assertEqual(got["scalar"].item(), 7)
        self.assertTrue(got["leaf"].requires_grad and got["leaf"].is_leaf)
        self.assertIsInstance(got["parameter"], torch.nn.Parameter)
        self.assertFalse(got["parameter"].requires_grad)
        self.assertEqual(got["with attribute"].note, "kept")
        self.assertEqual(got["sparse"].to_dense().tolist(), torch.eye(3).tolist())
        dense, x, y = got["module"]
        self.assertTrue(torch.allclose(dense(x), y, atol=1e-5))
        recurrent, x, y = got["recurrent"]
        self.assertTrue(torch.allclose(recurrent(x)[0], y, atol=1e-5))
        x = torch.ones(2, 1, 4)
        self.assertEqual(tuple(got["attention"](x, x, x)[0].shape), (2, 1, 4))
        self.assertEqual(got["small"], (torch.Size([1, 2]), torch.float16, torch.device("cpu")))

    def test_recorded(self):
        for who in ("pytorch", "winnow"):
            with self.subTest(who), lzma.open(path(who)) as file:
                self.check(pickle.load(file), who == "winnow")

    def test_again(self):
        for protocol in (2, 4, 5):
            with self.subTest(protocol):
                self.check(pickle.loads(pickle.dumps(objects(), protocol)), WINNOW)

    def test_names(self):
        """No name of winnow's own: pickles of protocol 2 have each as GLOBAL."""
        texts = [arg for op, arg, _ in pickletools.genops(pickle.dumps(objects(), 2)) if op.name == "GLOBAL"]
        self.assertFalse([t for t in texts if not t.startswith(("torch", "collections", "__builtin__", "_codecs"))])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--record"]:
        with lzma.open(path(sys.argv[2]), "wb") as out:
            out.write(pickle.dumps(objects(), 2))
    else:
        unittest.main()
