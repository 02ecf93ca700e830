"""The oracle judged: torch beside itself and behind a wall must pass, every planted defect must be found.

The walled runs take a part of op_db (or --ops) unless --full is given: the point is the oracle, not torch.
"""
from judge import Judge, Settings
from planted import ALLOWED, DEFECTS
from pool import Pool
from report import Summary

PART = ("add", "sub", "mul", "div.*", "sum", "mean", "amax", "max.*", "sort", "topk", "cat", "stack", "unbind",
        "transpose", "permute", "expand", "view", "__getitem__", "index_put", "where", "masked_fill",
        "matmul", "einsum", "exp", "tanh", "pow", "neg", "abs", "bitwise_and", "linalg.norm", "linalg.eigh",
        "linalg.solve", "svd", "nn.functional.relu", "nn.functional.dropout", "nn.functional.conv2d",
        "nn.functional.cross_entropy", "nn.functional.pad.constant", "nn.functional.interpolate.bilinear",
        "randn", "rand_like", "empty", "resize_", "to", "T", "float", "item", "clamp", "norm")


def pooled(module, ops, dtypes, kinds, jobs=1, timeout=120.0, seed=0):
    """A run in worker processes, as opdb.py makes it."""
    summary = Summary([], False)
    with Pool(Settings(module, None, seed, 8, 4, kinds=kinds), ops, dtypes, jobs, timeout) as pool:
        for report in pool.run():
            summary.add(report)
    return summary


def judged(module, ops, dtypes, kinds, samples=8, deviations=()):
    """A run in this process: most planted defects do not end it."""
    summary = Summary(list(deviations), False)
    judge = Judge(Settings(module, None, 0, samples, 4, kinds=kinds))
    for index, _, dtype in judge.tasks(ops, dtypes)[0]:
        summary.add(judge.run(index, dtype))
    return summary


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def __call__(self, good, text):
        print(("ok   " if good else "FAIL ") + text, flush=True)
        self.passed += bool(good)
        self.failed += not good


def clean(tally, module, ops, args, what):
    """A run in which nothing may fail."""
    summary = pooled(module, ops, (), ("*",), args.jobs, seed=args.seed)
    count = sum(summary.passed.values())
    for failure in summary.failures[:20]:
        print(failure.line())
    tally(count > 0 and not summary.failures, f"{what}: {count} passed, {len(summary.failures)} failed, "
                                              f"{len(summary.covered)} entries")


def planted_defects(tally):
    """Each is found where it is planted: and that entry passes without it, so that it is the defect which was found."""
    for name, defect in DEFECTS.items():
        ops, dtypes = (defect.entry,), tuple(defect.dtypes.split(","))
        if defect.kind == "crash":
            with_it = pooled(f"planted:{name}", ops, dtypes, ("value",), timeout=10.0 if name == "hang" else 60.0)
            without = judged("planted:none", ops, dtypes, ("value",))
        else:
            with_it = judged(f"planted:{name}", ops, dtypes, (defect.kind,))
            without = judged("planted:none", ops, dtypes, (defect.kind,))
        found = [failure for failure in with_it.failures if failure.kind == defect.kind]
        shown = found[0].line().removeprefix("FAIL ")[:110] if found else "not found"
        tally(found and not without.failures and sum(without.passed.values()), f"{name}: {shown}")


def allowed(tally):
    for name, defect in ALLOWED.items():
        summary = judged(f"planted:{name}", (defect.entry,), (defect.dtypes,), (defect.kind,), samples=0)
        for failure in summary.failures[:3]:
            print(failure.line())
        tally(not summary.failures and sum(summary.passed.values()), f"allowed: {name}")


def bookkeeping(tally):
    """Deviations cover what they match, and become stale."""
    matching = [("add", "value", "float32", "planted")]
    summary = judged("planted:value", ("add",), ("float32",), ("value",), deviations=matching)
    tally(not summary.failures and summary.deviating["value"] and not summary.stale(), "a deviation covers a failure")
    summary = judged("planted:none", ("add",), ("float32",), ("value",), deviations=matching)
    tally(len(summary.stale()) == 1, "a deviation that nothing needs is stale")
    summary = judged("planted:value", ("add",), ("float32",), ("value",), deviations=[("add", "grad", "*", "other")])
    tally(summary.failures and not summary.stale(), "a deviation for another check covers nothing")


def main(args):
    tally = Tally()
    ops = tuple(args.ops.split(",")) if args.ops != "*" or args.full else PART
    clean(tally, "torch", ops, args, "torch beside itself")
    clean(tally, "planted:none", ops, args, "torch behind a wall")
    planted_defects(tally)
    allowed(tally)
    bookkeeping(tally)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 0 if tally.passed and not tally.failed else 1
