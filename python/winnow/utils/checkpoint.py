"""checkpoint: what operations save for backward is not kept, but computed once more when backward asks for it.

use_reentrant=True is an autograd.Function that runs the function again, recorded, inside backward. use_reentrant=False hangs on the
saved tensors: a frame for each call numbers what is saved; the first of them that backward asks for runs the function again, whose
saved tensors, in the same order, are the answers. Both run it with the random numbers and the autocast mode of the first time."""
import contextlib
import enum
import warnings
from _weakref import ref as _weak

from .. import _C
from ..autograd import Function, backward as _backward, enable_grad, no_grad
from ..autograd._saved import SavedTensor as _SavedTensor
from ..autograd.graph import saved_tensors_hooks
from ..random import default_generator

__all__ = ["checkpoint", "checkpoint_sequential", "CheckpointError", "CheckpointFunction", "check_backward_validity", "detach_variable",
           "get_device_states", "set_device_states", "noop_context_fn", "set_checkpoint_early_stop", "DefaultDeviceType",
           "set_checkpoint_debug_enabled", "CheckpointPolicy", "SelectiveCheckpointContext", "create_selective_checkpoint_contexts",
           "GraphExecGroup"]

Tensor = _C.Tensor


class CheckpointError(RuntimeError):
    """Recomputation did something else than the first run."""


class _Stop(Exception):
    """Everything that backward wants is there: the rest of the recomputation is left out."""


class _Settings:
    early_stop = None  # what set_checkpoint_early_stop says; None: each call decides
    debug = None


class _Set:
    """Context in which a setting has another value."""

    def __init__(self, name, value):
        self._name, self._value = name, value

    def __enter__(self):
        self._old = getattr(_Settings, self._name)
        setattr(_Settings, self._name, self._value)

    def __exit__(self, *exc):
        setattr(_Settings, self._name, self._old)


def set_checkpoint_early_stop(enable):
    """Context: whether recomputation ends as soon as the last saved tensor is there, whatever the calls say. The forward counts."""
    return _Set("early_stop", enable)


def set_checkpoint_debug_enabled(enabled):
    """Context for torch's traces of operations; winnow has none, its messages are the same with and without."""
    return _Set("debug", enabled)


class DefaultDeviceType:
    """The device type of checkpoints whose arguments have none but the CPU: kept, and of no meaning here."""
    _default_device_type = "cuda"

    @staticmethod
    def set_device_type(device="cuda"):
        DefaultDeviceType._default_device_type = device

    @staticmethod
    def get_device_type():
        return DefaultDeviceType._default_device_type


def get_device_states(*args):
    """The devices of the arguments other than the CPU, and their random states: there are none."""
    return [], []


def set_device_states(devices, states, *, device_type=None):
    """Puts devices back to states: there are no devices besides the CPU."""
    if devices:
        raise RuntimeError("set_device_states: winnow has no devices besides the CPU")


def detach_variable(inputs):
    """Tensors without their history, with requires_grad as it was; other values as they are."""
    if not isinstance(inputs, tuple):
        raise RuntimeError(f"Only tuple of tensors is supported. Got Unsupported input type: {type(inputs).__name__}")
    return tuple([x.detach().requires_grad_(x.requires_grad) if isinstance(x, Tensor) else x for x in inputs])


def check_backward_validity(inputs):
    """Warns if nothing among the inputs has a gradient."""
    if not any([isinstance(x, Tensor) and x.requires_grad for x in inputs]):
        warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=3)


def noop_context_fn():
    """The contexts of a checkpoint that wants none: (of forward, of recomputation)."""
    return contextlib.nullcontext(), contextlib.nullcontext()


class _World:
    """What a function sees besides its arguments: random numbers (if wanted) and autocast. As a context: the world of then."""

    def __init__(self, with_random):
        self.random = default_generator._get_state() if with_random else None
        self.autocast = _C._autocast_state()

    def __enter__(self):
        self.now = _World(self.random is not None)
        self._restore()

    def __exit__(self, *exc):
        self.now._restore()

    def _restore(self):
        if self.random is not None:
            default_generator._set_state(self.random)
        _C._set_autocast(*self.autocast)


# ------------------------------------------------------------------ use_reentrant=True

