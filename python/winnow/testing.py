"""assert_close: are two tensors, numbers, sequences or mappings of them close? And make_tensor (_make_tensor.py)."""
import sys

import winnow

from ._hook import lacking as _lacking
from ._make_tensor import make_tensor

__all__ = ["assert_close", "make_tensor"]
__path__ = []  # no parts; but asking for one gets to the hook, which says what there is

Tensor = winnow.Tensor

# rtol, atol by dtype; where dtypes differ the larger of each. Others are compared exactly.
_TOLERANCES = {"torch.float16": (1e-3, 1e-5), "torch.bfloat16": (1.6e-2, 1e-5), "torch.float32": (1.3e-6, 1e-5), "torch.float64": (1e-7, 1e-7)}
_NUMBERS = {int: (0.0, 0.0), float: (1e-7, 1e-7), complex: (1e-7, 1e-7)}


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True, check_dtype=True,
                 check_layout=True, check_stride=False, msg=None):
    """Raises an AssertionError unless |actual - expected| <= atol + rtol * |expected| everywhere.

    Tensors (and what as_tensor makes tensors of, when the types are related) must agree in shape, and unless switched off in dtype,
    device and layout; sequences in length; mappings in keys. Without rtol and atol the dtype decides. msg: another message, or a
    function of the message."""
    __tracebackhide__ = True  # pytest shows the caller's line
    options = _Options(allow_subclasses, rtol, atol, equal_nan, check_device, check_dtype, check_layout, check_stride)
    try:
        pairs = list(_pairs(actual, expected, options, ()))
    except _Mismatch as mismatch:  # of structure: the message is ours in any case, as in PyTorch
        error = mismatch.error(None)
    else:
        error = None
        for pair in pairs:
            try:
                pair.compare()
            except _Mismatch as mismatch:
                error = mismatch.error(msg)
                break
    if error is not None:
        raise error


class _Options:
    def __init__(self, allow_subclasses, rtol, atol, equal_nan, check_device, check_dtype, check_layout, check_stride):
        self.allow_subclasses, self.rtol, self.atol, self.equal_nan = allow_subclasses, rtol, atol, equal_nan
        self.check_device, self.check_dtype, self.check_layout, self.check_stride = check_device, check_dtype, check_layout, check_stride


class _Mismatch(Exception):
    """What is wrong, and for which item."""

    def __init__(self, text, path, kind=AssertionError):
        super().__init__(text)
        self.text, self.path, self.kind = text, path, kind

    def error(self, msg):
        if isinstance(msg, str):
            return self.kind(msg)
        text = self.text
        if self.path:
            text += f"\n\nThe failure occurred for item {''.join([str([item]) for item in self.path])}"
        return self.kind(msg(text) if callable(msg) else text)


# ------------------------------------------------------------------ structure

def _pairs(actual, expected, options, path):
    """The values to compare, in order; a _Mismatch when the structures differ."""
    from collections.abc import Mapping, Sequence

    if isinstance(actual, Sequence) and isinstance(expected, Sequence) and not isinstance(actual, str) and not isinstance(expected, str):
        if len(actual) != len(expected):
            raise _Mismatch(f"The length of the sequences mismatch: {len(actual)} != {len(expected)}", path)
        for i in range(len(actual)):
            yield from _pairs(actual[i], expected[i], options, (*path, i))
    elif isinstance(actual, Mapping) and isinstance(expected, Mapping):
        lacking, more = set(expected) - set(actual), set(actual) - set(expected)
        if lacking or more:
            raise _Mismatch("The keys of the mappings do not match:\n"
                            f"Missing keys in the actual mapping: {sorted(lacking)}\n"
                            f"Additional keys in the actual mapping: {sorted(more)}", path)
        for key in _in_order(actual):
            yield from _pairs(actual[key], expected[key], options, (*path, key))
    else:
        yield _pair(actual, expected, options, path)


def _in_order(keys):
    try:
        return sorted(keys)
    except TypeError:
        return list(keys)


def _pair(actual, expected, options, path):
    if actual is None or expected is None:
        return _Nones(actual, expected, options, path)
    a, b = _python_value(actual), _python_value(expected)
    if isinstance(a, bool) and isinstance(b, bool):
        return _Bools(a, b, options, path)
    # A bool beside a number counts as neither, as in PyTorch.
    if type(a) in _NUMBERS and type(b) in _NUMBERS:
        return _Numbers(a, b, options, path)
    related = isinstance(actual, type(expected)) or isinstance(expected, type(actual))
    if related and (options.allow_subclasses or type(actual) is type(expected)):
        a, b = _tensor(actual), _tensor(expected)
        if a is not None and b is not None:
            return _Tensors(a, b, options, path)
    raise _Mismatch(f"No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}.", path, TypeError)


def _python_value(x):
    """NumPy's numbers as Python's."""
    numpy = sys.modules.get("numpy")
    return x.item() if numpy is not None and isinstance(x, numpy.generic) else x


def _tensor(x):
    if isinstance(x, Tensor):
        return x
    try:
        return winnow.as_tensor(x)
    except Exception:  # whatever it says: it is no tensor
        return None


