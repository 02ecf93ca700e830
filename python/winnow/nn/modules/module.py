"""Module: the base of everything that has parameters. What registers, names and calls is here; the rest of its methods are in the files
whose names begin with "_"."""
from collections import OrderedDict
from typing import Any, Callable

import winnow
from ..._construct import Tensor
from ..parameter import Buffer, Parameter
from . import _convert, _hooks, _state, _walk
from ._hooks import *
from ._hooks import (call_with_hooks, global_backward, global_backward_pre, global_forward, global_pre, on_buffer, on_module, on_parameter)
from ._state import EXTRA as _EXTRA_STATE_KEY_SUFFIX, _IncompatibleKeys  # noqa: F401  names that libraries import
from ._walk import indented as _addindent

__all__ = ["Module", *_hooks.__all__]

_DICTIONARIES = {  # what an instance has, and how it begins; __setstate__ adds what old pickles lack
    "_non_persistent_buffers_set": set, "_backward_pre_hooks": OrderedDict, "_backward_hooks": OrderedDict, "_forward_hooks": OrderedDict,
    "_forward_hooks_with_kwargs": OrderedDict, "_forward_hooks_always_called": OrderedDict, "_forward_pre_hooks": OrderedDict,
    "_forward_pre_hooks_with_kwargs": OrderedDict, "_state_dict_hooks": OrderedDict, "_state_dict_pre_hooks": OrderedDict,
    "_load_state_dict_pre_hooks": OrderedDict, "_load_state_dict_post_hooks": OrderedDict}
_plain_setattr = object.__setattr__


def _forward_unimplemented(self, *input):
    """What a call of the module computes. Every subclass defines it."""
    raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')


def _typename(value):
    return winnow.typename(value)


def weight_and_bias(module):
    """Of a layer, without the way over __getattr__ (0.5 us each) where they are parameters, as nearly always."""
    own = module._parameters
    try:
        return own["weight"], own["bias"]
    except KeyError:  # weight_norm, pruning, parametrizations compute them
        return module.weight, module.bias


def make_parameters(module, device, dtype, **shapes):
    """Parameters of these shapes whose elements are arbitrary; False: one that the module does not have."""
    for name, shape in shapes.items():
        module.register_parameter(name, None if shape is False else Parameter(winnow.empty(shape, device=device, dtype=dtype)))


def unusual(module, **usual):
    """For extra_repr: ", name=value" of each of these attributes that is not as usual."""
    return "".join([f", {name}={getattr(module, name)}" for name, value in usual.items() if getattr(module, name) != value])


