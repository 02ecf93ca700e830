"""Hooks of modules: those that every module runs (the global ones), the methods that register a module's own, and the way a call
goes when there is any hook. A call without hooks never comes here (module.py)."""
from collections import OrderedDict
from warnings import warn

from ..._construct import Tensor
from ...utils.hooks import register
from ._backward import BackwardHooks, NodeHook, warn_about_old_hook

__all__ = ["register_module_forward_pre_hook", "register_module_forward_hook", "register_module_full_backward_pre_hook",
           "register_module_full_backward_hook", "register_module_backward_hook", "register_module_buffer_registration_hook",
           "register_module_module_registration_hook", "register_module_parameter_registration_hook"]

# ------------------------------------------------------------------ hooks of all modules

global_pre, global_forward = OrderedDict(), OrderedDict()
global_with_kwargs, global_always = OrderedDict(), OrderedDict()
global_backward_pre, global_backward = OrderedDict(), OrderedDict()
global_is_full = None  # are the global backward hooks full ones? None while there are none
on_buffer, on_module, on_parameter = OrderedDict(), OrderedDict(), OrderedDict()


def register_module_buffer_registration_hook(hook):
    """Calls hook(module, name, buffer) whenever a module registers a buffer; what it returns (not None) is registered instead."""
    return register(on_buffer, hook)


def register_module_module_registration_hook(hook):
    """Calls hook(module, name, submodule) whenever a module registers a submodule."""
    return register(on_module, hook)


def register_module_parameter_registration_hook(hook):
    """Calls hook(module, name, parameter) whenever a module registers a parameter."""
    return register(on_parameter, hook)


def register_module_forward_pre_hook(hook):
    """Calls hook(module, args) before the forward of every module."""
    return register(global_pre, hook)


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    """Calls hook(module, args, output) after the forward of every module."""
    return register(global_forward, hook, global_with_kwargs if with_kwargs else None, global_always if always_call else None)


def register_module_full_backward_pre_hook(hook):
    """Calls hook(module, grad_output) before the backward of every module."""
    return register(global_backward_pre, hook)


def _register_global_backward(hook, full):
    global global_is_full
    if global_is_full is (not full):
        raise RuntimeError("Cannot use both regular backward hooks and full backward hooks as a global Module hook. Please use only one of them.")
    global_is_full = full
    return register(global_backward, hook)


def register_module_full_backward_hook(hook):
    """Calls hook(module, grad_input, grad_output) in the backward of every module."""
    return _register_global_backward(hook, True)


def register_module_backward_hook(hook):
    """The old form of register_module_full_backward_hook: grad_input is that of the last node of forward."""
    return _register_global_backward(hook, False)


# ------------------------------------------------------------------ methods of Module

def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
    """Calls hook(module, args) before forward; with_kwargs: hook(module, args, kwargs). What it returns takes the arguments' place."""
    return register(self._forward_pre_hooks, hook, self._forward_pre_hooks_with_kwargs if with_kwargs else None, prepend=prepend)


def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
    """Calls hook(module, args, output) after forward; with_kwargs: hook(module, args, kwargs, output). What it returns (not None)
    takes the output's place. always_call: also when forward has failed."""
    return register(self._forward_hooks, hook, self._forward_hooks_with_kwargs if with_kwargs else None,
                     self._forward_hooks_always_called if always_call else None, prepend=prepend)


def register_full_backward_pre_hook(self, hook, prepend=False):
    """Calls hook(module, grad_output) before the gradients of the module's inputs are computed."""
    return register(self._backward_pre_hooks, hook, prepend=prepend)


def _set_kind(self, full):
    if self._is_full_backward_hook is (not full):
        raise RuntimeError("Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of them.")
    self._is_full_backward_hook = full


def register_backward_hook(self, hook):
    """The old form of register_full_backward_hook: grad_input is that of the last node of forward."""
    _set_kind(self, False)
    return register(self._backward_hooks, hook)


def register_full_backward_hook(self, hook, prepend=False):
    """Calls hook(module, grad_input, grad_output) when the gradients of the module's inputs have been computed; what it returns (not
    None) takes the place of grad_input."""
    _set_kind(self, True)
    return register(self._backward_hooks, hook, prepend=prepend)


