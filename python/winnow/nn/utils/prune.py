"""Pruning: parameters under a mask. name_orig is the parameter, name_mask a buffer, and before each forward name is their product."""
import numbers
from abc import ABC, abstractmethod

import winnow
from ...utils.hooks import hook_of

__all__ = ["BasePruningMethod", "PruningContainer", "Identity", "RandomUnstructured", "L1Unstructured", "RandomStructured", "LnStructured",
           "CustomFromMask", "identity", "random_unstructured", "l1_unstructured", "random_structured", "ln_structured", "global_unstructured",
           "custom_from_mask", "remove", "is_pruned"]


class BasePruningMethod(ABC):
    """Computes a mask (compute_mask, which subclasses define) and is the hook that applies it."""

    _tensor_name: str

    def __call__(self, module, inputs):
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t, default_mask):
        """A mask for t of which nothing is 1 where default_mask is 0."""

    def apply_mask(self, module):
        """The parameter under its mask."""
        name = self._tensor_name
        mask, original = getattr(module, name + "_mask"), getattr(module, name + "_orig")
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        """Prunes a parameter; one that is pruned already, further."""
        before = hook_of(module, BasePruningMethod, name, "_tensor_name")
        method = cls(*args, **kwargs)
        method._tensor_name = name
        orig = getattr(module, name)
        scores = orig if importance_scores is None else importance_scores
        if scores.shape != orig.shape:
            raise AssertionError(f"importance_scores should have the same shape as parameter                 {name} of {module}")
        if before is None:
            default = winnow.ones_like(orig)
            module.register_parameter(name + "_orig", module._parameters[name])
            del module._parameters[name]
        else:
            number, old = before
            del module._forward_pre_hooks[number]
            default = getattr(module, name + "_mask").detach().clone()
            container = old if isinstance(old, PruningContainer) else PruningContainer(old)
            container.add_pruning_method(method)
            method = container
        mask = method.compute_mask(scores, default)
        module.register_buffer(name + "_mask", mask)
        setattr(module, name, method.apply_mask(module))
        module.register_forward_pre_hook(method)
        return method

    def prune(self, t, default_mask=None, importance_scores=None):
        """t under its mask, without a module."""
        scores = t if importance_scores is None else importance_scores
        if scores.shape != t.shape:
            raise AssertionError("importance_scores should have the same shape as tensor t")
        return t * self.compute_mask(scores, winnow.ones_like(t) if default_mask is None else default_mask)

    def remove(self, module):
        """Makes the pruned value the parameter."""
        name = self._tensor_name
        weight = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        orig = module._parameters[name + "_orig"]
        orig.data = weight.data
        del module._parameters[name + "_orig"], module._buffers[name + "_mask"]
        setattr(module, name, orig)


class PruningContainer(BasePruningMethod):
    """Several methods one after the other; each sees what those before it have left."""

    def __init__(self, *args):
        self._pruning_methods = ()
        methods = args if len(args) != 1 or isinstance(args[0], BasePruningMethod) else args[0]
        for method in methods:
            if not self._pruning_methods:
                self._tensor_name = method._tensor_name
            self.add_pruning_method(method)

    def add_pruning_method(self, method):
        """One more, of the same parameter."""
        if not isinstance(method, BasePruningMethod) and method is not None:
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError("Can only add pruning methods acting on the parameter named "
                             f"'{self._tensor_name}' to PruningContainer {self}. Found '{method._tensor_name}'")
        self._pruning_methods += (method,)

    __len__ = lambda self: len(self._pruning_methods)
    __iter__ = lambda self: iter(self._pruning_methods)
    __getitem__ = lambda self, idx: self._pruning_methods[idx]

    def compute_mask(self, t, default_mask):
        method, mask = self._pruning_methods[-1], default_mask
        if method.PRUNING_TYPE == "unstructured":
            part = mask == 1
        elif method.PRUNING_TYPE == "structured":
            dim = method.dim % t.dim()
            part = [slice(None)] * t.dim()
            part[dim] = (mask.sum([d for d in range(t.dim()) if d != dim]) != 0).nonzero().squeeze(1)
            part = tuple(part)
        elif method.PRUNING_TYPE == "global":
            part = (slice(None),) * t.dim()
        else:
            raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
        new = mask.clone()
        new[part] = method.compute_mask(t[part], mask[part]).to(new.dtype)
        return new


# ------------------------------------------------------------------ how much

def _check_amount(amount):
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    if amount < 0 or (not isinstance(amount, numbers.Integral) and float(amount) > 1.0):
        raise ValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")


def _count(amount, n):
    """How many of n."""
    if not isinstance(amount, numbers.Integral):
        return round(amount * n)
    if amount > n:
        raise ValueError(f"amount={amount} should be smaller than the number of parameters to prune={n}")
    return amount


