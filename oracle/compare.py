"""Are two results the same? Structure, shape, dtype, and values within torch's tolerances.

Every comparison answers None or one sentence that says what differs, torch's side first.
"""
import math

import numpy as np

from carry import Named, Seen, SeenTuple

# Tests of torch whose widened tolerances speak about results of eager CPU code; the others widen for compilers,
# forward-mode differentiation or other devices.
JUDGING_TESTS = ("TestCommon", "TestUnaryUfuncs", "TestBinaryUfuncs", "TestReductions", "TestMasked", "TestShapeFuncs",
                 "TestFFT", "TestLinalg", "TestMathBits", "TestOperators", "TestGradients", "TestBwdGradients")


class Tolerances:
    """By dtype: torch.testing's defaults, widened by what the entry's decorators say for its own tests."""

    def __init__(self, op=None):
        import torch
        from torch.testing._comparison import default_tolerances
        from torch.testing._internal.common_device_type import precisionOverride, toleranceOverride
        self.table = {}
        for name in ("float16", "bfloat16", "float32", "float64"):
            rtol, atol = default_tolerances(getattr(torch, name))
            self.table[name] = (rtol, atol)
        for decorator in op.decorators if op is not None else ():
            for one in self._active(decorator):
                if isinstance(one, toleranceOverride):
                    for dtype, bound in one.d.items():
                        self._widen(dtype, bound.rtol, bound.atol)
                elif isinstance(one, precisionOverride):
                    for dtype, bound in one.d.items():
                        self._widen(dtype, 0.0, bound)

    @staticmethod
    def _active(decorator):
        if not hasattr(decorator, "decorators"):
            return [decorator]
        judging = decorator.cls_name is None or decorator.cls_name.startswith(JUDGING_TESTS)
        here = decorator.device_type in (None, "cpu") and decorator.active_if
        return decorator.decorators if judging and here else []

    def _widen(self, dtype, rtol, atol):
        name = str(dtype).rpartition(".")[2]
        if name in self.table:
            old_rtol, old_atol = self.table[name]
            self.table[name] = (max(old_rtol, rtol), max(old_atol, atol))

    def of(self, dtype):
        return self.table.get(dtype, (0.0, 0.0))

    def lent(self, dtype):
        """The same, with the bounds of a narrower dtype for float64."""
        wider = self.scaled(1)
        wider.table["float64"] = self.of(dtype)
        return wider

    def scaled(self, factor):
        """The same, wider by a factor."""
        wider = object.__new__(Tolerances)
        wider.table = {name: (rtol * factor, atol * factor) for name, (rtol, atol) in self.table.items()}
        return wider


def close(expected, actual, rtol, atol):
    """Elementwise |actual - expected| <= atol + rtol * |expected|; equal infinities and NaN beside NaN are close."""
    expected = expected.astype(np.float64)
    actual = actual.astype(np.float64)
    with np.errstate(all="ignore"):
        near = np.abs(actual - expected) <= atol + rtol * np.abs(expected)
        near &= np.isfinite(expected) & np.isfinite(actual)
    return near | (expected == actual) | (np.isnan(expected) & np.isnan(actual))


def agree(expected, actual, tolerances):
    """Elementwise agreement of two Seen of one shape and dtype."""
    if expected.dtype in tolerances.table:
        return close(expected.values(), actual.values(), *tolerances.of(expected.dtype))
    return expected.array == actual.array


def _tensor_head(expected, actual, where):
    if expected.shape != actual.shape:
        return f"{where}shape {expected.shape} / {actual.shape}"
    if expected.dtype != actual.dtype:
        return f"{where}dtype {expected.dtype} / {actual.dtype}"
    return None


def _tensor_values(expected, actual, tolerances, where, closer):
    good = agree(expected, actual, tolerances)
    if good.all():
        return None
    if closer is not None:                              # see compare()
        reference = closer(where)
        if reference is not None and reference.shape == actual.shape:
            good = good | close(reference, actual.values(), *tolerances.of(expected.dtype))
            if good.all():
                return None
    place = tuple(int(i) for i in np.argwhere(~good)[0]) if expected.shape else ()
    one, other = expected.values()[place], actual.values()[place]
    return f"{where}{int((~good).sum())} of {good.size} values differ, first at {list(place)}: {one} / {other}"


def _number(expected, actual, tolerances, where):
    if type(expected) is not type(actual):
        return f"{where}{type(expected).__name__} / {type(actual).__name__}"
    if isinstance(expected, float):
        rtol, atol = tolerances.of("float64") if tolerances else (math.inf, math.inf)
        if not close(np.array(expected), np.array(actual), rtol, atol):
            return f"{where}{expected} / {actual}"
        return None
    if tolerances is not None and expected != actual:
        return f"{where}{expected!r} / {actual!r}"
    return None


