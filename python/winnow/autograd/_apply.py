"""What Function.apply does: run forward unrecorded, sort its results, record them as the results of one node."""
from .. import _C
from ._saved import SavedTensor

Tensor = _C.Tensor
_NOT_RETURNED = ("Some elements marked as dirty during the forward method were not returned as output. The inputs that are modified inplace "
                 "must all be outputs of the Function.")
_NO_INPUT = ("ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated should be passed to "
             "ctx.mark_dirty().")


def run_function(cls, args, kwargs, separate):
    """cls.apply(*args, **kwargs). separate: forward has no ctx, and setup_context fills it afterwards."""
    if separate:
        args = _positional(cls.forward, args, kwargs)
    elif kwargs:
        args = _positional(cls.forward, (None, *args), kwargs)[1:]  # None: the ctx
    ctx = cls._backward_cls()
    ctx.needs_input_grad = tuple([isinstance(x, Tensor) and x.requires_grad for x in args])
    old = _C._set_grad_enabled(False)
    record = old and True in ctx.needs_input_grad
    try:
        if separate:
            returned = cls.forward(*args)
            cls.setup_context(ctx, args, returned)
        else:
            returned = cls.forward(ctx, *args)
        given = returned if isinstance(returned, tuple) else (returned,)
        results, fixed, dirty = _sorted_results(ctx, given, args, record)
    finally:
        _C._set_grad_enabled(old)
    if record or dirty:
        ctx._connect(args, results, fixed, dirty)
    if record and ctx.to_save is not None:
        _save(ctx, args, given, results)
    for i in dirty:
        if results[i].requires_grad and (not record or i in fixed):
            results[i] = results[i].detach()  # the input still requires a gradient, this result has none
    ctx.to_save = ctx.non_differentiable = ctx.dirty_tensors = None
    return tuple(results) if isinstance(returned, tuple) else results[0]


def _positional(forward, args, kwargs):
    """All of forward's arguments in its order, keywords and defaults filled in: backward returns one gradient for each."""
    code = getattr(forward, "__code__", None)
    if not kwargs and code is not None and code.co_argcount == len(args) and not code.co_flags & 0x0C:  # no *args, no **kwargs
        return args
    import inspect

    bound = inspect.signature(forward).bind(*args, **kwargs)
    bound.apply_defaults()
    for name in bound.kwargs:
        if name in kwargs:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
    return bound.args


def _holds(tensors, tensor):
    """Is this very object among them? (`in` would compare elements.)"""
    for t in tensors:
        if t is tensor:
            return True
    return False


def _sorted_results(ctx, given, inputs, record):
    """Forward's results as they are returned, and the indices of those without gradient and of the inputs changed in place.

    An input that came back unchanged is replaced by an alias, so that it can have a history of its own."""
    changed, excluded = ctx.dirty_tensors or (), ctx.non_differentiable or ()
    results, fixed, dirty = list(given), [], []
    for i, r in enumerate(given):
        if not isinstance(r, Tensor):
            continue
        is_input, no_gradient = _holds(inputs, r), _holds(excluded, r)
        if no_gradient:
            fixed.append(i)
        if _holds(changed, r):
            if is_input:
                dirty.append(i)
                continue
            import warnings

            warnings.warn(_NO_INPUT, UserWarning, stacklevel=4)
        if r.requires_grad and (no_gradient or not record or not is_input):
            results[i] = r.detach()  # its history is not what led to it inside, but this function or nothing
        elif record and not is_input and r.is_floating_point() and r._base is not None and not r._base.requires_grad:
            results[i] = r.detach()  # a view takes its history from its base, once that is changed in place
        elif is_input:
            results[i] = r.view(r.shape)
    for t in changed:
        if not _holds(given, t):
            raise RuntimeError(_NOT_RETURNED)
    return results, fixed, dirty


def _save(ctx, inputs, given, results):
    """Keeps the tensors that forward gave to save_for_backward. Those that it returned, too, are results, whatever stands for them there."""
    if not isinstance(ctx.to_save, tuple):
        raise TypeError(f"saved attribute has to be a tuple, but got {type(ctx.to_save).__name__}")
    for i, t in enumerate(ctx.to_save):
        if t is None:
            ctx._saved.append(None)
        elif isinstance(t, Tensor):
            if t.is_inference():
                raise RuntimeError("Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation tracked by "
                                   "autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use "
                                   "`torch.no_grad()` instead of `torch.inference_mode()`.")
            number = None
            for k, at in enumerate(ctx._slots):
                if (results[at] is t or (given[at] is t and not _holds(inputs, t))) and results[at].requires_grad:
                    number = k
                    ctx._remember_edges(inputs)
            ctx._saved.append(SavedTensor(t, number))
        else:
            raise TypeError(f"save_for_backward can only save variables, but argument {i} is of type {type(t).__name__}")
