"""torch._dynamo, of which programs use a few switches: none has anything behind it (see compiler.py)."""
from types import SimpleNamespace as _Switches

from .compiler import (allow_in_graph, assume_constant_result, disable, is_compiling, list_backends, reset, set_stance,  # noqa: F401
                       substitute_in_graph)

__path__ = []  # what stands below is in _absent.py

# Attributes that can be set and read.
config = _Switches(suppress_errors=False, cache_size_limit=8, recompile_limit=8, accumulated_cache_size_limit=256, verbose=False, dynamic_shapes=True,
                   assume_static_by_default=True, automatic_dynamic_shapes=True, capture_scalar_outputs=False, optimize_ddp=True,
                   capture_dynamic_output_shape_ops=False, guard_nn_modules=True, inline_inbuilt_nn_modules=True)


class OptimizedModule:
    """What torch.compile returns in PyTorch, for isinstance: no module here is one."""


eval_frame = _Switches(OptimizedModule=OptimizedModule, disable=disable)


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


def optimize(backend="inductor", **options):
    """A decorator that returns functions as they are."""
    return lambda function: function


def __getattr__(name):
    from ._hook import missing

    raise missing("torch._dynamo", name, globals(), "torch.compile returns functions as they are")
