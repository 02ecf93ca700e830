"""Helpers; the modules in here are imported when they are asked for."""
from .._swap import swap_tensors  # noqa: F401

_MODULES = ("_contextlib", "_foreach_utils", "_pytree", "benchmark", "checkpoint", "collect_env", "data", "deterministic", "dlpack", "hooks", "model_zoo", "tensorboard", "weak")


def __getattr__(name):
    if name[:2] == "__":  # the import system asks for these, while the module's spec is not its own
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    if name in _MODULES:
        import importlib

        return importlib.import_module("." + name, __name__)
    from .. import _absent
    from .._hook import missing

    if f"utils.{name}" in _absent.NAMES:
        return _absent.module(f"utils.{name}")
    raise missing(__name__, name, _MODULES)