class Module:
    """The base class of layers and models. Parameters, buffers and other modules that are assigned to an attribute are registered:
    parameters(), state_dict(), to() find them."""

    dump_patches = False
    training: bool
    _version = 1            # of what state_dict saves; a class that changes its names counts on
    _is_full_backward_hook = None
    call_super_init = False  # for cooperative multiple inheritance: __init__ passes its arguments on
    _compiled_call_impl = None

    def __init__(self, *args, **kwargs):
        if not self.call_super_init:
            if kwargs:
                raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument '{next(iter(kwargs))}'")
            if args:
                raise TypeError(f"{type(self).__name__}.__init__() takes 1 positional argument but {len(args) + 1} were given")
        _plain_setattr(self, "training", True)
        _plain_setattr(self, "_parameters", {})
        _plain_setattr(self, "_buffers", {})
        for name, make in _DICTIONARIES.items():
            _plain_setattr(self, name, make())
        _plain_setattr(self, "_is_full_backward_hook", None)
        _plain_setattr(self, "_modules", {})
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    forward: Callable[..., Any] = _forward_unimplemented

    # ------------------------------------------------------------------ calls

    def __call__(self, *args, **kwargs) -> "Any":
        own = self.__dict__  # once: a class with __getattr__ pays for every attribute
        try:
            hooked = (own["_forward_hooks"] or own["_forward_pre_hooks"] or own["_backward_hooks"] or own["_backward_pre_hooks"]
                      or global_forward or global_pre or global_backward or global_backward_pre)
        except KeyError as error:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{error.args[0]}'") from None
        if hooked:
            return call_with_hooks(self, args, kwargs)
        return self.forward(*args, **kwargs)

    _call_impl = _wrapped_call_impl = __call__

    def compile(self, *args, **kwargs):
        """Takes torch.compile's arguments and changes nothing: what is pending is fused anyway."""
        from ...compiler import compile

        self._compiled_call_impl = compile(self._call_impl, *args, **kwargs)

    # ------------------------------------------------------------------ attributes

    def __getattr__(self, name):  # what Python has not found in the usual places
        own = self.__dict__
        try:
            value = own["_parameters"].get(name, own)
            if value is own:
                value = own["_buffers"].get(name, own)
                if value is own:
                    value = own["_modules"].get(name, own)
            if value is not own:
                return value
        except KeyError:  # before Module.__init__()
            pass
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        own = self.__dict__
        parameters = own.get("_parameters")
        if isinstance(value, Tensor):
            if isinstance(value, Parameter):
                if parameters is None:
                    raise AttributeError("cannot assign parameters before Module.__init__() call")
                self._forget(name, "_parameters")
                self.register_parameter(name, value)
                return
        elif isinstance(value, Module):
            if own.get("_modules") is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            if name in parameters:
                raise TypeError(f"cannot assign '{_typename(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)")
            self._forget(name, "_modules")
            _put(self, "_modules", name, value, on_module)
            return
        if parameters is not None:
            if name in parameters:
                if value is not None:
                    raise TypeError(f"cannot assign '{_typename(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)")
                self.register_parameter(name, value)
                return
            if name in own["_modules"]:
                if value is not None:
                    raise TypeError(f"cannot assign '{_typename(value)}' as child module '{name}' (torch.nn.Module or None expected)")
                _put(self, "_modules", name, value, on_module)
                return
            if name in own["_buffers"] or (isinstance(value, Tensor) and isinstance(value, Buffer)):
                _set_buffer(self, name, value)
                return
        _plain_setattr(self, name, value)

    def __delattr__(self, name):
        for members in (self._parameters, self._buffers, self._modules):
            if name in members:
                del members[name]
                if members is self._buffers:
                    self._non_persistent_buffers_set.discard(name)
                return
        super().__delattr__(name)

    def _forget(self, name, kept):
        """The name gets another kind of value: whatever had it before goes, but for an entry of the dictionary `kept`."""
        own = self.__dict__
        own.pop(name, None)
        for kind in ("_parameters", "_buffers", "_modules"):
            if kind != kept:
                own[kind].pop(name, None)
        if kept != "_buffers":
            own["_non_persistent_buffers_set"].discard(name)

    # ------------------------------------------------------------------ registration

    def register_buffer(self, name, tensor, persistent=True):
        """A tensor that belongs to the module without being a parameter. persistent=False: state_dict leaves it out."""
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        _check_name(self, name, "buffer", "_buffers")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"cannot assign '{_typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)")
        _put(self, "_buffers", name, tensor, on_buffer)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name, param):
        """A parameter of the module, or None: a parameter that it does not have."""
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        _check_name(self, name, "parameter", "_parameters")
        if param is not None:
            if not isinstance(param, Parameter):
                raise TypeError(f"cannot assign '{_typename(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)")
            if param.grad_fn is not None:
                raise ValueError(f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly. To express "
                                 f"'{name}' as a function of another Tensor, compute the value in the forward() method.")
        _put(self, "_parameters", name, param, on_parameter)

    def add_module(self, name, module):
        """A submodule."""
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{_typename(module)} is not a Module subclass")
        _check_name(self, name, "module", "_modules")
        _put(self, "_modules", name, module, on_module)

    def register_module(self, name, module):
        """add_module under another name."""
        self.add_module(name, module)

    # ------------------------------------------------------------------ copies, text, modes

    def __getstate__(self):
        state = self.__dict__.copy()
        state.pop("_compiled_call_impl", None)
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        for name, make in _DICTIONARIES.items():
            if name not in self.__dict__:
                self.__dict__[name] = make()

    def _replicate_for_data_parallel(self):
        """A copy that shares its parameters' owner: it has none of its own, DataParallel puts views of them there."""
        replica = self.__new__(type(self))
        replica.__dict__ = {**self.__dict__, "_parameters": {}, "_buffers": self._buffers.copy(), "_modules": self._modules.copy(), "_is_replica": True}
        return replica

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self):
        """What repr() shows between the parentheses."""
        return ""

    def train(self, mode=True):
        """Training mode for the module and its submodules: dropout, batch norm and their like act accordingly."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self):
        """Evaluation mode: train(False)."""
        return self.train(False)

    __repr__, __dir__ = _walk.module_repr, _walk.module_dir
    from ._convert import (_apply, apply, bfloat16, cpu, cuda, double, half, ipu, mtia, requires_grad_, share_memory, to, to_empty, xpu,
                           zero_grad)
    from ._hooks import (_get_backward_hooks, _get_backward_pre_hooks, register_backward_hook, register_forward_hook,
                         register_forward_pre_hook, register_full_backward_hook, register_full_backward_pre_hook)
    from ._state import (_load_from_state_dict, _register_load_state_dict_pre_hook, _register_state_dict_hook, _save_to_state_dict,
                         get_extra_state, load_state_dict, register_load_state_dict_post_hook, register_load_state_dict_pre_hook,
                         register_state_dict_post_hook, register_state_dict_pre_hook, set_extra_state, state_dict)
    from ._walk import (_named_members, buffers, children, get_buffer, get_parameter, get_submodule, modules, named_buffers, named_children,
                        named_modules, named_parameters, parameters, set_submodule)
    float, type = _convert.float_, _convert.type_  # last: the class's body would find them in place of Python's


def _put(module, kind, name, value, hooks):
    """Makes the entry, after the registration hooks of that kind."""
    for hook in hooks.values():
        answer = hook(module, name, value)
        if answer is not None:
            value = answer
    module.__dict__[kind][name] = value


def _check_name(module, name, what, kind):
    if not isinstance(name, str):
        raise TypeError(f"{what} name should be a string. Got {_typename(name)}")
    if name not in module.__dict__.get(kind, ()) and hasattr(module, name):
        raise KeyError(f"attribute '{name}' already exists")
    if "." in name:
        raise KeyError(f'{what} name can\'t contain "."' + (f", got: {name}" if what == "module" else ""))
    if name == "":
        raise KeyError(f'{what} name can\'t be empty string ""')


def _set_buffer(module, name, value):
    """Assignment to a name that is a buffer, or of a Buffer."""
    if value is not None and not isinstance(value, Tensor):
        raise TypeError(f"cannot assign '{_typename(value)}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or None expected)")
    if isinstance(value, Buffer):
        _register_assigned(module, name, value)
    else:
        _put(module, "_buffers", name, value, on_buffer)


def _register_assigned(module, name, buffer):
    """register_buffer of a Buffer that is assigned. Classes written before persistent= existed override it without."""
    if getattr(module.register_buffer, "__func__", None) is not Module.register_buffer:
        from inspect import signature

        if "persistent" not in signature(module.register_buffer).parameters:
            if not buffer.persistent:
                raise RuntimeError("Registering a non-persistent buffer on a Module subclass that implements register_buffer() without the "
                                   "persistent argument is not allowed.")
            module.register_buffer(name, buffer)
            return
    module.register_buffer(name, buffer, buffer.persistent)
