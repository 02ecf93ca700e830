"""torch.func: functional_call, and grad and its like by recorded gradients."""
from functools import wraps

import winnow
from ._hook import lacking as _lacking
from ._vmap import filled, things, vmap
from .nn.utils.stateless import func_functional_call as functional_call

__all__ = ["functional_call", "grad", "grad_and_value", "vjp", "jvp", "vmap", "jacrev", "jacfwd", "hessian", "stack_module_state"]
functional_call.__module__ = "torch.func"


def _leaves(x):
    """The tensors in nested dictionaries, lists and tuples."""
    return [thing for thing in things(x) if isinstance(thing, winnow.Tensor)]


def _rebuilt(x, leaves):
    """x with its tensors exchanged for those of an iterator, in order."""
    return filled(x, iter([next(leaves) if isinstance(thing, winnow.Tensor) else thing for thing in things(x)]))


def _leads_out(x, own):
    """Does x have a gradient with respect to anything but the tensors with these ids?"""
    if not x.requires_grad:
        return False
    if x.grad_fn is None:
        return id(x) not in own
    seen, left = {x.grad_fn}, [x.grad_fn]
    while left:
        for node, _ in left.pop().next_functions:
            if node is None or node in seen:
                continue
            if hasattr(node, "variable"):
                if id(node.variable) not in own:
                    return True
                continue
            seen.add(node)
            left.append(node)
    return False


def _released(results, source, tracked):
    """Results as they leave: without history, unless it leads through their source to what requires a gradient outside, as the parameters
    of a module do that the function calls (tracked: what was tracked inside)."""
    own = {id(t) for t in _leaves(tracked)}
    further = winnow.is_grad_enabled() and any([_leads_out(t, own) for t in _leaves(source)])
    return [_rebuilt(x, iter([t if further and _leads_out(t, own) else t.detach() for t in _leaves(x)])) for x in results]


def _tracked(x):
    """x with aliases of its tensors, whose gradients can be asked for; history goes on behind them."""
    def track(t):
        return t.view_as(t) if t.requires_grad else t.detach().requires_grad_()

    return _rebuilt(x, iter([track(t) for t in _leaves(x)]))


def _tracked_arguments(args, argnums):
    """The arguments, those with these numbers tracked; the numbers as a tuple."""
    numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    if any([not -len(args) <= n < len(args) for n in numbers]):
        raise RuntimeError(f"Got argnum={argnums}, but only {len(args)} positional inputs")
    args = list(args)
    with winnow.enable_grad():
        for n in numbers:
            args[n] = _tracked(args[n])
    return args, numbers


def _gradient(outputs, inputs, cotangents=None):
    """The gradients, in the structure of inputs; zeros for what has no influence."""
    leaves = _leaves(inputs)
    given = [(o, g) for o, g in zip(outputs, cotangents or [None] * len(outputs)) if o.requires_grad]
    found = [None] * len(leaves)
    if given:
        found = winnow.autograd.grad([o for o, _ in given], leaves, [g for _, g in given] if cotangents else None, create_graph=True, allow_unused=True)
    return _rebuilt(inputs, iter([winnow.zeros_like(t) if g is None else g for t, g in zip(leaves, found)]))


def grad_and_value(func, argnums=0, has_aux=False):
    """A function that returns (gradient, value) of func, whose value is one number; argnums: of which arguments."""
    @wraps(func)
    def wrapped(*args, **kwargs):
        args, numbers = _tracked_arguments(args, argnums)
        with winnow.enable_grad():
            value, aux = func(*args, **kwargs) if has_aux else (func(*args, **kwargs), None)
            if not isinstance(value, winnow.Tensor):
                raise RuntimeError(f"Expected the function given to grad to return a Tensor, got {type(value).__name__}")
            if value.dim() != 0:
                raise RuntimeError("Expected the vmapped function given to grad to return a scalar tensor, got tensor with "
                                   f"{value.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?")
            grads = tuple([_gradient([value], args[n]) for n in numbers])
        grads, value, aux = _released((grads, value, aux), (value, aux), args)
        grads = grads[0] if isinstance(argnums, int) else grads
        return (grads, (value, aux)) if has_aux else (grads, value)

    return wrapped


