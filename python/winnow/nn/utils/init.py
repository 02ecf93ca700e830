"""skip_init: a module whose parameters have no values yet."""


def skip_init(module_cls, *args, **kwargs):
    """Makes a module whose parameters and buffers have memory with arbitrary contents: it is made on the meta device first."""
    import inspect

    from ..modules.module import Module

    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    device = kwargs.pop("device", None)
    return module_cls(*args, **kwargs, device="meta").to_empty(device=device or "cpu")
