"""torch.__future__: what a module does with its parameters when it is converted (Module.to and its kind)."""

__all__ = ["set_overwrite_module_params_on_conversion", "get_overwrite_module_params_on_conversion", "set_swap_module_params_on_conversion",
           "get_swap_module_params_on_conversion"]

_overwrite = False


def set_overwrite_module_params_on_conversion(value):
    """True: conversions assign new parameters to the module instead of changing .data of the old ones."""
    global _overwrite
    _overwrite = value


def get_overwrite_module_params_on_conversion():
    """Do conversions assign new parameters?"""
    return _overwrite


def set_swap_module_params_on_conversion(value):
    """False: conversions and load_state_dict keep the parameter objects and change their .data. True is not there: it needs tensors that can swap."""
    if value:
        raise NotImplementedError("torch.__future__.set_swap_module_params_on_conversion(True): winnow's tensors cannot be swapped; parameters stay the objects "
                                  "they are by their .data, or are new ones (set_overwrite_module_params_on_conversion)")


def get_swap_module_params_on_conversion():
    """Do conversions swap? Never."""
    return False
