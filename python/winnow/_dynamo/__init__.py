"""torch._dynamo: what torch.compile returns (eval_frame.py), its errors (exc.py), and switches that have nothing behind them."""
from types import SimpleNamespace as _Switches

from . import eval_frame, exc  # noqa: F401
from .eval_frame import OptimizedModule  # noqa: F401
from ..compiler import (allow_in_graph, assume_constant_result, disable, is_compiling, list_backends, reset, set_stance,  # noqa: F401
                       substitute_in_graph)

# Attributes that can be set and read.
config = _Switches(suppress_errors=False, cache_size_limit=8, recompile_limit=8, accumulated_cache_size_limit=256, verbose=False, dynamic_shapes=True,
                   assume_static_by_default=True, automatic_dynamic_shapes=True, capture_scalar_outputs=False, optimize_ddp=True,
                   capture_dynamic_output_shape_ops=False, guard_nn_modules=True, inline_inbuilt_nn_modules=True)


def mark_dynamic(t, index, *, hint_override=None, min=None, max=None, specialize_on=None):
    """Sizes may change at any time here."""


def maybe_mark_dynamic(t, index):
    pass


def mark_static(t, index=None):
    pass


def mark_static_address(t, guard=True):
    pass


def graph_break(msg=""):
    """There is no graph to break."""


def is_dynamo_supported():
    """True: torch.compile can be called."""
    return True


def optimize(backend="inductor", *, nopython=False, guard_export_fn=None, disable=False, dynamic=None, **options):
    """A decorator: torch.compile with a backend."""
    from ..compiler import check_backend, compile

    check_backend(backend)
    return lambda function: compile(function, backend=backend, fullgraph=nopython, dynamic=dynamic, disable=disable)


def register_backend(compiler_fn=None, name=None, tags=()):
    """An error: no backend is called."""
    from ..compiler import NO_GRAPHS

    raise NotImplementedError("torch._dynamo.register_backend: " + NO_GRAPHS)


def explain(f, *extra_args, **extra_kwargs):
    """An error: no graph is made that could be explained."""
    raise NotImplementedError("torch._dynamo.explain: winnow runs programs, it does not turn them into graphs")


def __getattr__(name):
    from .._hook import missing

    raise missing("torch._dynamo", name, globals(), "torch.compile runs functions as they are")
