"""Optimizer: what all optimisers share. Parameter groups, state, state_dict, hooks; and the helpers of their steps."""
from collections import OrderedDict, defaultdict
from copy import deepcopy
from functools import wraps
from itertools import chain
import warnings

from .. import _C
from .._construct import Tensor
from .._marks import begin, recordings
from .._recording import forget_gradients, recording
from .._types import float32, float64
from ..utils.hooks import register

__all__ = ["Optimizer", "register_optimizer_step_pre_hook", "register_optimizer_step_post_hook"]

_rows = _C.functions(1)
_tensor, _gather = _C._tensor, _C._gather
_global_pre_hooks, _global_post_hooks = OrderedDict(), OrderedDict()


class _Required:
    """The default of an option that every parameter group has to bring."""

    __repr__ = lambda self: "<required parameter>"


required = _Required()


# ------------------------------------------------------------------ helpers of the steps

def stepping(step):
    """Decorator of step(closure=None) whose body updates: the closure runs with gradients, the update without them unless the
    optimiser is differentiable. step returns the closure's loss."""

    @wraps(step)
    def wrapper(self, closure=None):
        loss = None
        if closure is not None:
            with recording(True):
                loss = closure()
        if self._need_device_dtype_check_for_fused:
            check_fused_parameters(self)
        with recording(bool(self.defaults.get("differentiable", False))):
            step(self)
        return loss

    return wrapper


def scalar(value):
    """A 0-d tensor for the state: a count of steps or the like, in torch's dtype for them."""
    return _tensor(float(value), float64 if _C.get_default_dtype() is float64 else float32)


def number(value):
    """The number that an option (a float or a one-element tensor) stands for."""
    return value.item() if isinstance(value, Tensor) else value


def with_gradient(group, name):
    """The group's parameters that have a gradient, with it."""
    for p in group["params"]:
        g = p.grad
        if g is not None:
            if g.is_sparse:
                raise RuntimeError(f"{name} does not support sparse gradients")
            yield p, g


def gathered(group, states, names, begin):
    """The group's parameters with a gradient, their gradients, and for each of names the list of these tensors of their states.
    begin() makes what states lack, and refuses gradients that cannot be used."""
    lists = _gather(group["params"], states, names)
    if lists is None:
        begin()
        lists = _gather(group["params"], states, names)
        if lists is None:
            raise KeyError(f"the state of a parameter lacks one of {', '.join(names)}")
    return lists


def zeros_like(p):
    """State of p's layout, which remembers nothing of p's history."""
    return _rows["zeros_like"](p.detach() if p.requires_grad else p)


def count(state):
    """One more step: the state's tensor counts it (torch's state_dicts have it so), the number is returned."""
    step = state["step"]
    if isinstance(step, Tensor):
        step.add_(1)
        return step.item()
    state["step"] = step + 1
    return step + 1


def not_negative(**options):
    """Raises for the first of the options that is not at least 0. x_value is "x value" in torch's messages."""
    for name, value in options.items():
        if not value >= 0:
            name = name[:-6] + " value" if name.endswith("_value") else name.replace("_", " ")
            raise ValueError(f"Invalid {name}: {value}")


def check_betas(betas):
    for i in (0, 1):
        if not 0.0 <= betas[i] < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {betas[i]}")


def check_lr(lr, foreach=False, capturable=True):
    if isinstance(lr, Tensor):
        if foreach and not capturable:
            raise ValueError("lr as a Tensor is not supported for capturable=False and foreach=True")
        if lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
    not_negative(learning_rate=lr)


def signed(g, maximize):
    return -g if maximize else g


def decayed(g, p, weight_decay):
    """The gradient of the loss with the penalty weight_decay/2 |p|^2."""
    return g.add(p, alpha=weight_decay) if weight_decay != 0 else g


def check_fused(fused, differentiable, foreach):
    if fused and differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if fused and foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")


def check_fused_parameters(optimizer):
    """Raises, before the first step with fused=True, for a parameter that PyTorch has no fused step for."""
    for group in optimizer.param_groups:
        for p in group["params"] if group.get("fused") else ():
            if not p.is_floating_point():
                raise RuntimeError("`fused=True` requires all the params to be floating point Tensors of supported devices: ['cpu'] but "
                                   f"{p.dtype} and {p.device.type}")
    optimizer._need_device_dtype_check_for_fused = False


def _typename(x):
    if isinstance(x, Tensor):
        return x.type()
    kind = type(x)
    return kind.__qualname__ if kind.__module__ in ("builtins", None) else f"{kind.__module__}.{kind.__qualname__}"


