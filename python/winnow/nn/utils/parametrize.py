"""Parametrizations: a parameter that is computed, by modules, from other parameters whenever it is asked for."""
from collections.abc import Sequence
from contextlib import contextmanager
from copy import deepcopy

import winnow
from winnow import Tensor

from ..modules.container import ModuleDict, ModuleList
from ..modules.module import Module
from ..parameter import Parameter

__all__ = ["cached", "ParametrizationList", "register_parametrization", "is_parametrized", "remove_parametrizations",
           "type_before_parametrizations", "transfer_parametrizations_and_params"]

_cache_depth, _cache = 0, {}


@contextmanager
def cached():
    """Context in which a parametrized tensor is computed once."""
    global _cache_depth
    _cache_depth += 1
    try:
        yield
    finally:
        _cache_depth -= 1
        if not _cache_depth:
            _cache.clear()


def _register(module, name, tensor):
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def _set(dest, source):
    """Gives dest the memory of source; it stays the object it is."""
    if source is not dest:
        dest.data = source.detach()


class ParametrizationList(ModuleList):
    """The modules that compute one tensor, one after the other, and what the first of them gets: `original`, or `original0`, `original1`,
    ... where it takes several."""

    def __init__(self, modules, original, unsafe=False):
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        with winnow.no_grad():
            new = original
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    try:
                        new = module.right_inverse(new)
                    except NotImplementedError:  # taken for the identity
                        pass
        if not isinstance(new, (Tensor, Sequence)):
            raise ValueError(f"'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got {type(new).__name__}")
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            if new.dtype is not dtype:
                raise ValueError("When `right_inverse` outputs one tensor, it may not change the dtype.\n"
                                 f"original.dtype: {dtype}\nright_inverse(original).dtype: {new.dtype}")
            with winnow.no_grad():
                _set(original, new)
            _register(self, "original", original)
        else:
            self._register_several(original, new)
        if not unsafe:
            self._check(self(), shape, dtype)

    def _register_several(self, original, new):
        for i, tensor in enumerate(new):
            if not isinstance(tensor, Tensor):
                raise ValueError("'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                                 f"Got element {i} of the sequence with type {type(tensor).__name__}.")
            if isinstance(original, Parameter):
                tensor = Parameter(tensor, original.requires_grad)
            tensor.requires_grad_(original.requires_grad)
            _register(self, f"original{i}", tensor)

    def _check(self, result, shape, dtype):
        if not isinstance(result, Tensor):
            raise ValueError(f"A parametrization must return a tensor. Got {type(result).__name__}.")
        if result.dtype is not dtype:
            raise ValueError("Registering a parametrization may not change the dtype of the tensor, unless `unsafe` flag is enabled.\n"
                             f"unparametrized dtype: {dtype}\nparametrized dtype: {result.dtype}")
        if result.shape != shape:
            raise ValueError("Registering a parametrization may not change the shape of the tensor, unless `unsafe` flag is enabled.\n"
                             f"unparametrized shape: {shape}\nparametrized shape: {result.shape}")

    def right_inverse(self, value):
        """Sets the originals so that the tensor gets this value, as far as the modules know how."""
        with winnow.no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
                value = module.right_inverse(value)
            values = [value] if self.is_tensor else list(value)
            if len(values) != self.ntensors:
                raise ValueError(f"'right_inverse' must return a sequence of tensors of length {self.ntensors}. Got a sequence of length {len(values)}.")
            for mine, new in zip(self._originals(), values):
                if not isinstance(new, Tensor):
                    raise ValueError(f"`right_inverse` should return a tensor. Got {type(new).__name__}")
                if new.dtype is not mine.dtype:
                    raise ValueError(f"The tensor returned by `right_inverse` has dtype {new.dtype} while `original` has dtype {mine.dtype}")
                _set(mine, new)

    def _originals(self):
        return [self.original] if self.is_tensor else [getattr(self, f"original{i}") for i in range(self.ntensors)]

    def forward(self):
        modules = iter(self)
        x = next(modules)(*self._originals())
        for module in modules:
            x = module(x)
        return x


# ------------------------------------------------------------------ the parametrized module's class

def _no_pickle(self):
    raise RuntimeError("Serialization of parametrized modules is only supported through state_dict(). See:\n"
                       "https://pytorch.org/tutorials/beginner/saving_loading_models.html#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training")


def _deepcopy(self, memo):
    copy = memo.get(id(self))
    if copy is None:
        copy = self.__new__(type(self))
        memo[id(self)] = copy
        copy.__dict__ = deepcopy(self.__dict__, memo)
    return copy


def _own_class(module):
    """Gives the module a class of its own, which can have properties."""
    cls = type(module)
    body = {"__getstate__": _no_pickle, "__module__": cls.__module__}
    if not hasattr(cls, "__deepcopy__"):
        body["__deepcopy__"] = _deepcopy
    module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), body)


