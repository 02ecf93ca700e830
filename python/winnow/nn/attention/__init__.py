"""torch.nn.attention: which kernel scaled_dot_product_attention may use. winnow has one, which never builds the matrix of scores."""
import contextlib
import enum

from ..._hook import lacking as _lacking
from ... import backends

__all__ = ["SDPBackend", "sdpa_kernel", "WARN_FOR_UNFUSED_KERNELS"]

WARN_FOR_UNFUSED_KERNELS = False


class SDPBackend(enum.IntEnum):
    """PyTorch's kernels."""
    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4

    __repr__ = enum.Enum.__str__


_SWITCHES = {SDPBackend.MATH: "math", SDPBackend.FLASH_ATTENTION: "flash", SDPBackend.EFFICIENT_ATTENTION: "mem_efficient",
             SDPBackend.CUDNN_ATTENTION: "cudnn"}


@contextlib.contextmanager
def sdpa_kernel(backends, set_priority=False):
    """Context (or decorator) in which torch.backends.cuda says that these kernels are allowed and no others; results do not depend on it."""
    if not isinstance(backends, (list, SDPBackend)):
        raise AssertionError(f"Backend must be an instance of SDPBackend or a list of SDPBackend instances, got {type(backends).__name__}")
    chosen = [backends] if isinstance(backends, SDPBackend) else backends
    before = _set({kind: backend in chosen for backend, kind in _SWITCHES.items()})
    try:
        yield {}
    finally:
        _set(before)


def _set(switches):
    """Sets them: what they were."""
    cuda = backends.cuda
    before = {kind: getattr(cuda, f"{kind}_sdp_enabled")() for kind in switches}
    for kind, on in switches.items():
        getattr(cuda, f"enable_{kind}_sdp")(on)
    return before


__getattr__ = _lacking(__name__, __all__, "winnow has one kernel for attention")
