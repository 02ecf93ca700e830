"""One call on both sides, and the verdict on it."""
import dataclasses

import numpy as np

from carry import Crossed, FrozenTensor, LeftOut, Library, Named, frozen_tensors
from compare import are_results, compare, compare_arguments, compare_memory, seen_tensors
from entries import retarget
from freedom import GAUGE, excused, lost_elements, values_are_free


def builtin_class(error):
    """The class of an error that user code can name in any library: the nearest one that Python itself defines."""
    return next(cls for cls in type(error).__mro__ if cls.__module__ == "builtins")


def first_line(error):
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0][:160] if text else ''}"


def unsupported(error):
    """Does torch say that it has no kernel for this dtype or form? Then it is no judge of it."""
    return isinstance(error, NotImplementedError) or "not implemented for" in str(error) \
        or "not yet implemented" in str(error).lower()


@dataclasses.dataclass
class Side:
    """What one library made of a call."""
    error: Exception = None
    result: object = None       # seen
    args: list = None           # the tensor arguments after the call, seen
    drew: bool = False          # torch's generator moved
    raw: object = None          # what the library returned


@dataclasses.dataclass
class Call:
    """A call to be made on both sides: `function(library)` gives the callable; args and kwargs are frozen."""
    function: object
    args: tuple
    kwargs: dict
    grad: bool = False          # tensors that were frozen with requires_grad have it again

    def arguments(self):
        return self.args, self.kwargs

    def sample(self):
        """(input, args, kwargs) as the database has it."""
        return (self.args[0] if self.args else None), self.args[1:], self.kwargs


