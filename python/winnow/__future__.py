"""torch.__future__: what a module does with its parameters when it is converted (Module.to and its kind)."""

__all__ = ["set_overwrite_module_params_on_conversion", "get_overwrite_module_params_on_conversion", "set_swap_module_params_on_conversion",
           "get_swap_module_params_on_conversion"]

_overwrite = _swap = False


def set_overwrite_module_params_on_conversion(value):
    """True: conversions assign new parameters to the module instead of changing .data of the old ones."""
    global _overwrite
    _overwrite = value


def get_overwrite_module_params_on_conversion():
    """Do conversions assign new parameters?"""
    return _overwrite


def set_swap_module_params_on_conversion(value):
    """True: conversions and load_state_dict make new parameters and swap them with the old ones (torch.utils.swap_tensors), instead of changing their .data."""
    global _swap
    _swap = value


def get_swap_module_params_on_conversion():
    """Do conversions swap?"""
    return _swap
