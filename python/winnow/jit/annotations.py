"""torch.jit.annotations: the names of typing's that programs import from there."""
from typing import Any, Dict, List, Optional, Tuple, Union  # noqa: F401
