"""Warnings that are given once in the life of a process, unless all of them are wanted every time (set_warn_always)."""
import warnings

_always = False
_given = set()


def set_warn_always(b, /):
    """Shall warnings that are given once only be given every time? For tests of programs."""
    global _always
    if not isinstance(b, bool):
        raise RuntimeError(f"setWarnOnlyOnce expects a bool, but got {type(b).__name__}")
    _always = b


def is_warn_always_enabled():
    """What set_warn_always was given last; False at the start."""
    return _always


def warn_once(text, stacklevel=2):
    """A UserWarning about the caller's caller (stacklevel counts from the function that warns), the first time that this text is given."""
    if _always or text not in _given:
        _given.add(text)
        warnings.warn(text, UserWarning, stacklevel=stacklevel + 1)
