"""torch.library: a function of Python's as an operator with a name. Nothing here is turned into graphs, so of what is registered for it only
gradients have an effect."""
import functools
import inspect

from . import _ops
from .autograd.function import Function

__all__ = ["Library", "custom_op", "define", "impl", "register_autograd", "register_fake", "impl_abstract", "register_kernel", "register_vmap", "triton_op", "wrap_triton",
           "opcheck"]


class CustomOpDef:
    """An operator: called, it runs its function; with register_autograd it has gradients."""

    def __init__(self, name, function):
        self._qualname, self._init_fn, self._backward, self._setup = name, function, None, None
        functools.update_wrapper(self, function)

    def __call__(self, *args, **kwargs):
        if self._backward is None:
            return self._init_fn(*args, **kwargs)
        bound = inspect.signature(self._init_fn).bind(*args, **kwargs)
        bound.apply_defaults()  # the gradients are those of all arguments, however they are given
        return _Differentiated.apply(self, bound.kwargs, *bound.args)

    def register_autograd(self, backward, /, *, setup_context=None):
        """backward(ctx, *grads) gives the gradients of the arguments; setup_context(ctx, inputs, output) keeps what it needs."""
        self._backward, self._setup = backward, setup_context

    def register_fake(self, fn, /):
        """Kept by nobody: shapes are known when the function has run."""
        return fn

    register_vmap = register_fake

    def register_kernel(self, device_types, fn=None, /):
        """A decorator: the function for device_types; "cpu" replaces what is run."""
        def use(function):
            kinds = (device_types,) if isinstance(device_types, str) else device_types
            if kinds is None or "cpu" in kinds:
                self._init_fn = function
            return function
        return use if fn is None else use(fn)

    def set_kernel_enabled(self, device_type, enabled=True):
        """There is one device."""

    __repr__ = lambda self: f"<CustomOpDef({self._qualname})>"


class _Differentiated(Function):
    """A call of an operator whose backward is the program's."""

    @staticmethod
    def forward(ctx, op, kwargs, *args):
        result = op._init_fn(*args, **kwargs)
        if op._setup is not None:
            op._setup(ctx, args, result, **({"keyword_only_inputs": kwargs} if kwargs else {}))
        ctx._op, ctx._arguments = op, len(args)
        return result

    @staticmethod
    def backward(ctx, *grads):
        found = ctx._op._backward(ctx, *grads)
        found = list(found) if isinstance(found, (tuple, list)) else [found]
        return (None, None, *found, *[None] * (ctx._arguments - len(found)))


def custom_op(name, fn=None, /, *, mutates_args=(), device_types=None, schema=None, tags=None):
    """fn as the operator torch.ops.<name>, "namespace::name"; without fn a decorator. mutates_args, device_types and schema say what winnow sees
    when it runs the function."""
    def register(function):
        return _ops.register(name, CustomOpDef(name, function))
    return register if fn is None else register(fn)


triton_op = custom_op


def wrap_triton(kernel, /):
    """There is no GPU that could run it."""
    raise NotImplementedError("torch.library.wrap_triton: winnow has no GPUs yet, so there is nothing that would run a Triton kernel")


def _operator(op):
    """The operator that a name, or what a decorator made, stands for; None if nobody has defined it."""
    return op if isinstance(op, CustomOpDef) else _ops.find(op if isinstance(op, str) else str(op))


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    """The gradient of an operator: CustomOpDef.register_autograd."""
    found = _operator(op)
    if found is None:
        raise RuntimeError(f"torch.library.register_autograd: there is no operator {op}")
    found.register_autograd(backward, setup_context=setup_context)


def register_fake(op, func=None, /, *, lib=None, _stacklevel=1, allow_override=False):
    """Nothing: shapes are known when a function has run. Without func a decorator."""
    return (lambda function: function) if func is None else func


impl_abstract = register_vmap = register_fake


def register_kernel(op, device_types, func=None, /, *, lib=None):
    """What runs for device_types: CustomOpDef.register_kernel."""
    found = _operator(op)
    if found is None:
        raise RuntimeError(f"torch.library.register_kernel: there is no operator {op}")
    return found.register_kernel(device_types, func)


def define(qualname, schema, *, lib=None, tags=()):
    """A name for what `impl` gives."""
    _ops.register(qualname, CustomOpDef(qualname, _undefined(qualname)))


def _undefined(name):
    def function(*args, **kwargs):
        raise NotImplementedError(f"torch.ops.{name.replace('::', '.')}: nothing runs it on the CPU")

    function.__name__ = name.rpartition("::")[2]
    return function


def impl(qualname, types, func=None, *, lib=None):
    """What an operator runs: for "cpu", "CPU", "CompositeExplicitAutograd" and their like. Without func a decorator."""
    def use(function):
        kinds = (types,) if isinstance(types, str) else types
        if any(kind.lower() in ("cpu", "default") or kind.startswith("Composite") for kind in kinds):
            found = _operator(qualname)
            if found is None:
                raise RuntimeError(f"torch.library.impl: there is no operator {qualname}")
            found._init_fn = function
        return function
    return use if func is None else use(func)


def opcheck(op, args, kwargs=None, **options):
    """Does it run?"""
    op(*args, **(kwargs or {}))
    return {}


class Library:
    """A namespace of operators that a program defines."""

    def __init__(self, ns, kind, dispatch_key=""):
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key

    def define(self, schema, alias_analysis="", *, tags=()):
        """The operator that a schema "name(Tensor x) -> Tensor" names."""
        name = schema.partition("(")[0].strip()
        define(f"{self.ns}::{name}", schema)
        return name

    def impl(self, op_name, fn, dispatch_key="", *, with_keyset=False, allow_override=False):
        """fn runs it, if the key is one of the CPU's."""
        name = op_name if isinstance(op_name, str) else op_name.__name__
        impl(name if "::" in name else f"{self.ns}::{name}", dispatch_key or self.dispatch_key or "CompositeImplicitAutograd", fn)
