"""torch.version: of PyTorch's interface, and what winnow is built with: no CUDA, no ROCm."""
from . import __version__

cuda = hip = xpu = git_version = None
debug = False