def compare(expected, actual, tolerances, closer=None, where=""):
    """Do two seen results agree? `tolerances` None compares everything but the values (random numbers).

    `closer`, a function from a place in the result to an array in float64 or None, gives what the result would be with
    more exact arithmetic: an element may agree with that instead of with torch's rounding errors.
    """
    if isinstance(expected, Seen):
        if not isinstance(actual, Seen):
            return f"{where}tensor / {describe(actual)}"
        reason = _tensor_head(expected, actual, where)
        if reason is None and tolerances is not None:
            use = closer if expected.dtype in tolerances.table and expected.dtype != "float64" else None
            reason = _tensor_values(expected, actual, tolerances, where, use)
        return reason
    if isinstance(expected, SeenTuple):
        if not isinstance(actual, SeenTuple):
            return f"{where}{describe(expected)} / {describe(actual)}"
        if expected.sort != actual.sort or len(expected.items) != len(actual.items):
            return f"{where}{describe(expected)} / {describe(actual)}"
        for field in expected.fields:
            if field not in actual.fields:
                return f"{where}field {field} is missing"
        if not all(actual.by_name):
            return f"{where}named fields are not the items: {actual.fields}"
        for index, (one, other) in enumerate(zip(expected.items, actual.items)):
            reason = compare(one, other, tolerances, closer, f"{where}[{index}] ")
            if reason:
                return reason
        return None
    if isinstance(expected, dict):
        if not isinstance(actual, dict) or list(expected) != list(actual):
            return f"{where}{describe(expected)} / {describe(actual)}"
        for key in expected:
            reason = compare(expected[key], actual[key], tolerances, closer, f"{where}[{key!r}] ")
            if reason:
                return reason
        return None
    if isinstance(actual, (Seen, SeenTuple, dict)):
        return f"{where}{describe(expected)} / {describe(actual)}"
    if isinstance(expected, Named) or isinstance(actual, Named):
        return None if expected == actual else f"{where}{describe(expected)} / {describe(actual)}"
    return _number(expected, actual, tolerances, where)


def describe(value):
    if isinstance(value, Seen):
        return "tensor"
    if isinstance(value, SeenTuple):
        return f"{value.sort} of {len(value.items)}"
    if isinstance(value, dict):
        return f"dict of {sorted(map(str, value))}"
    if isinstance(value, Named):
        return value.name
    return type(value).__name__


def seen_tensors(value):
    """[(place, Seen)] of a seen result; places as compare() names them."""
    found = []

    def visit(value, where):
        if isinstance(value, Seen):
            found.append((where, value))
        elif isinstance(value, SeenTuple):
            for index, item in enumerate(value.items):
                visit(item, f"{where}[{index}] ")
        elif isinstance(value, dict):
            for key, item in value.items():
                visit(item, f"{where}[{key!r}] ")
    visit(value, "")
    return found


# -------------------------------------------------------------------- memory
def overlap(one, other):
    """Do two tensors lie in the same memory? By bounds, which tells a view from a copy; nothing lies in no memory."""
    return one.array.size > 0 and other.array.size > 0 and bool(np.may_share_memory(one.array, other.array))


def compare_memory(expected, expected_args, actual, actual_args):
    """Is the result an argument, or a view of one, where torch's is? Arguments: lists of Seen in the same order."""
    for (where, one), (_, other) in zip(seen_tensors(expected), seen_tensors(actual)):
        for index, (one_arg, other_arg) in enumerate(zip(expected_args, actual_args)):
            same = one.tensor is one_arg.tensor, other.tensor is other_arg.tensor
            if same[0] != same[1]:
                return f"{where}{'is' if same[0] else 'is not'} the tensor argument {index} itself / " \
                       f"{'is' if same[1] else 'is not'}"
            shared = overlap(one, one_arg), overlap(other, other_arg)
            if shared[0] != shared[1]:
                return f"{where}{'a view of' if shared[0] else 'not in the memory of'} tensor argument {index} / " \
                       f"{'a view' if shared[1] else 'not'}"
            if shared[0] and one.strides() != other.strides():
                return f"{where}strides of the view {one.strides()} / {other.strides()}"
    return None


def are_results(expected, expected_args, actual, actual_args):
    """Which arguments are tensors of the result, on both sides: their values are judged there."""
    def inside(result, args):
        tensors = [seen.tensor for _, seen in seen_tensors(result)]
        return [any(one.tensor is tensor for tensor in tensors) for one in args]
    return [one and other for one, other in zip(inside(expected, expected_args), inside(actual, actual_args))]


def compare_arguments(frozen, expected_args, actual_args, tolerances, drew=False, judged=()):
    """Has the call left the arguments as torch leaves them? What torch did not touch must keep its bits. Without
    tolerances the new values are free, but what torch fills with random numbers (`drew`) must change. `judged`: for
    each argument, whether its new values have been compared already."""
    for index, (before, one, other) in enumerate(zip(frozen, expected_args, actual_args)):
        reason = _tensor_head(one, other, "")
        if reason is None:
            start = before.array()
            untouched = one.shape == start.shape and one.array.tobytes() == start.tobytes()
            if untouched and other.array.tobytes() != start.tobytes():
                reason = "torch leaves it alone / it was changed"
            elif not untouched and tolerances is not None:
                done = judged and judged[index]
                if not done and not agree(one, other, tolerances).all():
                    reason = "torch changes it to other values"
            elif drew and not untouched and other.array.tobytes() == start.tobytes() and start.size > 1:
                reason = "torch changes it / it was left alone"
        if reason:
            return f"tensor argument {index}: {reason}"
    return None
