"""DataParallel, which has one device to work on."""
from ..modules.module import Module


class DataParallel(Module):
    """Calls the module it wraps: winnow computes on one device."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module, self.device_ids, self.dim = module, [], dim

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)
