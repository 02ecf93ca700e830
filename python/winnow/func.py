"""torch.func: functional_call, and grad and its like by recorded gradients. vmap is an error."""
from .compiler import vmap
from .nn.utils.stateless import func_functional_call as functional_call

__all__ = ["functional_call", "grad", "grad_and_value", "vjp", "vmap", "jacrev", "stack_module_state"]
functional_call.__module__ = "torch.func"


def _leaves(x):
    """The tensors in nested dictionaries, lists and tuples."""
    from . import Tensor

    if isinstance(x, Tensor):
        return [x]
    if isinstance(x, dict):
        x = list(x.values())
    return [leaf for part in x for leaf in _leaves(part)] if isinstance(x, (list, tuple)) else []


def _rebuilt(x, leaves):
    """x with its tensors exchanged for those of an iterator, in order."""
    from . import Tensor

    if isinstance(x, Tensor):
        return next(leaves)
    if isinstance(x, dict):
        return type(x)((k, _rebuilt(v, leaves)) for k, v in x.items())
    if isinstance(x, (list, tuple)):
        parts = [_rebuilt(v, leaves) for v in x]
        return type(x)(*parts) if hasattr(x, "_fields") else type(x)(parts)
    return x


def _tracked(x):
    """x with aliases of its tensors, whose gradients can be asked for; history goes on behind them."""
    def track(t):
        return t.view_as(t) if t.requires_grad else t.detach().requires_grad_()

    return _rebuilt(x, iter([track(t) for t in _leaves(x)]))


def _gradient(outputs, inputs, cotangents=None):
    """The gradients, in the structure of inputs; zeros for what has no influence."""
    from . import autograd, zeros_like

    leaves = _leaves(inputs)
    given = [(o, g) for o, g in zip(outputs, cotangents or [None] * len(outputs)) if o.requires_grad]
    found = [None] * len(leaves)
    if given:
        found = autograd.grad([o for o, _ in given], leaves, [g for _, g in given] if cotangents else None, create_graph=True, allow_unused=True)
    return _rebuilt(inputs, iter([zeros_like(t) if g is None else g for t, g in zip(leaves, found)]))


def grad_and_value(func, argnums=0, has_aux=False):
    """A function that returns (gradient, value) of func, whose value is one number; argnums: of which arguments."""
    from functools import wraps

    from . import Tensor, enable_grad

    @wraps(func)
    def wrapped(*args, **kwargs):
        numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
        if any([not -len(args) <= n < len(args) for n in numbers]):
            raise RuntimeError(f"Got argnum={argnums}, but only {len(args)} positional inputs")
        args, outer = list(args), any([t.requires_grad for a in args for t in _leaves(a)])
        with enable_grad():
            for n in numbers:
                args[n] = _tracked(args[n])
            value, aux = func(*args, **kwargs) if has_aux else (func(*args, **kwargs), None)
            if not isinstance(value, Tensor):
                raise RuntimeError(f"Expected the function given to grad to return a Tensor, got {type(value).__name__}")
            if value.dim() != 0:
                raise RuntimeError("Expected the vmapped function given to grad to return a scalar tensor, got tensor with "
                                   f"{value.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?")
            grads = tuple([_gradient([value], args[n]) for n in numbers])
        if not outer:
            grads, value, aux = [_rebuilt(x, iter([t.detach() for t in _leaves(x)])) for x in (grads, value, aux)]
        grads = grads[0] if isinstance(argnums, int) else grads
        return (grads, (value, aux)) if has_aux else (grads, value)

    return wrapped


def grad(func, argnums=0, has_aux=False):
    """A function that returns the gradient of func."""
    from functools import wraps

    both = grad_and_value(func, argnums, has_aux)

    @wraps(func)
    def wrapped(*args, **kwargs):
        gradient, value = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return wrapped


def vjp(func, *primals, has_aux=False):
    """func(*primals), and a function from its cotangents to a tuple of the primals' ones."""
    from . import enable_grad

    with enable_grad():
        primals = _tracked(primals)
        result = func(*primals)
    result, aux = result if has_aux else (result, None)

    def pull(cotangents):
        with enable_grad():
            return _gradient(_leaves(result), primals, _leaves(cotangents))

    return (result, pull, aux) if has_aux else (result, pull)


def jacrev(func, argnums=0, has_aux=False, *, chunk_size=None, _preallocate_and_copy=False):
    """A function that returns the Jacobian of func with respect to one argument, row by row."""
    if has_aux or not isinstance(argnums, int):
        raise NotImplementedError("torch.func.jacrev: winnow has it for one argument and without has_aux")

    def wrapped(*args):
        from .autograd.functional import jacobian

        def of_one(x):
            return func(*args[:argnums], x, *args[argnums + 1:])

        return jacobian(of_one, args[argnums], create_graph=args[argnums].requires_grad)

    return wrapped


def stack_module_state(models):
    """(parameters, buffers) of several modules of one kind, each stacked."""
    from . import stack

    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({type(m) for m in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    parameters = [dict(m.named_parameters()) for m in models]
    buffers = [dict(m.named_buffers()) for m in models]
    made = {k: stack([p[k] for p in parameters]).detach().requires_grad_(v.requires_grad) for k, v in parameters[0].items()}
    return made, {k: stack([b[k] for b in buffers]) for k in buffers[0]}


def __getattr__(name):
    from ._hook import missing

    raise missing("torch.func", name, __all__, "forward mode and function transforms are not there")
