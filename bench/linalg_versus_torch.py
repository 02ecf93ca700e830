#!/usr/bin/env python3
"""Linear algebra from Python, winnow beside PyTorch: one program text in two processes, both alive and taking turns.

    .venv-torch/bin/python bench/linalg_versus_torch.py [WORD...] [--size N...] [--batch N] [--dtype float32...] [--pairs N] [--threads N] [--tree DIR]

WORDs choose operations by a part of their names. Prints milliseconds of processor time (of wall time with several threads), PyTorch's time /
winnow's (the median of the pairs and its quartiles), and both sides' residual in units of eps * n: what the result misses by when it is put
into the equation that defines it. --tree: the winnow of another working tree takes PyTorch's place.
SPDX-License-Identifier: Apache-2.0"""
import argparse
import json
import os
import statistics
import sys
import time

from steps_versus_torch import find_torch
from versus_torch import ROOT, Child, quartiles


def relative(torch, rest, *factors):
    """The size of what is left, relative to the product of the factors' sizes."""
    scale = 1.0
    for f in factors:
        scale = scale * f.double().norm()
    return (rest.norm() / scale).item()


def cases(torch, n, batch, dtype):
    """{name: (call, residual of its result)}; the residual is computed in double."""
    lead = (batch,) if batch > 1 else ()
    torch.manual_seed(0)
    a = torch.randn(*lead, n, n, dtype=torch.float64).to(dtype)
    b, v = torch.randn(*lead, n, n, dtype=torch.float64).to(dtype), torch.randn(*lead, n, 1, dtype=torch.float64).to(dtype)
    s = a @ a.mT / n + torch.eye(n, dtype=dtype)
    h = a + a.mT
    low, tall = torch.linalg.cholesky(s), torch.cat([a, b], -2)
    lu = torch.linalg.lu_factor(a)
    d, eye = (lambda t: t.double()), torch.eye(n, dtype=torch.float64)
    la = torch.linalg

    def system(x, left, right):
        return relative(torch, d(left) @ d(x) - d(right), left, x)

    def factors(f):
        p, l, u = torch.lu_unpack(*f)
        return relative(torch, d(p) @ d(l) @ d(u) - d(a), a)

    def same(value, exact):
        return ((d(value) - exact).abs() / exact.abs()).max().item()

    return {
        "lu_factor": (lambda: la.lu_factor(a), factors),
        "inv": (lambda: la.inv(a), lambda r: system(r, a, eye)),
        "solve": (lambda: la.solve(a, b), lambda r: system(r, a, b)),
        "solve vector": (lambda: la.solve(a, v), lambda r: system(r, a, v)),
        "lu_solve": (lambda: la.lu_solve(*lu, b), lambda r: system(r, a, b)),
        "slogdet": (lambda: la.slogdet(a), lambda r: same(r[1], la.slogdet(d(a))[1])),
        "det": (lambda: la.det(a / (n / 2.718281828) ** 0.5), lambda r: same(r, la.det(d(a / (n / 2.718281828) ** 0.5)))),
        "cholesky": (lambda: la.cholesky(s), lambda r: relative(torch, d(r) @ d(r.mT) - d(s), s)),
        "cholesky_solve": (lambda: torch.cholesky_solve(b, low), lambda r: system(r, d(low) @ d(low).mT, b)),
        "solve_triangular": (lambda: la.solve_triangular(low, b, upper=False), lambda r: system(r, low, b)),
        "solve_triangular right": (lambda: la.solve_triangular(low.mT, b, upper=True, left=False), lambda r: relative(torch, d(r) @ d(low.mT) - d(b), low, r)),
        "qr": (lambda: la.qr(a), lambda r: relative(torch, d(r[0]) @ d(r[1]) - d(a), a)),
        "eigh": (lambda: la.eigh(h), lambda r: relative(torch, d(h) @ d(r[1]) - d(r[1]) * d(r[0]).unsqueeze(-2), h)),
        "eigvalsh": (lambda: la.eigvalsh(h), lambda r: relative(torch, d(r) - la.eigvalsh(d(h)), h)),
        "svd": (lambda: la.svd(a), lambda r: relative(torch, (d(r[0]) * d(r[1]).unsqueeze(-2)) @ d(r[2]) - d(a), a)),
        "svdvals": (lambda: la.svdvals(a), lambda r: relative(torch, d(r) - la.svdvals(d(a)), a)),
        "lstsq": (lambda: la.lstsq(a, b)[0], lambda r: system(r, a, b)),
        "lstsq tall": (lambda: la.lstsq(tall, torch.cat([b, a], -2))[0], lambda r: relative(torch, d(tall).mT @ (d(tall) @ d(r) - d(torch.cat([b, a], -2))), tall, tall, r)),
        "lstsq gels": (lambda: la.lstsq(a, b, driver="gels")[0], lambda r: system(r, a, b)),
        "pinv": (lambda: la.pinv(a), lambda r: system(r, a, eye)),
    }


