"""torch.compile and torch.compiler: winnow runs what is written, joined by deferral; what is compiled runs as it is."""
import contextlib

from ._hook import lacking as _lacking
from ._stand_in import answers as _answers

__all__ = ["compile", "assume_constant_result", "reset", "allow_in_graph", "list_backends", "disable", "set_stance", "cudagraph_mark_step_begin",
           "is_compiling", "is_dynamo_compiling", "is_exporting", "substitute_in_graph", "wrap_numpy", "nested_compile_region"]

_MODES = ("default", "lite", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune")

# All run functions as they are. Left out are PyTorch's for compilers that are packages of their own, and those that make errors for its tests.
_BACKENDS = {"inductor": (), "cudagraphs": (), **dict.fromkeys(("eager", "eager_noexcept", "eager_debug", "aot_eager", "aot_eager_decomp_partition",
             "aot_eager_default_partitioner", "aot_ts", "pre_dispatch_eager", "ts"), ("debug",))}
NO_GRAPHS = ("a backend of the program's own is called with a graph of the function, and winnow makes no graphs; leave the backend out, or name one of "
             "torch.compiler.list_backends()")


def check_backend(backend):
    """An error unless there is such a backend, or none is given."""
    if isinstance(backend, str):
        if backend not in _BACKENDS:
            from ._dynamo.exc import InvalidBackend

            raise InvalidBackend(backend)
    elif backend is not None:
        raise NotImplementedError("torch.compile: " + NO_GRAPHS if callable(backend) else f"torch.compile: backend is a name or a function, not {type(backend).__name__}")


def compile(model=None, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, name=None, disable=False, recompile_limit=None,
            isolate_recompiles=False, shapes_spec=None):
    """A module as an OptimizedModule around it, a function as one that calls it; without model a decorator. What runs is what was given: winnow's
    deferral joins operations without being asked."""
    if model is not None and not callable(model):
        raise AssertionError(f"A callable function is expected, but {type(model)} is provided.")
    if mode is not None and options is not None:
        raise RuntimeError("Either mode or options can be specified, but both can't be specified at the same time.")
    if mode is not None and mode not in _MODES:
        raise RuntimeError(f"Unrecognized mode={mode}, should be one of: {', '.join(_MODES)}")
    given = {"fullgraph": fullgraph, "dynamic": dynamic, "backend": backend, "mode": mode, "options": options}
    if model is None:
        return lambda function: compile(function, disable=disable, **given)
    check_backend(backend)
    if disable or isinstance(model, type):
        return model
    from ._dynamo import eval_frame

    model = eval_frame.original(model)
    return eval_frame.OptimizedModule(model, given) if isinstance(model, eval_frame.Module) else eval_frame.wrapped(model, given)


_answers(globals(), [
    ("is_compiling()", "False", "Never: functions are run, not compiled."),
    ("reset()", "None", "There is nothing to forget."),
    ("cudagraph_mark_step_begin()", "None", "There are no CUDA graphs."),
    ("disable(fn=None, recursive=True, *, reason=None)", "_same if fn is None else fn", "fn itself, or a decorator."),
    ("allow_in_graph(fn)", "fn", "fn itself."),
    ("save_cache_artifacts()", "None", "Nothing was compiled."),
    ("load_cache_artifacts(serialized_artifacts)", "None", "None: nothing is compiled, so there are no artifacts."),
])


is_dynamo_compiling = is_exporting = is_compiling


def list_backends(exclude_tags=("debug", "experimental")):
    """The names of backends without these tags; all are the same here."""
    return sorted([name for name, tags in _BACKENDS.items() if not {*(exclude_tags or ())} & {*tags}])


def _same(fn):
    return fn


assume_constant_result = nested_compile_region = wrap_numpy = allow_in_graph


def substitute_in_graph(original_fn, **options):
    """A decorator that changes nothing: the original goes on being used."""
    return _same


class set_stance(contextlib.ContextDecorator):
    """Context (or decorator) of a way to compile: none is different."""

    def __init__(self, stance="default", *, skip_guard_eval_unsafe=False, force_backend=None):
        if stance not in ("default", "force_eager", "eager_on_recompile", "fail_on_recompile", "eager_then_compile", "aot_eager_then_compile"):
            raise RuntimeError(f"invalid torch.compile stance '{stance}'")

    __enter__ = lambda self: self
    __exit__ = lambda self, *exc: None


__getattr__ = _lacking(__name__, globals(), "torch.compile runs functions as they are")
