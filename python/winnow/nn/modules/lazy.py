"""LazyModuleMixin: modules some of whose sizes are those of the first input."""
from itertools import chain

from ..parameter import UninitializedParameter, is_lazy

__all__ = ["LazyModuleMixin"]


def make_lazy(module, device, dtype, make=UninitializedParameter, **wanted):
    """Parameters (make: or buffers) without a shape, of those that are wanted."""
    for name, there in wanted.items():
        if there:
            setattr(module, name, make(device=device, dtype=dtype))


def materialize(module, **shapes):
    """Gives their shapes to the parameters and buffers that are not None."""
    for name, shape in shapes.items():
        value = getattr(module, name)
        if value is not None:
            value.materialize(shape)


class LazyModuleMixin:
    """Stands before the class that it makes lazy. Parameters begin as UninitializedParameter; before the first forward,
    initialize_parameters(*args) makes them, and the module becomes one of cls_to_become."""

    cls_to_become = None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        for name, value in chain(self._parameters.items(), self._buffers.items()):
            if value is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = value if is_lazy(value) or keep_vars else value.detach()

    def _lazy_load_hook(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        """What is loaded decides the shapes."""
        for name, value in chain(self._parameters.items(), self._buffers.items()):
            given = state_dict.get(prefix + name)
            if value is not None and given is not None and is_lazy(value) and not is_lazy(given):
                import winnow

                with winnow.no_grad():
                    value.materialize(given.shape)

    def initialize_parameters(self, *args, **kwargs):
        """Makes the parameters, given the arguments of the first forward."""
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self):
        """Is there a parameter or buffer without a shape?"""
        return any([is_lazy(v) for v in chain(self._parameters.values(), self._buffers.values())])

    def _infer_parameters(self, module, args, kwargs=None):
        """The pre-hook of the first forward."""
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
        module._initialize_hook.remove()
        module._load_hook.remove()
        del module._initialize_hook, module._load_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _replicate_for_data_parallel(self):
        raise RuntimeError("Modules with uninitialized parameters can't be used with `DataParallel`. Run a dummy forward pass to correctly "
                           "initialize the modules")