class CheckpointFunction(Function):
    """The call of a function as one node, whose backward runs it again and goes backward through that."""

    @staticmethod
    def forward(ctx, run_function, preserve_rng_state, *args):
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.world = _World(preserve_rng_state)
        ctx.places = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        ctx.inputs = [None if isinstance(a, Tensor) else a for a in args]
        ctx.save_for_backward(*[args[i] for i in ctx.places])
        with no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx, *grads):
        task = _C._graph_task()
        if task is not None and not task[2]:
            raise RuntimeError("When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` parameter to .backward(). "
                               "To resolve this error, you can either set use_reentrant=False, or call .backward() without passing the `inputs` argument.")
        inputs = list(ctx.inputs)
        for i, t in zip(ctx.places, ctx.saved_tensors):
            inputs[i] = t
        inputs = detach_variable(tuple(inputs))
        with ctx.world, enable_grad():
            outputs = ctx.run_function(*inputs)
        if isinstance(outputs, Tensor):
            outputs = (outputs,)
        wanted = [(o, g) for o, g in zip(outputs, grads) if isinstance(o, Tensor) and o.requires_grad]
        if not wanted:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        _backward([o for o, _ in wanted], [g for _, g in wanted])
        return (None, None) + tuple([x.grad if isinstance(x, Tensor) else None for x in inputs])


# ------------------------------------------------------------------ use_reentrant=False

def _metadata(t):
    return {"shape": t.shape, "dtype": t.dtype, "device": t.device}


class _Frame:
    """One call of checkpoint: what was saved in it (by number), how to run it again, and what running it again gave."""

    def __init__(self, function, args, kwargs, with_random, context, check, early_stop):
        self.function, self.context, self.check, self.early_stop = function, context, check, early_stop
        self.world = _World(with_random)
        self.names = list(kwargs)
        # Saved as an operation saves its inputs: hooks of a checkpoint around this one see them, and changes are noticed.
        self.kept = [(True, _SavedTensor(a, None)) if isinstance(a, Tensor) else (False, a) for a in [*args, *kwargs.values()]]
        self.count, self.metadata = 0, []
        self.complete = False  # the first run has ended; a backward within it runs the function again before
        self.values, self.given = {}, {}  # number -> recomputed tensor; number -> weak reference of one that was handed out

    def name(self):
        return "CheckpointBackward"

    # -- the first run

    def pack(self, tensor):
        number = self.count
        self.count += 1
        self.metadata.append(_metadata(tensor) if self.check else None)
        return self, number

    # -- backward

    @staticmethod
    def unpack(packed):
        self, number = packed
        given = self.given.get(number)
        value = given() if given is not None else None
        if value is None:
            if number not in self.values:
                self._recompute()
            value = self.values.pop(number)
            self.given[number] = _weak(value)
        return value

    def _recompute(self):
        self.values, self.given = {}, {}
        run = _Rerun(self)
        values = [v.get(self) if is_tensor else v for is_tensor, v in self.kept]
        n = len(values) - len(self.names)
        try:
            with self.world, enable_grad(), saved_tensors_hooks(run.pack, _as_it_is):
                with self.context:
                    self.function(*values[:n], **dict(zip(self.names, values[n:])))
        except _Stop as stop:
            if stop.args[0] is not run:
                raise
        if run.count != self.count and self.complete:
            raise CheckpointError("torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
                                  f"recomputation.\nNumber of tensors saved during forward: {self.count}\nNumber of tensors saved during "
                                  f"recomputation: {run.count}.")
        if run.wrong:
            text = "".join(f"tensor at position {i}:\nsaved metadata: {self.metadata[i]}\nrecomputed metadata: {m}\n" for i, m in run.wrong)
            self.values = {}
            raise CheckpointError("torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during the "
                                  f"forward pass.\n{text}.")


