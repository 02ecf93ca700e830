"""Vector-Jacobian products, and those of their gradients, beside torch's.

The cotangents come from a seeded NumPy generator, so that both sides get the same. Where torch itself has no gradient
(its backward raises), nothing is judged.
"""
import dataclasses

import numpy as np

from calls import Call, first_line, unsupported
from carry import Crossed, FrozenTensor, LeftOut, frozen_tensors
from checks import form_of, frozen_call, guarded, strided_call
from compare import agree
from entries import retarget
from freedom import values_are_free

SECOND_ORDER_ELEMENTS = 300     # larger samples have first-order checks only


@dataclasses.dataclass
class Pullback:
    """What backward made of one side."""
    error: Exception = None
    wants: list = None          # requires_grad of each tensor of the result
    first: list = None          # gradients of the arguments, seen, None where there is none
    second: list = None         # of the arguments and the cotangents
    drew: bool = False


def cotangents(library, tensors, rng, strided, grad):
    """Random tensors like these, the same on both sides."""
    made = []
    for tensor in tensors:
        name = library.name_of(tensor.dtype)
        array = rng.standard_normal((*tensor.shape, 2) if strided else tuple(tensor.shape))
        array = array.astype(np.float64 if name == "bfloat16" else name)
        given = library.from_array(array[..., 0] if strided else array, name)
        made.append(given.requires_grad_(True) if grad else given)
    return made


class Differentiator:
    """Differentiates one call on both sides."""

    def __init__(self, bench, call, process, seed, strided=False, second=False):
        self.bench, self.call, self.process = bench, call, process
        self.seed, self.strided, self.second = seed, strided, second

    def side(self, library, plan=None):
        """`plan` is torch's answer; the module differentiates the same tensors of its own."""
        bench = self.bench
        (args, kwargs), tensors = library.thaw(self.call.arguments(), grad=True)
        inputs = [tensors[one.key] for one in frozen_tensors(self.call.arguments()) if one.requires_grad]
        rng = np.random.default_rng(self.seed)
        is_torch = library is bench.torch
        bench.note(f"{bench.at[0]} {bench.at[1]} {'torch' if is_torch else 'module'}")
        before = library.module.get_rng_state() if is_torch else None
        try:
            result = self.call.function(library)(*args, **kwargs)
            result = retarget(self.process, library.module)(result)
            outputs = library.tensors_of(result)
            wants = [bool(tensor.requires_grad) for tensor in outputs]
            if plan is not None and plan.wants != wants:
                return Pullback(wants=wants)
            outputs = [tensor for tensor in outputs if tensor.requires_grad]
            drew = is_torch and not library.module.equal(before, library.module.get_rng_state())
            if not outputs:
                return Pullback(wants=wants, first=[], drew=drew)
            given = cotangents(library, outputs, rng, self.strided, self.second)
            grads = library.module.autograd.grad(outputs, inputs, given, allow_unused=True, create_graph=self.second)
            second = self.again(library, grads, [*inputs, *given], self.seed, plan) if self.second else None
        except Exception as error:
            return Pullback(error=error)
        try:
            return Pullback(wants=wants, first=[self.see(library, one) for one in grads], drew=drew,
                            second=None if second is None else [self.see(library, one) for one in second])
        except LeftOut:
            raise
        except Exception as error:
            raise Crossed(f"the gradient cannot be read: {first_line(error)}") from error

    @staticmethod
    def see(library, gradient):
        return None if gradient is None else library.see_tensor(gradient)

    @staticmethod
    def again(library, grads, variables, seed, plan):
        """Gradients of the gradients. Which of them are differentiated is torch's choice. One that has no history on
        the other side counts as constant: that is right where torch's second gradients are zero, and only there."""
        if plan is None:
            chosen = [one is not None and bool(one.requires_grad) for one in grads]
        else:
            chosen = [one is not None and one.requires_grad for one in plan.first]
        differentiated, given = [], []
        for index, one in enumerate(grads):
            if chosen[index] and one is not None and one.requires_grad:
                differentiated.append(one)
                given += cotangents(library, [one], np.random.default_rng((seed, index)), False, False)
        if not differentiated:
            return [None] * len(variables)
        return library.module.autograd.grad(differentiated, variables, given, allow_unused=True)

    # ---------------------------------------------------------------- verdict
    def verdict(self):
        bench = self.bench
        bench.seed_both()
        expected = self.side(bench.torch)
        if expected.error is not None:
            raise LeftOut("torch has no kernel for it" if unsupported(expected.error) else "torch has no gradient")
        actual = self.side(bench.module, expected)
        if actual.error is not None:
            return f"raises {first_line(actual.error)}"
        if expected.wants != actual.wants:
            return f"requires_grad of the results {expected.wants} / {actual.wants}"
        free = values_are_free(bench.op, expected.drew)
        reason = self.gradients(expected.first, actual.first, bench.tolerances, free)
        if reason or not self.second:
            return reason
        reason = self.gradients(expected.second, actual.second, bench.tolerances.scaled(10), free)
        return f"second order: {reason}" if reason else None

    @staticmethod
    def gradients(expected, actual, tolerances, free):
        """No gradient is the same as a gradient of zeros."""
        for index, (one, other) in enumerate(zip(expected, actual)):
            if one is None and other is None:
                continue
            if one is None or other is None:
                present = one or other
                if not free and present.values().any():
                    return f"gradient {index}: {'none' if one is None else 'values'} / " \
                           f"{'none' if other is None else 'values'}"
                continue
            if one.shape != other.shape or one.dtype != other.dtype:
                return f"gradient {index}: {one.dtype}{list(one.shape)} / {other.dtype}{list(other.shape)}"
            good = agree(one, other, tolerances)
            if not free and not good.all():
                place = tuple(int(i) for i in np.argwhere(~good)[0]) if one.shape else ()
                return f"gradient {index}: {int((~good).sum())} of {good.size} values differ, first at " \
                       f"{list(place)}: {one.values()[place]} / {other.values()[place]}"
        return None


