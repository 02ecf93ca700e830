"""torch._jit_internal: marks for TorchScript that libraries put on their functions. They change nothing, as in torch outside of scripts."""
import typing

from ._hook import lacking as _lacking
from .jit import export, ignore, is_scripting, unused  # noqa: F401

Final, Any, Dict, List, Optional, Tuple, Union = (getattr(typing, _name) for _name in ("Final", "Any", "Dict", "List", "Optional", "Tuple", "Union"))


def _copy_to_script_wrapper(fn):
    """fn, marked as PyTorch marks it: a scripted module keeps it in Python."""
    fn._torchscript_modifier = "if this method is not scripted, copy the python method onto the scripted model"
    return fn


def _overload(fn):
    """fn itself."""
    return fn


_overload_method = _drop = _overload


def boolean_dispatch(arg_name, arg_index, default, if_true, if_false, module_name, func_name):
    """A function that calls if_true or if_false, as its argument arg_name says."""
    def fn(*args, **kwargs):
        chosen = kwargs[arg_name] if arg_name in kwargs else args[arg_index] if arg_index < len(args) else default
        return (if_true if chosen else if_false)(*args, **kwargs)
    if func_name is not None:
        fn.__name__ = func_name
    return fn


class _Broadcasting:
    """BroadcastingList2[int]: in annotations, one number or several."""

    __getitem__ = lambda self, kind: kind


BroadcastingList1 = BroadcastingList2 = BroadcastingList3 = _Broadcasting()


__getattr__ = _lacking(__name__, globals(), "winnow has no TorchScript")
