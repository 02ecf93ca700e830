"""Exceptions on their way to another thread or process, with their traceback as text."""
import sys


class KeyErrorMessage(str):
    """A message that KeyError shows as it is."""
    __slots__ = ()
    __repr__ = lambda self: self


class ExceptionWrapper:
    """An exception with its traceback as text, to be raised elsewhere."""

    def __init__(self, exc_info=None, where="in background"):
        import traceback

        exc_info = sys.exc_info() if exc_info is None else exc_info
        self.exc_type, self.exc_msg, self.where = exc_info[0], "".join(traceback.format_exception(*exc_info)), where

    def reraise(self):
        message = f"Caught {self.exc_type.__name__} {self.where}.\nOriginal {self.exc_msg}"
        if self.exc_type is KeyError:
            message = KeyErrorMessage(message)
        try:
            error = self.exc_type(message)
        except Exception:  # its constructor wants something else
            raise RuntimeError(message) from None
        raise error from None


KeyErrorMessage.__module__ = ExceptionWrapper.__module__ = f"{__package__}._utils"  # torch's name for them, which pickles have