def elements(call):
    return sum(int(np.prod(one.shape)) for one in frozen_tensors(call.arguments()))


def gradients(bench, report, index, sample):
    """All gradient checks of one sample, which was drawn with requires_grad."""
    try:
        plain = frozen_call(None, sample)
    except LeftOut as out:
        report.leave_out(out)
        return
    if not any(one.requires_grad for one in frozen_tensors(plain.arguments())):
        return
    function, process, seed = form_of(bench, "function"), sample.output_process_fn_grad, bench.seed + index

    def first():
        return Differentiator(bench, frozen_call(function, sample), process, seed).verdict()

    def strided():
        return Differentiator(bench, strided_call(function, sample), process, seed, strided=True).verdict()

    def second():
        return Differentiator(bench, frozen_call(function, sample), process, seed, second=True).verdict()

    guarded(bench, report, "grad", index, first)
    guarded(bench, report, "noncontiguous-grad", index, strided)
    if bench.op.supports_gradgrad and elements(plain) <= SECOND_ORDER_ELEMENTS:
        guarded(bench, report, "gradgrad", index, second)
    inplace = form_of(bench, "inplace")
    if inplace is not None and bench.op.supports_inplace_autograd and not sample.broadcasts_input:
        guarded(bench, report, "inplace-grad", index, lambda: inplace_verdict(bench, inplace, sample, seed))


def inplace_verdict(bench, inplace, sample, seed):
    """Through a copy, since a leaf that requires a gradient may not be changed in place."""
    call = frozen_call(None, sample)
    if not isinstance(call.sample()[0], FrozenTensor):
        raise LeftOut("no tensor to call the method of")

    def on_copy(library):
        return lambda first, *args, **kwargs: inplace(library)(first.clone(), *args, **kwargs)
    return Differentiator(bench, Call(on_copy, call.args, call.kwargs), sample.output_process_fn_grad, seed).verdict()