# ------------------------------------------------------------------ hooks

def register_optimizer_step_pre_hook(hook):
    """hook(optimizer, args, kwargs) before every optimiser's steps."""
    return register(_global_pre_hooks, hook)


def register_optimizer_step_post_hook(hook):
    """hook(optimizer, args, kwargs) after every optimiser's steps."""
    return register(_global_post_hooks, hook)


def _hooked(step):
    """step with the hooks of its optimiser, and all optimisers', around it."""

    @wraps(step)
    def wrapper(*args, **kwargs):
        self = args[0]
        mark = recordings and begin(f"Optimizer.step#{type(self).__name__}.step")
        try:
            for hook in chain(_global_pre_hooks.values(), self._optimizer_step_pre_hooks.values()) if _global_pre_hooks or self._optimizer_step_pre_hooks else ():
                result = hook(self, args, kwargs)
                if result is not None:
                    if not isinstance(result, tuple) or len(result) != 2:
                        raise RuntimeError(f"{step} must return None or a tuple of (new_args, new_kwargs), but got {result}.")
                    args, kwargs = result
            out = step(*args, **kwargs)
            for hook in chain(self._optimizer_step_post_hooks.values(), _global_post_hooks.values()) if _global_post_hooks or self._optimizer_step_post_hooks else ():
                hook(self, args, kwargs)
            return out
        finally:
            if mark:
                mark.__exit__()

    wrapper.hooked = True
    return wrapper


_HOOKS = ("_optimizer_step_pre_hooks", "_optimizer_step_post_hooks", "_optimizer_state_dict_pre_hooks", "_optimizer_state_dict_post_hooks",
          "_optimizer_load_state_dict_pre_hooks", "_optimizer_load_state_dict_post_hooks")


# ------------------------------------------------------------------ the class