def grad(func, argnums=0, has_aux=False):
    """A function that returns the gradient of func."""
    both = grad_and_value(func, argnums, has_aux)

    @wraps(func)
    def wrapped(*args, **kwargs):
        gradient, value = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return wrapped


def vjp(func, *primals, has_aux=False):
    """func(*primals), and a function from its cotangents to a tuple of the primals' ones."""
    with winnow.enable_grad():
        primals = _tracked(primals)
        inner = func(*primals)
    inner, aux = inner if has_aux else (inner, None)
    result, aux = _released((inner, aux), (inner, aux), primals)

    def pull(cotangents):
        with winnow.enable_grad():
            found = _gradient(_leaves(inner), primals, _leaves(cotangents))
        return _released((found,), (inner, cotangents), primals)[0]

    return (result, pull, aux) if has_aux else (result, pull)


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    """func(*primals), and its derivative along the tangents.

    v'J is linear in v: its gradient with respect to v, with the tangents for cotangents, is J times the tangents."""
    if not isinstance(primals, (tuple, list)) or not isinstance(tangents, (tuple, list)) or len(primals) != len(tangents):
        raise RuntimeError(f"torch.func.jvp: Expected primals and tangents to be tuples of the same length, got {primals} and {tangents}")
    with winnow.enable_grad():
        primals = _tracked(tuple(primals))
        result = func(*primals)
        result, aux = result if has_aux else (result, None)
        v = [winnow.zeros_like(t).requires_grad_() for t in _leaves(result)]
        back = _leaves(_gradient(_leaves(result), primals, v))
        along = _rebuilt(result, iter(_gradient(back, v, _leaves(tangents))))
    result, along, aux = _released((result, along, aux), (result, tangents, aux), (primals, v))
    return (result, along, aux) if has_aux else (result, along)


def _rows(output, inputs):
    """The gradients of all elements of output, in the structure of inputs: tensors of the shape of output, then of the input."""
    rows = []
    for i in range(output.numel()):
        one = winnow.zeros_like(output).reshape(-1)
        one[i] = 1
        rows.append(_leaves(_gradient([output], inputs, [one.view(output.shape)])))
    leaves = _leaves(inputs)
    columns = [winnow.stack(c) for c in zip(*rows)] if rows else [t.new_zeros((0,) + t.shape) for t in leaves]
    return _rebuilt(inputs, iter([c.reshape(output.shape + t.shape) for c, t in zip(columns, leaves)]))


def jacrev(func, argnums=0, has_aux=False, *, chunk_size=None, _preallocate_and_copy=False):
    """A function that returns the Jacobian of func, row by row: in the structure of its result, in each place the structure of the arguments
    with these numbers."""
    @wraps(func)
    def wrapped(*args, **kwargs):
        args, numbers = _tracked_arguments(args, argnums)
        with winnow.enable_grad():
            result = func(*args, **kwargs)
            result, aux = result if has_aux else (result, None)
            inputs = args[argnums] if isinstance(argnums, int) else tuple([args[n] for n in numbers])
            jacobian = _rebuilt(result, iter([_rows(t, inputs) for t in _leaves(result)]))
        jacobian, aux = _released((jacobian, aux), (result, aux), args)
        return (jacobian, aux) if has_aux else jacobian

    return wrapped


def jacfwd(func, argnums=0, has_aux=False, *, randomness="error"):
    """jacrev: there is no forward mode, rows are computed one after the other all the same."""
    return jacrev(func, argnums, has_aux)


def hessian(func, argnums=0):
    """A function that returns the second derivatives of func: the Jacobian of its Jacobian."""
    return jacrev(jacrev(func, argnums), argnums)


def stack_module_state(models):
    """(parameters, buffers) of several modules of one kind, each stacked."""
    if len(models) == 0:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({type(m) for m in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    parameters = [dict(m.named_parameters()) for m in models]
    buffers = [dict(m.named_buffers()) for m in models]
    made = {k: winnow.stack([p[k] for p in parameters]).detach().requires_grad_(v.requires_grad) for k, v in parameters[0].items()}
    return made, {k: winnow.stack([b[k] for b in buffers]) for k in buffers[0]}


__getattr__ = _lacking("torch.func", __all__, "forward mode and function transforms are not there")
