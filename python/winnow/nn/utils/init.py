"""skip_init: a module whose parameters have no values yet."""


def skip_init(module_cls, *args, **kwargs):
    """Makes a module without drawing its initial values."""
    import inspect

    from ..modules.module import Module

    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    import winnow

    state = winnow.get_rng_state()  # the values are made and the draws taken back: who skips wants no draws
    try:
        return module_cls(*args, **kwargs)
    finally:
        winnow.set_rng_state(state)
