"""torch.autograd.profiler: torch.profiler's parts by their older names."""
from .. import profiler as _profiler
from ..profiler import record_function  # noqa: F401

__all__ = ["profile", "record_function", "emit_nvtx", "emit_itt"]


class profile(_profiler.profile):
    """torch.profiler.profile without a schedule; enabled=False: nothing is noted."""

    def __init__(self, enabled=True, *, use_cuda=False, use_device=None, record_shapes=False, with_flops=False, profile_memory=False,
                 with_stack=False, with_modules=False, use_kineto=False, use_cpu=True, **options):
        super().__init__()
        self.enabled = enabled

    def start(self):
        """Events are noted from here on."""
        if self.enabled:
            super().start()

    def table(self, *args, **kwargs):
        """The events as a text."""
        return self.key_averages().table(*args, **kwargs)


class _Marks:
    """Context that would mark events for a tool that winnow does not know."""
    _tool = ""

    def __init__(self, enabled=True, record_shapes=False):
        self.enabled = enabled

    def __enter__(self):
        if self.enabled:
            raise RuntimeError(f"{type(self).__name__}: winnow gives no marks to {self._tool}")
        return self

    def __exit__(self, *exc):
        return False


class emit_nvtx(_Marks):
    """Marks for NVIDIA's tools: a RuntimeError unless enabled=False."""
    _tool = "NVTX"


class emit_itt(_Marks):
    """Marks for Intel's tools: a RuntimeError unless enabled=False."""
    _tool = "ITT"


class EventList(list):
    """The name of what PyTorch's profiler gives: nothing here makes one."""


class FunctionEvent:
    """The same of its elements."""


def __getattr__(name):
    from .._hook import missing

    raise missing(__name__, name, globals(), "winnow's profiler measures only what record_function marks")
