"""torch.jit: scripting and tracing return what runs as Python (_script.py), with one warning. There are no TorchScript files."""
import contextlib
import typing
import warnings

from .._hook import lacking as _lacking
from ._script import RecursiveScriptModule, ScriptFunction, ScriptModule, scripted
from .._stand_in import answers as _answers

__all__ = ["script", "trace", "trace_module", "ignore", "unused", "export", "save", "load", "freeze", "optimize_for_inference", "is_scripting",
           "is_tracing", "script_method", "interface", "annotate", "Attribute", "Final", "fork", "wait", "ScriptModule", "isinstance", "Error"]

Final = typing.Final
_builtin_isinstance = isinstance
_noted = []


TopLevelTracedModule = RecursiveScriptModule


class Error(RuntimeError):
    """What torch's scripted functions raise."""


def _note(what):
    if not _noted:
        _noted.append(what)
        warnings.warn(f"torch.jit.{what}: winnow has no TorchScript; functions and modules run as Python", stacklevel=3)


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    """A module or function that runs obj as Python."""
    if not callable(obj) and not _builtin_isinstance(obj, (list, dict)):
        raise TypeError(f"{type(obj)} is a built-in class")
    _note("script")
    return scripted(obj)


def trace(func, example_inputs=None, optimize=None, check_trace=True, check_inputs=None, check_tolerance=1e-5, strict=True, **options):
    """A module or function that runs func as Python; nothing is recorded, so what its control flow depends on is asked in every call."""
    _note("trace")
    return scripted(func)


def trace_module(mod, inputs, **options):
    """A module that runs mod as Python."""
    _note("trace_module")
    return scripted(mod)


def freeze(mod, preserved_attrs=None, optimize_numerics=True):
    """mod itself, which has to be scripted and in evaluation mode."""
    if not _builtin_isinstance(mod, ScriptModule):
        raise RuntimeError("Freezing expects a ScriptModule as input. Please use torch.jit.script or torch.jit.trace to script your 'nn.Module'.")
    if mod.training:
        raise RuntimeError("Freezing is currently only implemented for modules in eval mode. Please call .eval() on your module before freezing.")
    return mod


_answers(globals(), [
    ("optimize_for_inference(mod, other_methods=None)", "mod.eval()", "mod itself, in evaluation mode."),
    ("export(fn)", "fn", "fn itself."),
    ("ignore(drop=False, **kwargs)", "drop if callable(drop) else lambda fn: fn",
     "The function itself, or a decorator."),
    ("is_scripting()", "False", "False: everything runs as Python."),
    ("annotate(the_type, the_value)", "the_value", "the_value itself."),
    ("Attribute(value, type)", "value", "value itself."),
    ("fork(func, *args, **kwargs)", "(func(*args, **kwargs),)", "Calls at once; wait() gives the result."),
    ("wait(future)", "future[0]", "The result of a fork."),
    ("_overload(function)", "function", "Declares a signature of a scripted function: the function itself."),
    ("_switch(*args, **kwargs)", "contextlib.nullcontext()", "Context of an optimisation: none."),
    ("set_fusion_strategy(strategy)", "[]",
     "Accepted: nothing is fused by it. Returns the strategy before, an empty list."),
    ("enable_onednn_fusion(enabled)", "None", "There is no oneDNN."),
])


script_method = unused = interface = script_if_tracing = export


is_tracing = is_scripting


def isinstance(obj, target_type):
    """Python's isinstance, of typing's generic types as well (by their origin)."""
    kinds = target_type if _builtin_isinstance(target_type, tuple) else (target_type,)
    return any([_builtin_isinstance(obj, typing.get_origin(k) or k) for k in kinds])


_overload_method = _overload


def save(m, f, _extra_files=None):
    """An error: winnow has no TorchScript files."""
    raise NotImplementedError("torch.jit.save: winnow has no TorchScript; save the state_dict with torch.save")


def load(f, map_location=None, _extra_files=None, _restore_shapes=False):
    """An error: winnow cannot run TorchScript files."""
    raise NotImplementedError("torch.jit.load: winnow cannot run TorchScript files; build the module in Python and load its state_dict")


optimized_execution = fuser = strict_fusion = _switch


__getattr__ = _lacking(__name__, globals(), "winnow has no TorchScript")