def _property(name):
    """The tensor as a property of the class."""
    def get(self):
        if not _cache_depth:
            return self.parametrizations[name]()
        key = (id(self), name)
        if key not in _cache:
            _cache[key] = self.parametrizations[name]()
        return _cache[key]

    def set(self, value):
        self.parametrizations[name].right_inverse(value)

    return property(get, set)


def _check_another(module, name, parametrization):
    """May this one be put behind those that are there?"""
    y = getattr(module, name)
    x = parametrization(y)
    if not isinstance(x, Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {type(x).__name__}.")
    for what, new, old in (("dtype", x.dtype, y.dtype), ("shape", x.shape, y.shape)):
        if new != old:
            raise ValueError(f"Registering a parametrization may not change the {what} of the tensor, unless the `unsafe` flag is enabled.\n"
                             f"module.{name}.{what}: {old}\nparametrization(module.{name}).{what}: {new}")
    if hasattr(parametrization, "right_inverse"):
        try:
            z = parametrization.right_inverse(x)
        except NotImplementedError:
            return
        if not isinstance(z, Tensor):
            raise ValueError(f"parametrization.right_inverse must return a tensor. Got: {type(z).__name__}")
        for what, new, old in (("dtype", z.dtype, y.dtype), ("shape", z.shape, x.shape)):
            if new != old:
                raise ValueError(f"The tensor returned by parametrization.right_inverse must have the same {what} as module.{name}, unless the "
                                 f"`unsafe` flag is enabled.\nmodule.{name}.{what}: {old}\nreturned {what}: {new}")


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    """module.tensor_name is parametrization(original) from now on. Several are applied one after the other."""
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            _check_another(module, tensor_name, parametrization)
        chain = module.parametrizations[tensor_name]
        chain.append(parametrization)
        chain.unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        original = getattr(module, tensor_name)
        chain = ParametrizationList([parametrization], original, unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _own_class(module)
            module.parametrizations = ModuleDict()
        setattr(type(module), tensor_name, _property(tensor_name))
        module.parametrizations[tensor_name] = chain
    else:
        raise ValueError(f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name '{tensor_name}'")
    return module


def is_parametrized(module, tensor_name=None):
    """Has the module a parametrization (of that tensor)?"""
    parametrizations = getattr(module, "parametrizations", None)
    if not isinstance(parametrizations, ModuleDict):
        return False
    return len(parametrizations) > 0 if tensor_name is None else tensor_name in parametrizations


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    """Makes it a parameter or buffer again, with the value that it has, or (leave_parametrized=False) with the original's."""
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    chain = module.parametrizations[tensor_name]
    if chain.is_tensor:
        original = chain.original
        if leave_parametrized:
            with winnow.no_grad():
                _set(original, getattr(module, tensor_name))
    elif leave_parametrized:
        t = getattr(module, tensor_name)
        original = Parameter(t.detach()) if t.requires_grad else t
    else:
        raise ValueError("Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a sequence of tensors.")
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _register(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module):
    """The class of the module without its parametrizations."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(from_module, to_module, tensor_name=None):
    """Gives to_module the parametrizations of from_module, and what they compute from."""
    if not is_parametrized(from_module):
        return to_module
    for name in from_module.parametrizations if tensor_name is None else [tensor_name]:
        chain = from_module.parametrizations[name]
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name).detach()))
        for parametrization in chain:
            register_parametrization(to_module, name, parametrization)
        for key, value in [*chain._parameters.items(), *chain._buffers.items()]:
            setattr(to_module.parametrizations[name], key, value)
    return to_module