class Bench:
    """torch, the module, and how to run a call on each."""

    def __init__(self, torch_module, module, entry, tolerances, seed, note=None):
        own = hasattr(module.Tensor, "as_strided")
        self.torch = Library(torch_module, own)
        self.module = Library(module, own)
        self.entry = entry
        self.op = entry.op
        self.tolerances = tolerances
        self.seed = seed
        self.note = note or (lambda text: None)     # survives the process: what runs, should it never return
        self.at = "", 0

    def mark(self, kind, index):
        """The check that begins: its kind and the number of the sample."""
        self.at = kind, index

    def seed_both(self):
        self.torch.module.manual_seed(self.seed)
        seeder = getattr(self.module.module, "manual_seed", None)
        if seeder is not None:
            seeder(self.seed)

    def run(self, library, call, post=None):
        """One side. Errors of the call are part of the answer; errors in reading the answer are the module's fault."""
        frozen = call.arguments()
        (args, kwargs), tensors = library.thaw(frozen, call.grad)
        function = call.function(library)
        is_torch = library is self.torch
        self.note(f"{self.at[0]} {self.at[1]} {'torch' if is_torch else 'module'}")
        before = library.module.get_rng_state() if is_torch else None
        try:
            raw = function(*args, **kwargs)
            if post is not None:
                raw = post(library, raw)
        except Exception as error:
            return Side(error=error)
        drew = is_torch and not library.module.equal(before, library.module.get_rng_state())
        try:
            result = library.see(raw)
            seen = [library.see(tensors[one.key]) for one in frozen_tensors(frozen)]
        except LeftOut:
            raise
        except Exception as error:
            raise Crossed(f"the result cannot be read: {first_line(error)}") from error
        return Side(result=result, args=seen, drew=drew, raw=raw)

    def both(self, call, post=None):
        """(torch's side, the module's side)."""
        self.seed_both()
        expected = self.run(self.torch, call, post)
        if expected.error is not None and unsupported(expected.error):
            raise LeftOut("torch has no kernel for it")
        return expected, self.run(self.module, call, post)

    # ---------------------------------------------------------------- verdicts
    def errors(self, expected, actual):
        """A reason where the sides do not fail alike. None where both succeed, or both fail in the same way."""
        if expected.error is None and actual.error is None:
            return None
        if expected.error is None:
            return f"raises {first_line(actual.error)}"
        if actual.error is None:
            return f"torch raises {first_line(expected.error)} / no error"
        one, other = builtin_class(expected.error), builtin_class(actual.error)
        if one is not other:
            return f"{one.__name__} ({first_line(expected.error)}) / {first_line(actual.error)}"
        return None

    def closer(self, call, post=None):
        """What torch computes from the same numbers in float64: a function from a place in the result to that tensor's
        values, rounded to the dtype of torch's own result. Made only when it is asked for."""
        held = {}

        def of(place):
            if "result" not in held:
                held["result"] = self._wide(call, post)
            wide, narrow = held["result"]
            return wide.get(place) if narrow is None else None
        return of

    def _wide(self, call, post):
        torch = self.torch.module
        wide = Call(call.function, *_widened(call.arguments()))
        default = torch.get_default_dtype()
        torch.set_default_dtype(torch.float64)
        try:
            self.seed_both()
            side = self.run(self.torch, wide, post)
        except (LeftOut, Crossed) as error:
            return {}, error
        finally:
            torch.set_default_dtype(default)
        if side.error is not None:
            return {}, side.error
        return dict(seen_tensors(side.result)), None

    def values(self, call, expected, actual, post=None, tolerances=None):
        """A reason where the results differ."""
        tolerances = tolerances or self.tolerances
        op, sample = self.op, call.sample()
        if values_are_free(op, expected.drew):
            reason = compare(expected.result, actual.result, None)
            return reason or lost_elements(op, sample, expected.result, actual.result)
        reason = compare(expected.result, actual.result, tolerances, self._rounded(call, expected, post))
        if reason and excused(op, sample, expected.result, actual.result, tolerances):
            return None
        return reason

    def _rounded(self, call, expected, post):
        wide = self.closer(call, post)
        dtypes = {place: seen for place, seen in seen_tensors(expected.result)}

        def of(place):
            reference = wide(place)
            seen = dtypes.get(place)
            if reference is None or seen is None or reference.dtype != "float64" or reference.shape != seen.shape:
                return None
            torch = self.torch.module
            rounded = torch.from_numpy(np.array(reference.array)).to(getattr(torch, seen.dtype))
            return rounded.to(torch.float64).numpy()
        return of

    def memory(self, expected, actual):
        return compare_memory(expected.result, expected.args, actual.result, actual.args)

    def arguments(self, call, expected, actual, tolerances=None):
        free = values_are_free(self.op, expected.drew)
        return compare_arguments(frozen_tensors(call.arguments()), expected.args, actual.args,
                                 None if free else tolerances or self.tolerances, expected.drew,
                                 are_results(expected.result, expected.args, actual.result, actual.args))

    def whole(self, call):
        """One verdict on everything: errors, values, memory, arguments."""
        expected, actual = self.both(call)
        if expected.error is not None or actual.error is not None:
            return self.errors(expected, actual)
        return self.values(call, expected, actual) or self.memory(expected, actual) \
            or self.arguments(call, expected, actual)

    def verdict(self, call, process):
        """whole(), or the verdict on what is determined where torch leaves a part open."""
        reason = self.whole(call)
        return self.determined(call, process) if reason and self.op.name in GAUGE else reason

    def determined(self, call, process):
        """The verdict on values where only a part of the result is determined: see GAUGE."""
        expected, actual = self.both(call)
        if expected.error is not None or actual.error is not None:
            return self.errors(expected, actual)
        reason = compare(expected.result, actual.result, None)      # shapes and dtypes of the whole
        if reason:
            return reason
        expected, actual = self.both(call, lambda library, raw: retarget(process, library.module)(raw))
        return self.errors(expected, actual) or compare(expected.result, actual.result, self.tolerances)


def _widened(frozen):
    """Frozen arguments with every real number in float64."""
    memories, narrow = {}, ("float16", "bfloat16", "float32")

    def visit(value):
        if isinstance(value, FrozenTensor) and value.dtype in narrow:
            if id(value.memory) not in memories:
                flat = value.memory
                if value.dtype == "bfloat16":
                    flat = (flat.astype(np.uint16).astype(np.uint32) << 16).view(np.float32)
                memories[id(value.memory)] = flat.astype(np.float64)
            return dataclasses.replace(value, dtype="float64", memory=memories[id(value.memory)])
        if isinstance(value, Named) and value.name in narrow:
            return Named("float64")
        if isinstance(value, list):
            return [visit(item) for item in value]
        if isinstance(value, tuple):
            return tuple(visit(item) for item in value)
        if isinstance(value, dict):
            return {key: visit(item) for key, item in value.items()}
        return value
    return visit(frozen)
