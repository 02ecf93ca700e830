#!/usr/bin/env python3
"""torch.load on damaged files: saved ones with some bytes changed, and archives whose pickle says whatever sizes, strides, offsets and
storages come by lot. What loads must be sound, and bear some ordinary operations.

    PYTHONPATH=python python3 -m winnow fuzz/torch_load.py --cases 1000000 --processes 2

--only K tries one case in this process. SPDX-License-Identifier: Apache-2.0"""
import io
import os
import random
import sys
import zipfile

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "tests", "python")]
import hostile  # noqa: E402
import test_file_attacks as attacks  # noqa: E402
import workers  # noqa: E402

GOOD = [attacks.saved(attacks.sample(), **options) for options in ({}, {"pickle_protocol": 4}, {"_use_new_zipfile_serialization": False})]
with zipfile.ZipFile(io.BytesIO(GOOD[0])) as z:
    PICKLE, STORAGES = z.read("archive/data.pkl"), [z.read(name) for name in z.namelist() if "/data/" in name]
ENDS = (2**31, 2**32, 2**62, 2**63 - 1, 2**61, 2**60, -2**63, 2**32 + 1, 2**40, 6148914691236517205, 2**64, 2**48)
KINDS = ("FloatStorage", "LongStorage", "BoolStorage", "HalfStorage", "ByteStorage", "DoubleStorage")


def number(r):
    return r.randrange(-1, 6) if r.random() < 0.6 else r.choice(ENDS) + r.randrange(-1, 3)


def storage(r):
    count = r.choice((4, 4, 4, 4, number(r)))
    return attacks.pid(r.choice(KINDS) if r.random() < 0.3 else "FloatStorage", "0", "cpu", count)


def tensor(r):
    n = r.randrange(4)
    zero_strides = r.random() < 0.5
    return attacks.tensor([number(r) for _ in range(n)], [0 if zero_strides and r.random() < 0.8 else number(r) for _ in range(n)], r.choice((0, 0, number(r))), storage(r))


def wrapped(r):
    """A tensor, or something that is made of tensors."""
    kind, t = r.randrange(8), tensor(r)
    if kind == 0:
        layout = attacks.call(attacks.glob("torch.serialization", "_get_layout"), attacks.text("torch.sparse_coo"))
        indices = attacks.tensor([number(r), number(r)], [number(r), 1], 0, attacks.pid("LongStorage", "1", "cpu", 2))
        return attacks.call(attacks.glob("torch._utils", "_rebuild_sparse_tensor"), layout, b"(" + indices + t + attacks.numbers([number(r) for _ in range(r.randrange(1, 3))]) +
                            r.choice((b"", b"\x88")) + b"t")
    if kind == 1:
        return attacks.call(attacks.glob("torch._utils", "_rebuild_parameter"), t, b"\x88", attacks.OrderedDict + b")R")
    return t


def make(k):
    r = random.Random(k)
    if r.random() < 0.6:
        return attacks.with_pickle(b"\x80\x02" + wrapped(r) + b".", (bytes(16), bytes(16)))
    if r.random() < 0.5:
        return attacks.with_pickle(attacks.mutated(r, PICKLE), STORAGES)
    return attacks.mutated(r, r.choice(GOOD))


def use(t):
    """What a program does with a tensor first."""
    for what in (lambda: t.clone(), lambda: t + 1, lambda: t.to(torch.float64), lambda: t.contiguous(), lambda: t.reshape(-1), lambda: torch.stack([t, t]), lambda: t.expand(2, *t.shape),
                 lambda: t[0], lambda: t.flatten()[1:], lambda: t.to_dense(), lambda: t.detach().fill_(1), lambda: t.sum() if t.numel() < 10000 else None):
        try:
            for made in hostile.tensors(what()):
                wrong = hostile.outside(made)
                if wrong:
                    return wrong
        except SystemError as e:
            return f"SystemError ({e})"
        except Exception:  # pylint: disable=broad-except
            pass
    return None


def walk(value, depth=0):
    if isinstance(value, torch.Tensor):
        wrong = hostile.outside(value)
        return wrong or use(value)
    if isinstance(value, (dict, list, tuple)) and depth < 6:
        for item in list(value.values() if isinstance(value, dict) else value)[:100]:
            wrong = walk(item, depth + 1)
            if wrong:
                return wrong
    return None


def try_file(data):
    try:
        value = torch.load(io.BytesIO(data))
    except attacks.ERRORS:
        return None
    except Exception as e:  # pylint: disable=broad-except
        return f"{type(e).__name__} ({e})"
    return walk(value)


def try_case(k, _):
    with workers.Clock(False):
        return try_file(make(k))


if __name__ == "__main__":
    torch.set_num_threads(1)
    sys.exit(workers.main(lambda: workers.Run(try_case, lambda k, _: f"--only {k}", lambda k, _: "load")))