# ------------------------------------------------------------------ values

class _Pair:
    def __init__(self, actual, expected, options, path):
        self.actual, self.expected, self.options, self.path = actual, expected, options, path
        self.prepare()

    def prepare(self):
        pass

    def fail(self, text):
        raise _Mismatch(text, self.path)

    def tolerances(self, *defaults):
        """rtol and atol as given, or the largest of the defaults."""
        rtol, atol = self.options.rtol, self.options.atol
        if (rtol is None) != (atol is None):
            raise _Mismatch(f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {'rtol' if rtol is None else 'atol'}.",
                            self.path, ValueError)
        if rtol is not None:
            return rtol, atol
        return max([d[0] for d in defaults]), max([d[1] for d in defaults])


class _Nones(_Pair):
    def compare(self):
        if self.actual is not self.expected:
            self.fail(f"None mismatch: {self.actual} is not {self.expected}")


class _Bools(_Pair):
    def compare(self):
        if self.actual is not self.expected:
            self.fail(f"Booleans mismatch: {self.actual} is not {self.expected}")


class _Numbers(_Pair):
    def prepare(self):
        self.rtol, self.atol = self.tolerances(_NUMBERS[type(self.actual)], _NUMBERS[type(self.expected)])

    def compare(self):
        import cmath

        a, e = self.actual, self.expected
        if self.options.check_dtype and type(a) is not type(e):
            self.fail(f"The (d)types do not match: {type(a)} != {type(e)}.")
        if a == e or (self.options.equal_nan and cmath.isnan(a) and cmath.isnan(e)):
            return
        difference = abs(a - e)
        if not (cmath.isfinite(difference) and difference <= self.atol + self.rtol * abs(e)):
            self.fail(_scalars(a, e, self.rtol, self.atol))


class _Tensors(_Pair):
    def prepare(self):
        self.rtol, self.atol = self.tolerances(*[_TOLERANCES.get(str(t.dtype), (0.0, 0.0)) for t in (self.actual, self.expected)])

    def compare(self):
        a, e, options = self.actual, self.expected, self.options
        self.same("shape", a.shape, e.shape)
        if options.check_layout:
            self.same("layout", a.layout, e.layout)
        if options.check_stride:
            self.same("stride()", a.stride(), e.stride())
        if options.check_device:
            self.same("device", a.device, e.device)
        if options.check_dtype:
            self.same("dtype", a.dtype, e.dtype)
        a, e = a.detach(), e.detach()
        if a.dtype != e.dtype:
            common = winnow.promote_types(a.dtype, e.dtype)
            a, e = a.to(common), e.to(common)
        matches = winnow.isclose(a, e, rtol=self.rtol, atol=self.atol, equal_nan=options.equal_nan)
        if not bool(matches.all()):
            self.fail(_scalars(a.item(), e.item(), self.rtol, self.atol) if a.dim() == 0 else
                      _elements(a, e, matches, self.rtol, self.atol))

    def same(self, attribute, a, e):
        if a != e:
            self.fail(f"The values for attribute '{attribute}' do not match: {a} != {e}.")


# ------------------------------------------------------------------ messages

def _verdict(what, rtol, atol):
    return f"{what} are not {'equal' if rtol == 0 and atol == 0 else 'close'}!\n\n"


def _allowed(tolerance, rtol, atol):
    return "" if rtol == 0 and atol == 0 else f" (up to {tolerance} allowed)"


def _scalars(actual, expected, rtol, atol):
    difference = abs(actual - expected)
    relative = float("inf") if expected == 0 else difference / abs(expected)
    return (_verdict("Scalars", rtol, atol) + f"Expected {expected} but got {actual}.\n"
            f"Absolute difference: {difference}{_allowed(atol, rtol, atol)}\n"
            f"Relative difference: {relative}{_allowed(rtol, rtol, atol)}")


def _elements(actual, expected, matches, rtol, atol):
    total = matches.numel()
    wrong = total - int(matches.sum())
    a, e, fine = actual.flatten(), expected.flatten(), matches.flatten()
    if not a.dtype.is_floating_point:
        a, e = a.to(winnow.int64), e.to(winnow.int64)
    difference = (a - e).abs().masked_fill(fine, 0)
    relative = (difference / e.abs()).masked_fill(fine, 0)
    return (_verdict("Tensor-likes", rtol, atol) + f"Mismatched elements: {wrong} / {total} ({wrong / total:.1%})\n"
            f"{_greatest('absolute', difference, actual.shape)}{_allowed(atol, rtol, atol)}\n"
            f"{_greatest('relative', relative, actual.shape)}{_allowed(rtol, rtol, atol)}")


def _greatest(kind, differences, shape):
    at = int(differences.argmax())
    value, index = differences[at].item(), []
    for size in reversed(shape):
        at, within = divmod(at, size)
        index.insert(0, within)
    return f"Greatest {kind} difference: {value} at index {tuple(index)}"


__getattr__ = _lacking(__name__, __all__)
