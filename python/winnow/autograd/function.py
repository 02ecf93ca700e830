"""Function: operations with a gradient of their own. What apply() does is in _apply.py."""
from functools import wraps
import warnings

import winnow
from .. import _C
from .._recording import recording
from ._apply import run_function
from ._saved import FREED, Edge

__all__ = ["FunctionCtx", "BackwardCFunction", "FunctionMeta", "Function", "once_differentiable", "InplaceFunction"]

Tensor = _C.Tensor


class FunctionCtx:
    """What forward and backward of one call share. Any other attribute may be put on it too."""

    def save_for_backward(self, *tensors):
        """Keeps tensors (or None) for backward, which finds them in saved_tensors. Call it once."""
        self.to_save = tensors

    def save_for_forward(self, *tensors):
        """Keeps tensors (or None) for jvp."""
        for t in tensors:
            if not (t is None or isinstance(t, Tensor)):
                raise AssertionError("save_for_forward expects all arguments to be tensors; you should save non-tensors as attributes on ctx.")
        self.saved_for_forward = tensors

    def mark_dirty(self, *args):
        """Says which inputs forward has changed in place. Each must be a result too."""
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args):
        """Says which results have no gradient. backward still gets an argument for each."""
        self.non_differentiable = args

    def set_materialize_grads(self, value):
        """Whether backward gets zeros (the default) or None for a result without gradient."""
        self.materialize_grads = value


_ContextMethodMixin = FunctionCtx


class BackwardCFunction(FunctionCtx):
    """The ctx of a call, and what the engine calls for its node: it turns gradients into the arguments of the user's backward
    and the answer back. It must not hold its own results nor its node, which keep it alive."""

    to_save = saved_for_forward = dirty_tensors = non_differentiable = None
    materialize_grads = True
    _materialize_non_diff_grads = True  # also of results that were marked as not differentiable
    _fixed = ()
    needs_input_grad = ()
    _freed = False
    _edges = None

    def __init__(self):
        self._saved = []

    def name(self):
        return type(self).__name__

    @property
    def saved_tensors(self):
        """What save_for_backward was given, after a check that nothing has changed it in place since."""
        if self._freed:
            raise RuntimeError(FREED)
        if not self._saved and self.saved_for_forward is not None:
            return self.saved_for_forward
        tensors = tuple([s if s is None else s.get(self) for s in self._saved])
        if self._forward_cls.clear_saved_tensors_on_access:
            self._release()
        return tensors

    @property
    def saved_variables(self):
        warnings.warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning, stacklevel=2)
        return self.saved_tensors

    def _user_backward(self):
        cls = self._forward_cls
        if cls.backward is Function.backward:
            return cls.vjp
        if cls.vjp is not Function.vjp:
            raise RuntimeError("Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only implement one "
                               "of them.")
        return cls.backward

    def _connect(self, inputs, results, fixed, dirty):
        """Records the call: results came from inputs. fixed, dirty: indices of results (see _apply.py)."""
        self._nresults = len(results)
        self._slots = _distinct_tensors(results)
        self._fixed = tuple(fixed)
        outputs = tuple([results[i] for i in self._slots])
        self._doubles = _doubled(results, self._slots) if len(self._slots) < len(results) else ()
        self._shapes = [(r.shape, r.dtype) for r in outputs]
        tensors = tuple([x if isinstance(x, Tensor) else None for x in inputs])
        self._inputs = [None if x is None else (x.requires_grad, x.shape, x.dtype) for x in tensors]
        if fixed:
            fixed = [k for k, i in enumerate(self._slots) if i in fixed]
        if dirty:
            dirty = [k for k, i in enumerate(self._slots) if i in dirty]
        # Without saved tensors there is nothing that a second backward would lack.
        release = self._release if self.to_save else None
        _C._record(self._forward_cls.__name__, tensors, outputs, self, self._run, release, tuple(fixed), tuple(dirty))

    def _remember_edges(self, inputs):
        """For _record_again: where the inputs' gradients go."""
        if self._edges is None:
            self._edges = [Edge(x) if isinstance(x, Tensor) and x.requires_grad else None for x in inputs]

    def _record_again(self, alias, number):
        """Records the call once more, with an alias of one of its results in place of that result."""
        def backward(grad):
            grads = [None] * len(self._slots)
            grads[number] = grad
            return self._run(*grads)

        inputs = tuple([e and e.stand_in(x[1], x[2]) for e, x in zip(self._edges, self._inputs)])
        with recording(True):
            _C._record(self._forward_cls.__name__, inputs, (alias,), self, backward, None, (), ())

    def _run(self, *grads):
        """The engine's call: one gradient or None for each result that is a tensor; returns one for each input."""
        arguments = [None] * self._nresults
        for i, double in self._doubles:
            if self.materialize_grads:
                arguments[i] = winnow.zeros(self._shapes[double][0], dtype=self._shapes[double][1])
        for i, g, (shape, dtype) in zip(self._slots, grads, self._shapes):
            if g is None and self.materialize_grads and (self._materialize_non_diff_grads or i not in self._fixed):
                g = winnow.zeros(shape, dtype=dtype)
            arguments[i] = g
        if self._forward_cls.boxed_grads_call:
            arguments = [arguments]
        return self._checked(self._user_backward()(self, *arguments))

    def _checked(self, gradients):
        """What the user's backward returned, as one gradient or None for each input; or the error that PyTorch raises."""
        name, n = type(self).__name__, len(self._inputs)
        if not isinstance(gradients, tuple):
            gradients = (gradients,)
        if len(gradients) > n and all([g is None for g in gradients[n:]]):
            gradients = gradients[:n]
        if len(gradients) != n:
            raise RuntimeError(f"function {name} returned an incorrect number of gradients (expected {n}, got {len(gradients)})")
        for i, (g, x) in enumerate(zip(gradients, self._inputs)):
            if g is None:
                continue
            if x is None:
                raise RuntimeError(f"function {name} returned a gradient different than None at position {i + 1}, but the corresponding "
                                   "forward input was not a Variable")
            if not isinstance(g, Tensor):
                raise RuntimeError(f"expected Variable or None (got {type(g).__name__})")
            if x[0] and g.shape != x[1] and not _sums_to(g.shape, x[1]):
                raise RuntimeError(f"Function {name} returned an invalid gradient at index {i} - got {list(g.shape)} but expected shape "
                                   f"compatible with {list(x[1])}")
        return gradients

    def _release(self):
        """Backward has run and the graph is not retained: what was saved may go."""
        self._freed = True
        self._saved.clear()


