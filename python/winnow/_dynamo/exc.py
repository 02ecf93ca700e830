"""torch._dynamo.exc: the errors of torch.compile. Those of making graphs are never raised here; programs catch them."""
from .._hook import _shown


class TorchDynamoException(RuntimeError):
    """What all of them are."""


class InvalidBackend(TorchDynamoException):
    """There is no backend of a name."""

    def __init__(self, name):
        super().__init__(f"Invalid backend: {name!r}, see `torch._dynamo.list_backends()` for available backends.")


for _name, _doc in (("BackendCompilerFailed", "A backend raised."), ("InternalTorchDynamoError", "A graph could not be made."),
                    ("ResetRequired", "Something changed after a compilation."), ("Unsupported", "Something that no graph can hold."),
                    ("TorchRuntimeError", "An operation failed while a graph was made."), ("FailOnRecompileLimitHit", "Compiled too often."),
                    ("RecompileError", "Compiled once more where that was forbidden."),
                    ("UncapturedHigherOrderOpError", "A function of functions that no graph can hold.")):
    globals()[_name] = type(_name, (TorchDynamoException,), {"__doc__": _doc})


class UserError(Unsupported):  # noqa: F821
    """A program's fault."""


for _error in [v for v in list(globals().values()) if isinstance(v, type)]:
    _error.__module__ = _shown(__name__)
