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


KINDS = ("Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "ASGD", "Muon", "NAdam", "RAdam", "RMSprop", "Rprop", "SGD")


def step(optimizer):
    """What the optimiser's parameter is after a step; gradients are the same in each."""
    p, = optimizer.param_groups[0]["params"]
    p.grad = torch.tensor([[1.0, -2.0], [0.5, 3.0]])
    optimizer.step()
    return p.tolist()


def training(kind):
    """An optimiser after a step, with its schedule, the parameter after another one and the learning rate that belongs to it."""
    def begin():
        optimizer = getattr(torch.optim, kind)([torch.nn.Parameter(torch.ones(2, 2))], lr=0.125)
        step(optimizer)
        return optimizer, torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)

    optimizer, schedule = begin()
    other, later = begin()
    after = step(other)
    later.step()
    return optimizer, schedule, after, later.get_last_lr()


def objects():
    """Tensors, views that share memory, parameters, modules and what they computed, optimisers."""
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
        "optimizers": [training(kind) for kind in KINDS],
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

        for kind, (optimizer, schedule, after, rates) in zip(KINDS, got["optimizers"]):
            self.assertIs(type(optimizer), getattr(torch.optim, kind))
            self.assertIs(schedule.optimizer, optimizer)
            p, = optimizer.param_groups[0]["params"]
            self.assertEqual(p in optimizer.state, kind != "SGD")  # which has none without momentum
            tolerance = 1e-2 if kind == "Muon" else 1e-6  # which computes in bfloat16
            self.assertTrue(torch.allclose(torch.tensor(step(optimizer)), torch.tensor(after), rtol=tolerance, atol=tolerance), kind)
            schedule.step()
            self.assertEqual(schedule.get_last_lr(), rates, kind)

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
