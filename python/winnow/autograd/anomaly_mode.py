"""detect_anomaly: backward stops at the first operation whose gradient is NaN, and says which it is and where the program called it."""
from _thread import _local
import sys
import warnings

from .. import _C
from ._tasks import asking

__all__ = ["detect_anomaly", "set_detect_anomaly"]

_enabled, _check_nan = False, True


def is_anomaly_enabled():
    """Is anomaly detection on?"""
    return _enabled


def is_anomaly_check_nan_enabled():
    """Does anomaly detection look for NaN?"""
    return _check_nan


def set_anomaly_enabled(mode, check_nan=True):
    """Switches anomaly detection on or off, for all threads."""
    global _enabled, _check_nan
    if bool(mode) != _enabled:
        asking[0] += bool(mode) - _enabled  # backward looks at nothing else
        _C._note_nodes(_note if mode else None)
    _enabled, _check_nan = bool(mode), bool(check_nan)


class set_detect_anomaly:
    """Switches anomaly detection at once; at the end of a `with` back to what it was."""

    def __init__(self, mode, check_nan=True):
        self.prev, self.prev_check_nan = _enabled, _check_nan
        set_anomaly_enabled(mode, check_nan)

    def __enter__(self):
        pass

    def __exit__(self, *exc):
        set_anomaly_enabled(self.prev, self.prev_check_nan)


class detect_anomaly:
    """Context in which a backward that makes a NaN raises an error that names the operation."""

    def __init__(self, check_nan=True):
        self.prev, self.prev_check_nan, self.check_nan = _enabled, _check_nan, check_nan
        warnings.warn("Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for debugging.",
                      stacklevel=2)

    def __enter__(self):
        set_anomaly_enabled(True, self.check_nan)

    def __exit__(self, *exc):
        set_anomaly_enabled(self.prev, self.prev_check_nan)


# ------------------------------------------------------------------ where nodes are made

class _Open(_local):
    def __init__(self):
        self.watched = []  # this thread's backwards that are watched, the innermost last


_open = _Open()


def _lines():
    """The program's lines that led here, each as a text; what `-m winnow` does to run it is left out."""
    from sys import _getframe
    from traceback import StackSummary

    frames, frame = [], _getframe(2)
    while frame is not None and frame.f_globals.get("__name__") != "winnow._run":
        frames.append((frame, frame.f_lineno))
        frame = frame.f_back
    return StackSummary.extract(reversed(frames)).format()


def _note(number):
    """What is kept of a node that is being made: the lines that led to it, and the node of whose gradient it is a part."""
    from ._tensor_methods import metadata_of_new

    contents = {"traceback_": _lines()}
    parent = _open.watched[-1].current if _open.watched else None
    if parent is not None:
        contents["parent_"] = parent
    return metadata_of_new(number, contents)


def _warn(text):
    """An error is under way: where warnings are errors, too, this one is only printed."""
    try:
        warnings.warn(text, UserWarning, stacklevel=4)
    except UserWarning as refused:
        print(f"{type(refused).__name__}: {refused}", file=sys.stderr)


def _tell(node):
    """Where the program called the operation that failed, and for whose gradient, if it is a part of one."""
    lines = node.metadata.get("traceback_")
    if lines is None:
        _warn(f"Error detected in {node.name()}. No forward pass information available. Enable detect anomaly during forward pass for more information.")
        return
    _warn(f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n{''.join(lines)}")
    node = node.metadata.get("parent_")
    while node is not None:
        lines = node.metadata.get("traceback_")
        told = "No forward pass information available. Enable detect anomaly during forward pass for more information." if lines is None else \
            f"Traceback of forward call that induced the previous calculation:\n{''.join(lines)}"
        _warn(f"\n\nPrevious calculation was induced by {node.name()}. {told}")
        node = node.metadata.get("parent_")


# ------------------------------------------------------------------ a backward

class watched:
    """While open, every node behind the roots says that it runs, and checks what it gives to its inputs. What ends the backward in a node is told."""

    def __init__(self, roots):
        self.roots, self.current, self.runs = roots, None, False  # the node that began last, and has it not ended yet?

    def __enter__(self):
        from .graph import reachable

        self.numbers = []
        if not _enabled:
            return
        _open.watched.append(self)
        for node in reachable([t.grad_fn for t in self.roots]):
            if not hasattr(node, "variable"):
                self.numbers.append((node, _C._node_register_hook(node, self._begins(node), True)))
                self.numbers.append((node, _C._node_register_hook(node, self._checker(node.name()), False)))

    def __exit__(self, kind, error, trace):
        for node, number in self.numbers:
            _C._node_remove_hook(node, number)
        if self in _open.watched:
            _open.watched.remove(self)
            if isinstance(error, Exception) and self.runs:
                _tell(self.current)
        self.current = None

    def _begins(self, node):
        def begins(grad_outputs):
            self.current, self.runs = node, True

        return begins

    def _checker(self, name):
        def check(grad_inputs, grad_outputs):
            for i, g in enumerate(grad_inputs if _check_nan else ()):
                if g is not None and bool((g != g).any()):
                    raise RuntimeError(f"Function '{name}' returned nan values in its {i}th output.")
            self.runs = False

        return check
