"""state_dict and load_state_dict: a module's parameters and buffers as a dictionary, and back, with the hooks on both ways."""
from collections import OrderedDict, namedtuple
from collections.abc import Mapping
from itertools import chain
from warnings import warn

from ... import __future__ as _future
from ..._construct import Tensor
from ..._recording import recording
from ..._swap import swap_tensors
from ...utils.hooks import register
from ..parameter import Parameter, is_lazy

EXTRA = "_extra_state"  # the key of what get_extra_state returns


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """What load_state_dict returns."""
    __slots__ = ()

    def __repr__(self):
        return super().__repr__() if self.missing_keys or self.unexpected_keys else "<All keys matched successfully>"

    __str__ = __repr__


# ------------------------------------------------------------------ saving

def get_extra_state(self):
    """What state_dict saves besides tensors, for classes that define it together with set_extra_state."""
    raise RuntimeError("Reached a code path in Module.get_extra_state() that should never be called.")


def set_extra_state(self, state):
    """Gets from load_state_dict what get_extra_state returned."""
    raise RuntimeError("Reached a code path in Module.set_extra_state() that should never be called.")


def _save_to_state_dict(self, destination, prefix, keep_vars):
    """Puts what the module itself (not its submodules) has to save into destination."""
    for name, parameter in self._parameters.items():
        if parameter is not None:
            destination[prefix + name] = parameter if keep_vars else parameter.detach()
    for name, buffer in self._buffers.items():
        if buffer is not None and name not in self._non_persistent_buffers_set:
            destination[prefix + name] = buffer if keep_vars else buffer.detach()
    if type(self).get_extra_state is not get_extra_state:
        destination[prefix + EXTRA] = self.get_extra_state()


def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
    """An OrderedDict of the parameters and persistent buffers, by their full names; they share memory with the module."""
    if args:  # the old order of arguments
        warn("Positional args are being deprecated, use kwargs instead. Refer to https://pytorch.org/docs/main/generated/torch.nn.Module.html"
             "#torch.nn.Module.state_dict for details.", FutureWarning, stacklevel=2)
        destination = args[0] if destination is None else destination
        prefix = args[1] if len(args) > 1 and prefix == "" else prefix
        keep_vars = args[2] if len(args) > 2 and keep_vars is False else keep_vars
    if destination is None:
        destination = OrderedDict()
        destination._metadata = OrderedDict()
    metadata = {"version": self._version}
    if hasattr(destination, "_metadata"):
        destination._metadata[prefix[:-1]] = metadata
    for hook in self._state_dict_pre_hooks.values():
        hook(self, prefix, keep_vars)
    self._save_to_state_dict(destination, prefix, keep_vars)
    for name, module in self._modules.items():
        if module is not None:
            module.state_dict(destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars)
    for hook in self._state_dict_hooks.values():
        answer = hook(self, destination, prefix, metadata)
        if not getattr(hook, "_from_public_api", False):
            destination = destination if answer is None else answer
        elif answer is not None:
            raise RuntimeError("state_dict post-hook must return None")
    return destination


def _register_state_dict_hook(self, hook):
    """Calls hook(module, state_dict, prefix, local_metadata) at the end of state_dict; it may return another dictionary."""
    if getattr(hook, "_from_public_api", False):
        raise RuntimeError("Cannot register the same function as the state dict post hook that was previously registered via "
                           "register_state_dict_post_hook")
    return register(self._state_dict_hooks, hook)


def register_state_dict_post_hook(self, hook):
    """Calls hook(module, state_dict, prefix, local_metadata) at the end of state_dict; it may change the dictionary."""
    hook._from_public_api = True
    return register(self._state_dict_hooks, hook)


def register_state_dict_pre_hook(self, hook):
    """Calls hook(module, prefix, keep_vars) before the module is saved."""
    return register(self._state_dict_pre_hooks, hook)


# ------------------------------------------------------------------ loading

class _LoadHook:
    """A load_state_dict pre-hook: keeps its module weakly where the hook wants it, or the module would never die by itself."""

    def __init__(self, hook, module):
        from weakref import ref

        self.hook, self.module = hook, None if module is None else ref(module)

    def __call__(self, *args):
        if self.module is None:
            return self.hook(*args)
        module = self.module()
        if module is None:
            raise RuntimeError("You are trying to call the hook of a dead Module!")
        return self.hook(module, *args)

    __getstate__ = lambda self: {"hook": self.hook, "module": None if self.module is None else self.module()}

    def __setstate__(self, state):
        self.__init__(state["hook"], state["module"])


def _register_load_state_dict_pre_hook(self, hook, with_module=False):
    """Calls hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs) before the module itself is
    loaded."""
    return register(self._load_state_dict_pre_hooks, _LoadHook(hook, self if with_module else None))


def register_load_state_dict_pre_hook(self, hook):
    """Calls hook(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs) before the module itself
    is loaded."""
    return self._register_load_state_dict_pre_hook(hook, with_module=True)


def register_load_state_dict_post_hook(self, hook):
    """Calls hook(module, incompatible_keys) after the module and its submodules are loaded; it may change the two lists."""
    return register(self._load_state_dict_post_hooks, hook)


