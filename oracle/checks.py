"""The checks of one entry: values and everything else that can be seen of a call without gradients."""
import inspect
import operator
import re

from calls import Call, first_line
from carry import Crossed, Freezer, FrozenTensor, LeftOut
from entries import walk
from freedom import GAUGE

# Operators that have a reflected form when a number stands on the left.
REFLECTED = {operator.add, operator.sub, operator.mul, operator.pow, operator.mod, operator.and_, operator.or_,
             operator.xor, operator.lshift, operator.rshift, operator.eq, operator.ne, operator.lt, operator.le,
             operator.gt, operator.ge, operator.truediv, operator.floordiv}


def frozen_call(function, sample):
    """A sample of the database as a call of `function(library)`."""
    args, kwargs = Freezer()(((sample.input, *sample.args), dict(sample.kwargs)))
    return Call(function, args, kwargs)


def strided_call(function, sample):
    """The same with tensors whose elements lie apart."""
    frozen_call(function, sample)                       # leaves out what noncontiguous() cannot do
    return frozen_call(function, sample.noncontiguous())


def form_of(bench, form):
    """function(library) for a form of the entry; None where torch or the module has none. What only the module lacks
    is reported by names() once, and not tried."""
    made = {id(library): bench.entry.callable(library.module, form) for library in (bench.torch, bench.module)}
    return None if None in made.values() else lambda library: made[id(library)]


def guarded(bench, report, kind, index, verdict):
    """Runs a verdict into the report."""
    bench.mark(kind, index)
    try:
        reason = verdict()
    except LeftOut as out:
        report.leave_out(out)
    except Crossed as error:
        report.check(kind, index, error)
    else:
        report.check(kind, index, reason)


def names(bench, report):
    """Has the module every form of the operation that torch has?"""
    for index, form in enumerate(("function", "method", "inplace")):
        missing = bench.entry.missing(bench.module.module, form)
        if missing is not None:
            report.check("name", index, f"missing: {', '.join(missing)}" if missing else None)


def value(bench, report, index, sample):
    """The function itself, with a verdict of its own on memory and one on the arguments."""
    def verdict():
        call = frozen_call(form_of(bench, "function"), sample)
        expected, actual = bench.both(call)
        if expected.error is not None or actual.error is not None:
            return bench.errors(expected, actual)
        reason = bench.values(call, expected, actual)
        if reason and bench.op.name in GAUGE:
            reason = bench.determined(call, sample.output_process_fn_grad)
        if reason is None:
            report.check("memory", index, bench.memory(expected, actual))
            report.check("arguments", index, bench.arguments(call, expected, actual))
        return reason
    guarded(bench, report, "value", index, verdict)


def noncontiguous(bench, report, index, sample):
    """The function on copies of the tensors whose elements lie apart."""
    def verdict():
        call = strided_call(form_of(bench, "function"), sample)
        return bench.verdict(call, sample.output_process_fn_grad)
    guarded(bench, report, "noncontiguous", index, verdict)


def variants(bench, report, index, sample):
    """The method, the in-place form and the operators."""
    def verdict(function):
        call = frozen_call(function, sample)
        if not isinstance(call.sample()[0], FrozenTensor):
            raise LeftOut("no tensor to call the method of")
        return bench.verdict(call, sample.output_process_fn_grad)

    for form in ("method", "inplace"):
        function = form_of(bench, form)
        if function is not None:
            guarded(bench, report, form, index, lambda: verdict(function))
    for form in ("operator", "inplace_operator"):
        function = getattr(bench.op, form + "_variant")
        if function is None or sample.kwargs or not accepts(function, 1 + len(sample.args)):
            continue
        guarded(bench, report, form.replace("_", "-"), index, lambda: verdict(lambda library: function))
        if function in REFLECTED:
            reflected(bench, report, index, function, sample)


def accepts(function, count):
    try:
        return len(inspect.signature(function).parameters) == count
    except ValueError:
        return False


def reflected(bench, report, index, function, sample):
    """`number <operator> tensor`: with the sample's own number where it has one, else with 2 or True."""
    def verdict():
        source, other = frozen_call(None, sample).args
        if isinstance(other, FrozenTensor):
            other = True if other.dtype == "bool" else 2
        if not isinstance(source, FrozenTensor) or not isinstance(other, (bool, int, float)):
            raise LeftOut("no number to put on the left")
        return bench.whole(Call(lambda library: function, (other, source), {}))
    guarded(bench, report, "reflected", index, verdict)


def aliases(bench, report, index, sample):
    """Other names of the operation, where the module has them."""
    for alias in bench.op.aliases or ():
        path = alias.name.removeprefix("torch.")
        if walk(bench.torch.module, path) is None or walk(bench.module.module, path) is None:
            continue

        def verdict():
            call = frozen_call(lambda library: walk(library.module, path), sample)
            return bench.verdict(call, sample.output_process_fn_grad)
        guarded(bench, report, "alias", index, verdict)


def errors(bench, report, want_text):
    """What torch refuses is refused, with the same class of exception."""
    function = form_of(bench, "function")
    for index, one in enumerate(bench.op.error_inputs("cpu")):
        def verdict():
            expected, actual = bench.both(frozen_call(function, one.sample_input))
            if expected.error is None:
                raise LeftOut("torch accepts the wrong arguments")
            reason = bench.errors(expected, actual)
            if want_text and reason is None and not re.search(one.error_regex, str(actual.error)):
                report.texts.append(f"{bench.entry.name} {index}: {first_line(expected.error)} / "
                                    f"{first_line(actual.error)}")
            return reason
        guarded(bench, report, "error", index, verdict)
