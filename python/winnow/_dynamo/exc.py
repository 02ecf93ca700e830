"""torch._dynamo.exc: the errors of torch.compile. Those of making graphs are never raised here; programs catch them."""
from .._hook import _shown


class TorchDynamoException(RuntimeError):
    """What all of them are."""


class InvalidBackend(TorchDynamoException):
    """There is no backend of a name."""

    def __init__(self, name):
        super().__init__(f"Invalid backend: {name!r}, see `torch._dynamo.list_backends()` for available backends.")


class BackendCompilerFailed(TorchDynamoException):
    """A backend raised."""


class InternalTorchDynamoError(TorchDynamoException):
    """A graph could not be made."""


class ResetRequired(TorchDynamoException):
    """Something changed after a compilation."""


class TorchRuntimeError(TorchDynamoException):
    """An operation failed while a graph was made."""


class Unsupported(TorchDynamoException):
    """Something that no graph can hold."""


class RecompileError(TorchDynamoException):
    """Compiled once more where that was forbidden."""


class FailOnRecompileLimitHit(TorchDynamoException):
    """Compiled too often."""


class UserError(Unsupported):
    """A program's fault."""


class UncapturedHigherOrderOpError(TorchDynamoException):
    """A function of functions that no graph can hold."""


for _error in [v for v in list(globals().values()) if isinstance(v, type)]:
    _error.__module__ = _shown(__name__)