def _check_structured(t, dim):
    if len(t.shape) <= 1:
        raise ValueError("Structured pruning can only be applied to multidimensional tensors. Found tensor of shape "
                         f"{t.shape} with {len(t.shape)} dims")
    if dim >= t.dim():
        raise IndexError(f"Invalid index {dim} for tensor of size {t.shape}")


def _channels(mask, dim, gone):
    """The mask without these channels."""
    mask = mask.clone()
    mask[(slice(None),) * (dim % mask.dim()) + (gone,)] = 0
    return mask


# ------------------------------------------------------------------ methods

class Identity(BasePruningMethod):
    """Prunes nothing."""
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        return default_mask


class RandomUnstructured(BasePruningMethod):
    """Random elements."""
    PRUNING_TYPE = "unstructured"

    def __init__(self, amount):
        _check_amount(amount)
        self.amount = amount

    def compute_mask(self, t, default_mask):
        n = _count(self.amount, t.nelement())
        mask = default_mask.clone()
        if n:
            mask.view(-1)[winnow.topk(winnow.rand_like(t).view(-1), k=n)[1]] = 0
        return mask


class L1Unstructured(RandomUnstructured):
    """The smallest elements."""

    def compute_mask(self, t, default_mask):
        n = _count(self.amount, t.nelement())
        mask = default_mask.clone()
        if n:
            mask.view(-1)[winnow.topk(t.detach().abs().reshape(-1), k=n, largest=False)[1]] = 0
        return mask


class RandomStructured(BasePruningMethod):
    """Random channels."""
    PRUNING_TYPE = "structured"

    def __init__(self, amount, dim=-1):
        _check_amount(amount)
        self.amount, self.dim = amount, dim

    def compute_mask(self, t, default_mask):
        _check_structured(t, self.dim)
        n = _count(self.amount, t.shape[self.dim])
        if n == 0:
            return default_mask
        return _channels(default_mask, self.dim, winnow.topk(winnow.rand(t.shape[self.dim]), k=n, largest=False)[1])


class LnStructured(BasePruningMethod):
    """The channels with the smallest norms."""
    PRUNING_TYPE = "structured"

    def __init__(self, amount, n, dim=-1):
        _check_amount(amount)
        self.amount, self.n, self.dim = amount, n, dim

    def compute_mask(self, t, default_mask):
        _check_structured(t, self.dim)
        n = _count(self.amount, t.shape[self.dim])
        if n == 0:
            return default_mask
        others = [d for d in range(t.dim()) if d != self.dim % t.dim()]
        norms = winnow.norm(t.detach(), p=self.n, dim=others)
        kept = winnow.topk(norms, k=t.shape[self.dim] - n, largest=True)[1]
        gone = winnow.ones(t.shape[self.dim], dtype=winnow.bool)
        gone[kept] = False
        return _channels(default_mask, self.dim, gone.nonzero().squeeze(1))


class CustomFromMask(BasePruningMethod):
    """A given mask."""
    PRUNING_TYPE = "global"

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        return default_mask * self.mask.to(dtype=default_mask.dtype)


def identity(module, name):
    """Prunes nothing: the parameter gets a mask of ones."""
    Identity.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    """Prunes random elements: a number of them or a part of all."""
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module, name, amount, importance_scores=None):
    """Prunes the smallest elements."""
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    """Prunes random channels along dim."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    """Prunes the channels along dim with the smallest n-norms."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module, name, mask):
    """Prunes where a mask is 0."""
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    """Prunes several parameters, (module, name) each, as if they were one."""
    if not hasattr(parameters, "__iter__"):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    parameters = list(parameters)
    scores = {} if importance_scores is None else importance_scores
    if not isinstance(scores, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    relevance = winnow.cat([scores.get((m, name), getattr(m, name)).detach().reshape(-1) for m, name in parameters])
    default = winnow.cat([getattr(m, name + "_mask", winnow.ones_like(getattr(m, name))).detach().reshape(-1) for m, name in parameters])
    container = PruningContainer()
    container._tensor_name = "temp"
    method = pruning_method(**kwargs)
    method._tensor_name = "temp"
    container.add_pruning_method(method)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(f'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method {pruning_method} of type '
                        f"{method.PRUNING_TYPE}")
    mask, begin = container.compute_mask(relevance, default), 0
    for m, name in parameters:
        p = getattr(m, name)
        custom_from_mask(m, name, mask[begin:begin + p.numel()].view_as(p))
        begin += p.numel()


def remove(module, name):
    """Makes the pruned value the parameter; it stays pruned."""
    found = hook_of(module, BasePruningMethod, name, "_tensor_name")
    if found is None:
        raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")
    found[1].remove(module)
    del module._forward_pre_hooks[found[0]]
    return module


def is_pruned(module):
    """Is there a pruned parameter in the module or below?"""
    return any([isinstance(hook, BasePruningMethod) for m in module.modules() for hook in m._forward_pre_hooks.values()])
