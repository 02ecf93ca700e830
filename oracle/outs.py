"""out=: an operation's result written where the caller says.

torch is asked first, for every kind of `out` below; the module must do the same: write there and return that very
tensor, resize it, or refuse it with the same class of exception.
"""
import math

from calls import Call
from carry import Freezer, LeftOut, dtype_name, frozen_tensors
from checks import form_of, frozen_call, guarded
from freedom import BROKEN_OUT

# An `out` as a change of the result it is to hold, by the kind of check. Other dtypes torch converts into or refuses.
WRITTEN = {"right": "out", "strided": "out", "empty": "out", "larger": "out"}
REFUSED = {"float64": "out-dtype", "int64": "out-dtype", "needs-grad": "out-grad"}


def outs_like(torch, result, case):
    """torch tensors to be written into, filled with something else than the result."""
    def one(tensor):
        dtype = getattr(torch, case) if case in ("float64", "int64") else tensor.dtype
        if case in ("float64", "int64") and dtype == tensor.dtype:
            raise LeftOut("out= of that dtype is the right one")
        shape = tuple(tensor.shape)
        if case == "empty":
            shape = (0,)
        elif case == "larger":
            shape = tuple(size + 1 for size in shape) or (2,)
        fill = math.nan if dtype.is_floating_point else 1
        if case == "strided":                           # every second element of a larger tensor, transposed
            made = torch.full((*reversed(shape), 2), fill, dtype=dtype)[..., 0]
            return made.permute(tuple(range(made.dim() - 1, -1, -1)))
        if case == "right":                             # torch's own strides for this result
            made = torch.empty_strided(shape, tensor.stride(), dtype=dtype).fill_(fill)
        else:
            made = torch.full(shape, fill, dtype=dtype)
        return made.requires_grad_() if case == "needs-grad" and dtype.is_floating_point else made

    if isinstance(result, torch.Tensor):
        return one(result)
    if isinstance(result, (tuple, list)) and all(isinstance(item, torch.Tensor) for item in result):
        return tuple(one(item) for item in result)
    raise LeftOut("out= of a result that is no tensor")


def verdict(bench, function, sample, case):
    if case in BROKEN_OUT.get(bench.op.name, ()):
        raise LeftOut("out= that breaks torch")
    torch = bench.torch.module
    plain = frozen_call(function, sample)
    if "out" in plain.kwargs:
        raise LeftOut("the sample has an out= of its own")
    bench.seed_both()
    (args, kwargs), _ = bench.torch.thaw(plain.arguments())
    result = function(bench.torch)(*args, **kwargs)
    target = Freezer()(outs_like(torch, result, case))
    if any(tensor.dtype not in bench.module.dtypes for tensor in frozen_tensors(target)):
        raise LeftOut("out= of a dtype that the module has not")
    expected, actual = bench.both(call := Call(function, plain.args, dict(plain.kwargs, out=target), grad=True))
    if expected.error is not None or actual.error is not None:
        return bench.errors(expected, actual)
    tolerances = bench.tolerances.lent(computed_in(torch, result))
    # the memory verdict asks whether the result is the `out` itself, the one on the arguments what was written there
    return bench.values(call, expected, actual, tolerances=tolerances) or bench.memory(expected, actual) \
        or bench.arguments(call, expected, actual, tolerances)


def computed_in(torch, result):
    """The dtype of what is written: a wider `out` does not make it more exact."""
    tensors = [result] if isinstance(result, torch.Tensor) else list(result)
    return next((dtype_name(one.dtype) for one in tensors if one.dtype.is_floating_point), "float64")


def written(bench, report, index, sample):
    outs(bench, report, index, sample, WRITTEN)


def refused(bench, report, index, sample):
    outs(bench, report, index, sample, REFUSED)


def outs(bench, report, index, sample, cases):
    function = form_of(bench, "function")
    for case, kind in cases.items():
        guarded(bench, report, kind, index, lambda: prefixed(case, verdict(bench, function, sample, case)))


def prefixed(case, reason):
    return f"({case}) {reason}" if reason else None