def _get_backward_hooks(self):
    """(full hooks, old hooks) of a module, the global ones first."""
    full, old = [], []
    if global_is_full is not None:
        (full if global_is_full else old).extend(global_backward.values())
    if self._is_full_backward_hook is not None:
        (full if self._is_full_backward_hook else old).extend(self._backward_hooks.values())
    return full, old


def _get_backward_pre_hooks(self):
    return [*global_backward_pre.values(), *self._backward_pre_hooks.values()]


# ------------------------------------------------------------------ a call with hooks

def call_with_hooks(module, args, kwargs):
    """What Module.__call__ does when there is any hook."""
    called = set()
    try:
        return _call(module, args, kwargs, called)
    except Exception:
        _call_always(module, args, kwargs, called)
        raise


def _call(module, args, kwargs, called):
    full, old, before = (), (), ()
    if global_backward or module._backward_hooks:
        full, old = module._get_backward_hooks()
    if global_backward_pre or module._backward_pre_hooks:
        before = module._get_backward_pre_hooks()
    if global_pre or module._forward_pre_hooks:
        args, kwargs = _before(module, args, kwargs)
    backward = None
    if full or before:
        backward = BackwardHooks(module, full, before)
        args = backward.take_inputs(args)
    result = module.forward(*args, **kwargs)
    if global_forward or module._forward_hooks:
        result = _after(module, args, kwargs, result, called)
    if backward is not None:
        if not isinstance(result, (Tensor, tuple)):
            warn("For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received " f"{type(result)}")
        result = backward.take_outputs(result)
    if old:
        _hook_last_node(module, args, result, old)
    return result


def _before(module, args, kwargs):
    """The arguments after the pre-hooks."""
    with_kwargs = module._forward_pre_hooks_with_kwargs
    for number, hook in (*global_pre.items(), *module._forward_pre_hooks.items()):
        if number in with_kwargs:
            answer = hook(module, args, kwargs)
            if answer is None:
                continue
            if not (isinstance(answer, tuple) and len(answer) == 2):
                raise RuntimeError(f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {answer}.")
            args, kwargs = answer
        else:
            answer = hook(module, args)
            if answer is not None:
                args = answer if isinstance(answer, tuple) else (answer,)
    return args, kwargs


def _forward_hooks_of(module):
    """(hook, with kwargs?, always?, number) of the global hooks and the module's own."""
    for number, hook in tuple(global_forward.items()):
        yield hook, number in global_with_kwargs, number in global_always, number
    for number, hook in tuple(module._forward_hooks.items()):
        yield hook, number in module._forward_hooks_with_kwargs, number in module._forward_hooks_always_called, number


def _after(module, args, kwargs, result, called):
    """The result after the forward hooks. `called` gets the numbers of those that are to be called always and have been."""
    for hook, with_kwargs, always, number in _forward_hooks_of(module):
        if always:
            called.add(number)
        answer = hook(module, args, kwargs, result) if with_kwargs else hook(module, args, result)
        if answer is not None:
            result = answer
    return result


def _call_always(module, args, kwargs, called):
    """forward or a hook has failed: calls the hooks that are to be called always and have not been. Their own errors only warn."""
    if not (global_always or module._forward_hooks_always_called):
        return
    result = None
    for hook, with_kwargs, always, number in _forward_hooks_of(module):
        if not always or number in called:
            continue
        kind = "global module" if number in global_always else "module"
        try:
            answer = hook(module, args, kwargs, result) if with_kwargs else hook(module, args, result)
            if answer is not None:
                result = answer
        except Exception as error:
            warn(f"{kind} forward hook with ``always_call=True`` raised an exception that was silenced as another error was raised in "
                 f"forward: {error}")


def _hook_last_node(module, args, result, hooks):
    """Old backward hooks see the gradients of one node: the grad_fn of the first tensor of the result."""
    tensor = result
    while not isinstance(tensor, Tensor):
        tensor = next(v for v in tensor.values() if isinstance(v, Tensor)) if isinstance(tensor, dict) else tensor[0]
    node = tensor.grad_fn
    if node is not None:
        for hook in hooks:
            node.register_hook(NodeHook(hook, module))
        warn_about_old_hook(args, result, node)