def serve(o):
    """One side: reads a command a line, answers one JSON line."""
    if o.side != "torch":
        sys.path.insert(0, os.path.join(o.side, "python"))
        import winnow._hook

        winnow._hook.install()
    import torch

    torch.set_num_threads(o.threads)
    clock, made = (time.process_time if o.threads == 1 else time.perf_counter), {}
    for line in sys.stdin:
        key, what, name = json.loads(line)
        if key not in made:
            made[key] = cases(torch, key_n(key), o.batch, getattr(torch, key.split()[0]))
        f, residual = made[key][name]
        if what == "names":
            print(json.dumps(list(made[key])), flush=True)
            continue
        if what == "check":
            print(json.dumps(residual(f()) / (torch.finfo(getattr(torch, key.split()[0])).eps * key_n(key))), flush=True)
            continue
        times, begin = [], time.perf_counter()
        while len(times) < 3 or time.perf_counter() - begin < 0.05:
            at = clock()
            r = f()
            (r if isinstance(r, torch.Tensor) else r[-1]).data_ptr()
            times.append(1e3 * (clock() - at))
        print(json.dumps(min(times)), flush=True)


def key_n(key):
    return int(key.split()[1])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("words", nargs="*")
    p.add_argument("--size", type=int, nargs="+", default=[512])
    p.add_argument("--batch", type=int, default=1)
    p.add_argument("--dtype", nargs="+", default=["float32", "float64"])
    p.add_argument("--pairs", type=int, default=9)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--tree", help="another working tree of winnow, instead of PyTorch")
    p.add_argument("--side", help=argparse.SUPPRESS)
    o = p.parse_args()
    if o.side:
        return serve(o)
    python, environment = find_torch(), dict(os.environ, OMP_NUM_THREADS=str(o.threads), MKL_NUM_THREADS=str(o.threads))
    other = os.path.abspath(o.tree) if o.tree else "torch"
    sides = [Child([python, os.path.abspath(__file__), "--side", side, "--threads", str(o.threads), "--batch", str(o.batch)], environment) for side in (other, ROOT)]
    print("%-8s %5s  %-24s %9s %9s   ratio  quartiles      residuals" % ("dtype", "n", "operation", "torch ms" if other == "torch" else "other ms", "winnow ms"))
    for n in o.size:
        for dtype in o.dtype:
            key = "%s %d" % (dtype, n)
            for name in sides[1].ask(json.dumps([key, "names", "inv"])):
                if o.words and not any(w in name for w in o.words):
                    continue
                checks = [s.ask(json.dumps([key, "check", name])) for s in sides]
                turns = [[s.ask(json.dumps([key, "time", name])) for s in (sides if i % 2 else sides[::-1])][:: 1 if i % 2 else -1] for i in range(o.pairs)]
                ratios = [a / b for a, b in turns]
                low, middle, high = quartiles(ratios)
                times = [statistics.median(t) for t in zip(*turns)]
                print("%-8s %5d  %-24s %9.3f %9.3f   %5.2f  %.2f to %.2f   %.2g, %.2g" % (dtype[0] + dtype[5:], n, name, *times, middle, low, high, *checks), flush=True)


if __name__ == "__main__":
    main()
