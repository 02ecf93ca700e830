"""torch._dynamo: what torch.compile returns (eval_frame.py), its errors (exc.py), and switches that have nothing behind them."""
from types import SimpleNamespace as _Switches

from .._hook import lacking as _lacking
from . import eval_frame, exc  # noqa: F401
from .eval_frame import OptimizedModule  # noqa: F401
from .._stand_in import answers as _answers
from ..compiler import (allow_in_graph, assume_constant_result, disable, is_compiling, list_backends, reset, set_stance,  # noqa: F401
                       substitute_in_graph)

# Attributes that can be set and read.
config = _Switches(suppress_errors=False, cache_size_limit=8, recompile_limit=8, accumulated_cache_size_limit=256, verbose=False, dynamic_shapes=True,
                   assume_static_by_default=True, automatic_dynamic_shapes=True, capture_scalar_outputs=False, optimize_ddp=True,
                   capture_dynamic_output_shape_ops=False, guard_nn_modules=True, inline_inbuilt_nn_modules=True)


_answers(globals(), [
    ("mark_dynamic(t, index, *, hint_override=None, min=None, max=None, specialize_on=None)", "None",
     "Sizes may change at any time here."),
    ("maybe_mark_dynamic(t, index)", "None", None),
    ("mark_static(t, index=None)", "None", None),
    ("mark_static_address(t, guard=True)", "None", None),
    ('graph_break(msg="")', "None", "There is no graph to break."),
    ("is_dynamo_supported()", "True", "True: torch.compile can be called."),
])


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


__getattr__ = _lacking("torch._dynamo", globals(), "torch.compile runs functions as they are")