def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
    """Loads what the module itself (not its submodules) has, and notes what is missing, too much or wrong."""
    for hook in self._load_state_dict_pre_hooks.values():
        hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
    persistent = {k: v for k, v in self._buffers.items() if k not in self._non_persistent_buffers_set}
    own = {k: v for k, v in chain(self._parameters.items(), persistent.items()) if v is not None}
    assign = local_metadata.get("assign_to_params_buffers", False)
    for name, mine in own.items():
        key = prefix + name
        if key in state_dict:
            _load_one(self, name, key, mine, state_dict[key], assign, error_msgs)
        elif strict:
            missing_keys.append(key)
    extra = prefix + EXTRA
    if type(self).set_extra_state is not set_extra_state:
        if extra in state_dict:
            self.set_extra_state(state_dict[extra])
        elif strict:
            missing_keys.append(extra)
    elif strict and extra in state_dict:
        unexpected_keys.append(extra)
    if strict:
        for key in state_dict:
            if key.startswith(prefix) and key != extra:
                name, dot, _ = key[len(prefix):].partition(".")
                if (name not in self._modules) if dot else (name not in own):
                    unexpected_keys.append(key)


def _load_one(module, name, key, mine, given, assign, error_msgs):
    """One parameter or buffer: copies into it or, with assign, takes the given tensor in its place."""
    if not isinstance(given, Tensor):
        error_msgs.append(f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from checkpoint but received '
                          f"{type(given)}")
        return
    lazy = is_lazy(mine)
    if not lazy and mine.dim() == 0 and given.dim() == 1:  # files of old versions have one-element vectors for numbers
        given = given[0]
    if not lazy and given.shape != mine.shape:
        error_msgs.append(f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, the shape in current model is "
                          f"{mine.shape}.")
        return
    try:
        with recording(False):
            _put_in(module, name, mine, given, assign)
    except Exception as error:
        doing = "swapping" if _future._swap else "copying"
        error_msgs.append(f'While {doing} the parameter named "{key}", whose dimensions in the model are {mine.size()} and whose dimensions in the '
                          f"checkpoint are {given.size()}, an exception occurred : {error.args}.")


def _put_in(module, name, mine, given, assign):
    """What is loaded becomes the parameter or buffer, or its elements."""
    if _future._swap:
        _swap_in(mine, given, assign)
    elif assign:
        setattr(module, name, _like_parameter(mine, given))
    else:
        mine.copy_(given)


def _like_parameter(mine, given):
    """given as what `mine` is: of a parameter a parameter, which requires a gradient where that does."""
    if not isinstance(mine, Parameter):
        return given
    return given.requires_grad_(mine.requires_grad) if isinstance(given, Parameter) else Parameter(given, requires_grad=mine.requires_grad)


def _swap_in(mine, given, assign):
    """What is made of the given tensor becomes the parameter or buffer."""
    new = mine.module_load(given, assign=assign)
    if new is given or new is mine:
        raise RuntimeError("module_load returned one of self or other, please .detach() the result if returning one of the inputs in module_load")
    swap_tensors(mine, _like_parameter(mine, new))


def load_state_dict(self, state_dict, strict=True, assign=False):
    """Copies the tensors of a state_dict into the module (assign: makes them the module's). strict: the names must match exactly.
    Returns the names that were missing and those that were not expected."""
    if not isinstance(state_dict, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
    metadata = getattr(state_dict, "_metadata", None)
    state_dict = OrderedDict(state_dict)
    if metadata is not None:
        state_dict._metadata = metadata  # hooks may look
    missing, unexpected, errors = [], [], []
    _load(self, state_dict, "", metadata, strict, assign, missing, unexpected, errors)
    if strict:
        if unexpected:
            errors.insert(0, "Unexpected key(s) in state_dict: {}. ".format(", ".join([f'"{k}"' for k in unexpected])))
        if missing:
            errors.insert(0, "Missing key(s) in state_dict: {}. ".format(", ".join([f'"{k}"' for k in missing])))
    if errors:
        raise RuntimeError("Error(s) in loading state_dict for {}:\n\t{}".format(type(self).__name__, "\n\t".join(errors)))
    return _IncompatibleKeys(missing, unexpected)


def _load(module, state_dict, prefix, metadata, strict, assign, missing, unexpected, errors):
    """load_state_dict of a module and, below it, of its submodules; each gets the part of the dictionary that is below its name."""
    local = {} if metadata is None else metadata.get(prefix[:-1], {})
    if assign:
        local["assign_to_params_buffers"] = True
    elif "assign_to_params_buffers" in local:  # of an earlier load of the same dictionary
        local["assign_to_params_buffers"] = False
    module._load_from_state_dict(state_dict, prefix, local, True, missing, unexpected, errors)
    for name, child in module._modules.items():
        if child is not None:
            below = prefix + name + "."
            part = {k: v for k, v in state_dict.items() if k.startswith(below)}
            _load(child, part, below, metadata, strict, assign, missing, unexpected, errors)
    keys = _IncompatibleKeys(missing, unexpected)
    for hook in module._load_state_dict_post_hooks.values():
        if hook(module, keys) is not None:
            raise AssertionError("Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new values, if "
                                 "incompatible_keys need to be modified, it should be done inplace.")
