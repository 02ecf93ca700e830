"""Recording for gradients, switched for a while by what runs before autograd's own contexts are there, or too often for them."""
from . import _C


class recording:
    """Context in which operations are recorded, or not."""
    __slots__ = ("on", "old")

    def __init__(self, on):
        self.on = on

    def __enter__(self):
        self.old = _C._set_grad_enabled(self.on)

    def __exit__(self, *exc):
        _C._set_grad_enabled(self.old)