class Optimizer:
    """params: tensors, (name, tensor) pairs, or dicts with "params" and options of their own; defaults: the other groups' options."""

    _need_device_dtype_check_for_fused = False
    _fill = {}  # options that old state_dicts lack

    def __init__(self, params, defaults):
        if not isinstance(defaults, dict):
            raise TypeError(f"defaults argument given to the optimizer should be a dict of options, but got {type(defaults).__name__}")
        self.defaults = defaults
        if defaults.get("fused"):
            self._need_device_dtype_check_for_fused = True
        self._make_hooks()
        if isinstance(params, Tensor):
            raise TypeError("params argument given to the optimizer should be an iterable of Tensors or dicts, but got " + _typename(params))
        self.state = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def _make_hooks(self):
        for name in _HOOKS:
            if name not in self.__dict__:
                setattr(self, name, OrderedDict())
        self._patch_step_function()

    def _patch_step_function(self):
        """Gives step() its hooks; libraries call it in place of __init__."""
        cls = type(self)
        if not getattr(cls.step, "hooked", False):  # once for each class that defines a step
            cls.step = _hooked(cls.step)

    __getstate__ = lambda self: {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._make_hooks()
        self.defaults.setdefault("differentiable", False)
        for name, default in self._fill.items():
            for group in self.param_groups:
                group.setdefault(name, default)

    def _counts_as_tensors(self):
        """Steps are tensors; in old state_dicts they are numbers."""
        for group in self.param_groups:
            for p in group["params"]:
                own = self.state.get(p)
                if own and "step" in own and not isinstance(own["step"], Tensor):
                    own["step"] = scalar(own["step"])

    def __repr__(self):
        text = type(self).__name__ + " ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            text += "".join(f"    {key}: {group[key]}\n" for key in sorted(group) if key != "params")
        return text + ")"

    def step(self, closure=None):
        """One step; closure computes the loss anew and is called where an optimiser needs it."""
        raise NotImplementedError

    def zero_grad(self, set_to_none=True):
        """Gradients become None, or zero."""
        mark = recordings and begin(f"Optimizer.zero_grad#{type(self).__name__}.zero_grad")
        for group in self.param_groups:
            forget_gradients(group["params"], set_to_none)
        if mark:
            mark.__exit__()

    # -------------------------------------------------------------- groups

    def add_param_group(self, param_group):
        """Another group of parameters, with options of its own."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, Tensor):
            params = [params]
        elif isinstance(params, set):
            raise TypeError("optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets will "
                            "change between runs. Please use a list instead.")
        param_group["params"] = params = list(params)
        _take_names(param_group, params)
        params = param_group["params"]
        for p in params:
            if not isinstance(p, Tensor):
                raise TypeError("optimizer can only optimize Tensors, but one of the params is " + _typename(p))
            if not self.defaults.get("differentiable") and not (p.is_leaf or p.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
            param_group.setdefault(name, default)
        ids = {id(p) for p in params}
        if len(params) != len(ids):
            warnings.warn("optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; see "
                          "github.com/pytorch/pytorch/issues/40967 for more information", stacklevel=3)
        for group in self.param_groups:
            if not ids.isdisjoint(map(id, group["params"])):
                raise ValueError("some parameters appear in more than one parameter group")
            if ("param_names" in group) != ("param_names" in param_group):
                raise ValueError("all optimizer param groups should be with/without names. cannot add param group "
                                 f"{'with' if 'param_names' in param_group else 'without'} names to the optimizer")
        self.param_groups.append(param_group)

    # -------------------------------------------------------------- state_dict

    def state_dict(self):
        """{"state": {number of a parameter: its state}, "param_groups": the groups with numbers for parameters}."""
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        numbers = {}

        def packed(group):
            first = len(numbers)
            for i, p in enumerate(group["params"]):
                numbers.setdefault(id(p), first + i)
            r = {k: v for k, v in group.items() if k != "params"}
            r["params"] = [numbers[id(p)] for p in group["params"]]
            return r

        groups = [packed(group) for group in self.param_groups]
        result = {"state": {numbers[id(k)] if isinstance(k, Tensor) else k: v for k, v in self.state.items()}, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            changed = hook(self, result)
            if changed is not None:
                result = changed
        return result

    def load_state_dict(self, state_dict):
        """Takes over a state_dict of an optimiser with as many parameters in as many groups."""
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            changed = hook(self, state_dict)
            if changed is not None:
                state_dict = changed
        groups, saved = self.param_groups, deepcopy(state_dict["param_groups"])
        if len(groups) != len(saved):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(g["params"]) != len(s["params"]) for g, s in zip(groups, saved)):
            raise ValueError("loaded state dict contains a parameter group that doesn't match the size of optimizer's group")
        owner = {}
        for group, new in zip(groups, saved):
            owner.update(zip(new["params"], group["params"]))
        state = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in owner:
                state[owner[key]] = _fitted(owner[key], value)
            else:
                state[key] = value
        for group, new in zip(groups, saved):
            new["params"] = group["params"]
            if "param_names" in group and "param_names" not in new:
                new["param_names"] = group["param_names"]
        self.__setstate__({"state": state, "param_groups": saved})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    # -------------------------------------------------------------- hooks

    def register_step_pre_hook(self, hook):
        """hook(optimizer, args, kwargs) before each step; may return new (args, kwargs)."""
        return register(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook):
        """hook(optimizer, args, kwargs) after each step."""
        return register(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook, prepend=False):
        """hook(optimizer) before state_dict()."""
        return register(self._optimizer_state_dict_pre_hooks, hook, prepend=prepend)

    def register_state_dict_post_hook(self, hook, prepend=False):
        """hook(optimizer, state_dict) after state_dict(); may return another one."""
        return register(self._optimizer_state_dict_post_hooks, hook, prepend=prepend)

    def register_load_state_dict_pre_hook(self, hook, prepend=False):
        """hook(optimizer, state_dict) before load_state_dict(); may return another one."""
        return register(self._optimizer_load_state_dict_pre_hooks, hook, prepend=prepend)

    def register_load_state_dict_post_hook(self, hook, prepend=False):
        """hook(optimizer) after load_state_dict()."""
        return register(self._optimizer_load_state_dict_post_hooks, hook, prepend=prepend)


def _take_names(group, params):
    """(name, tensor) pairs leave their names in "param_names"."""
    named = [isinstance(p, tuple) for p in params]
    if not any(named):
        return
    if not all(named):
        raise ValueError("all optimizer params should be with/without names. Some param names are missing")
    group["params"] = [p for _, p in params]
    group["param_names"] = [name for name, _ in params]


def _fitted(p, value, key=None):
    """State from a state_dict in the dtype of its parameter; counts of steps stay as they are. Copies only what has to change."""
    if isinstance(value, Tensor):
        return value if key == "step" or not p.is_floating_point() else value.to(p.dtype)
    if isinstance(value, dict):
        return {k: _fitted(p, v, key=k) for k, v in value.items()}
    if isinstance(value, (list, tuple, set)):
        return type(value)(_fitted(p, v, key=key) for v in value)
    return value
