"""torch.utils.model_zoo: torch.hub's download by its older name."""
from ..hub import load_state_dict_from_url as load_url  # noqa: F401

__all__ = ["load_url"]