class _Rerun:
    """One recomputation of a frame: takes in what is saved."""

    def __init__(self, frame):
        self.frame, self.count, self.wrong = frame, 0, []

    def pack(self, tensor):
        frame, number = self.frame, self.count
        if number == frame.count:
            if frame.early_stop:
                raise _Stop(self)  # the first run saved nothing after it
            if not frame.complete:
                return tensor.detach()  # what comes after the backward that asks
            raise CheckpointError("torch.utils.checkpoint: trying to save more tensors during recomputation than during the original forward "
                                  "pass.")
        self.count += 1
        kept = frame.values[number] = tensor.detach() if tensor.requires_grad else tensor
        if frame.check:
            found = _metadata(tensor)
            if found != frame.metadata[number]:
                self.wrong.append((number, found))
        if self.count == frame.count and frame.early_stop:
            raise _Stop(self)
        return kept


def _as_it_is(packed):
    """The function may itself go backward through what it computes again."""
    return packed


def _checkpoint_without_reentering(function, args, kwargs, with_random, context_fn, check, early_stop):
    forward, again = context_fn()
    if not _C.is_grad_enabled():
        with forward:
            return function(*args, **kwargs)
    frame = _Frame(function, args, kwargs, with_random, again, check, early_stop)
    with saved_tensors_hooks(frame.pack, frame.unpack), forward:
        result = function(*args, **kwargs)
    frame.complete = True
    return result


# ------------------------------------------------------------------ what programs call

def _explicit(name, use_reentrant, soon):
    if use_reentrant is None:
        warnings.warn(f"torch.utils.{name}: the use_reentrant parameter should be passed explicitly. {soon} use_reentrant=False is "
                      "recommended, but if you need to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs "
                      "for more details on the differences between the two variants.", stacklevel=3)


def checkpoint(function, *args, use_reentrant=None, context_fn=noop_context_fn, determinism_check="default", debug=False, early_stop=True,
               **kwargs):
    """function(*args, **kwargs), of which only the arguments are kept for backward: the rest is computed again then.

    preserve_rng_state=True (a keyword): with the same random numbers. context_fn() returns the contexts of the two runs.
    determinism_check="none": shapes and dtypes of what is saved are not compared."""
    _explicit("checkpoint", use_reentrant, "Starting in PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception.")
    with_random = kwargs.pop("preserve_rng_state", True)
    if use_reentrant or use_reentrant is None:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        if context_fn is not noop_context_fn or debug is not False:
            raise ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
        return CheckpointFunction.apply(function, with_random, *args)
    if determinism_check not in ("default", "none"):
        raise ValueError(f"determinism_check should be one of ['default', 'none'], but got {determinism_check}")
    if _Settings.early_stop is not None:
        early_stop = _Settings.early_stop
    return _checkpoint_without_reentering(function, args, kwargs, with_random, context_fn, determinism_check == "default", early_stop)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """The functions (or the children of a Sequential) one after the other, in `segments` pieces of which all but the last are
    checkpoints."""
    _explicit("checkpoint.checkpoint_sequential", use_reentrant, "In version 2.9 we will raise an exception if use_reentrant is not passed.")
    if use_reentrant is None:
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    functions = list(functions.children()) if hasattr(functions, "children") else list(functions)
    size = len(functions) // segments

    def piece(start, stop):
        def run(x):
            for f in functions[start:stop]:
                x = f(x)
            return x

        return run

    for i in range(segments - 1):
        input = checkpoint(piece(i * size, (i + 1) * size), input, use_reentrant=use_reentrant, preserve_rng_state=preserve)
    return piece((segments - 1) * size, len(functions))(input)


# ------------------------------------------------------------------ selective checkpoints: not there

class CheckpointPolicy(enum.Enum):
    """What a selective checkpoint may do with an operation's result."""
    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_CPU_OFFLOAD = 4


class SelectiveCheckpointContext:
    """What a policy function gets."""

    def __init__(self, *, is_recompute, op_output=None):
        self.is_recompute, self.op_output = is_recompute, op_output


def create_selective_checkpoint_contexts(policy_fn_or_list, allow_cache_entry_mutation=False):
    """An error: winnow has no dispatch modes, which selective checkpoints are made of."""
    raise NotImplementedError("create_selective_checkpoint_contexts: winnow has no dispatch modes, which selective checkpoints are made of; "
                              "checkpoint smaller functions instead")


class GraphExecGroup:
    """A group of backwards that share recomputed values: winnow shares them among all backwards of a call, so this does nothing."""

    __enter__ = lambda self: self
    __exit__ = lambda self, *exc: None