def _distinct_tensors(results):
    """The indices of the tensors among results. Of one that is there twice the last counts, as in PyTorch: there its gradient arrives."""
    if len(results) == 1:
        return [0] if isinstance(results[0], Tensor) else []
    return sorted({id(r): i for i, r in enumerate(results) if isinstance(r, Tensor)}.values())


def _doubled(results, slots):
    """(index, number in slots) of the tensors among results that stand once more behind: there their gradient arrives, here zeros."""
    return tuple([(i, k) for i, r in enumerate(results) if isinstance(r, Tensor) for k, at in enumerate(slots) if results[at] is r and at != i])


def _sums_to(shape, target):
    """Is `target` expandable to `shape`, so that a gradient of that shape can be summed down to it?"""
    return len(shape) >= len(target) and all(t in (1, s) for s, t in zip(shape[len(shape) - len(target):], target))


class FunctionMeta(type):
    """Gives each Function the class of its contexts: `Exp` has `ExpBackward`."""

    def __init__(cls, name, bases, attributes):
        cls._backward_cls = type(name + "Backward", (BackwardCFunction,), {"_forward_cls": cls, "__module__": "torch.autograd.function"})
        super().__init__(name, bases, attributes)


class Function(metaclass=FunctionMeta):
    """An operation written in Python: subclass it, define the static methods forward and backward, and call apply()."""

    clear_saved_tensors_on_access = False  # saved_tensors may be read once only; memory goes earlier
    boxed_grads_call = False               # backward gets one list, from which it may take gradients away
    generate_vmap_rule = False

    def __init__(self, *args, **kwargs):
        warnings.warn(f"{self.__class__} should not be instantiated. Methods on autograd functions are all static, so you should invoke "
                      "them on the class itself. Instantiating an autograd function will raise an error in a future version of PyTorch.",
                      DeprecationWarning, stacklevel=2)

    def __call__(self, *args, **kwargs):
        raise RuntimeError("Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd function "
                           "with static forward method. (Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)")

    @staticmethod
    def forward(*args, **kwargs):
        """forward(ctx, *args), or forward(*args) beside a setup_context: computes the results. It is not recorded."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Called after a forward without ctx: puts on ctx what backward needs."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx, *grad_outputs):
        """Gets the gradient of each result, returns one for each argument of forward (None where there is none)."""
        raise NotImplementedError("You must implement either the backward or vjp method for your custom autograd.Function to use it with "
                                  "backward mode AD.")

    vjp = backward

    @staticmethod
    def jvp(ctx, *grad_inputs):
        """Forward mode, which winnow has not: it is never called."""
        raise NotImplementedError("You must implement the jvp function for custom autograd.Function to use it with forward mode AD.")

    @staticmethod
    def vmap(info, in_dims, *args):
        raise NotImplementedError("To use autograd.Function with vmap, you must either override the vmap staticmethod or set "
                                  "generate_vmap_rule=True.")

    @classmethod
    def apply(cls, *args, **kwargs):
        """Runs forward and records it with backward as its gradient."""
        return run_function(cls, args, kwargs, cls.setup_context is not Function.setup_context)


class InplaceFunction(Function):
    """Function under an old name."""

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace


def once_differentiable(fn):
    """Decorates a backward that cannot itself be differentiated: trying to is an error."""
    @wraps(fn)
    def wrapper(ctx, *args, **kwargs):
        with recording(False):
            outputs = fn(ctx, *args, **kwargs)
        inputs = tuple([a for a in args if isinstance(a, Tensor) and a.requires_grad])
        if not inputs or not _C.is_grad_enabled():
            return outputs
        several = isinstance(outputs, tuple)
        marked = [g if g is None else g.detach() for g in (outputs if several else (outputs,))]
        _C._record("Error", inputs, tuple([g for g in marked if g is not None]), None, _not_twice, None, (), ())
        return tuple(marked) if several else marked[0]

    return wrapper


def _not_twice(*grads):
    raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")
