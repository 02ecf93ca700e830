"""Methods of Module that look into the tree of modules: iterators over submodules, parameters and buffers, and dotted names."""
from itertools import chain

from ..._construct import Tensor
from ..parameter import Parameter


def _named_members(self, get_members_fn, prefix="", recurse=True, remove_duplicate=True):
    """(full name, value) of what get_members_fn(module) gives, for the module and its submodules; a value counts once."""
    seen = set()
    for path, module in self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]:
        for name, value in get_members_fn(module):
            if value is None or value in seen:
                continue
            if remove_duplicate:
                seen.add(value)
            yield path + ("." if path else "") + name, value


def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
    """(name, parameter) of the module and its submodules."""
    yield from self._named_members(lambda m: m._parameters.items(), prefix=prefix, recurse=recurse, remove_duplicate=remove_duplicate)


def parameters(self, recurse=True):
    """The parameters of the module and its submodules: what an optimizer wants."""
    for _, parameter in self.named_parameters(recurse=recurse):
        yield parameter


def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
    """(name, buffer) of the module and its submodules."""
    yield from self._named_members(lambda m: m._buffers.items(), prefix=prefix, recurse=recurse, remove_duplicate=remove_duplicate)


def buffers(self, recurse=True):
    """The buffers of the module and its submodules."""
    for _, buffer in self.named_buffers(recurse=recurse):
        yield buffer


def named_children(self):
    """(name, module) of the immediate submodules; each counts once."""
    seen = set()
    for name, module in self._modules.items():
        if module is not None and module not in seen:
            seen.add(module)
            yield name, module


def children(self):
    """The immediate submodules."""
    for _, module in self.named_children():
        yield module


def named_modules(self, memo=None, prefix="", remove_duplicate=True):
    """(full name, module) of the module and all below it; each counts once."""
    memo = set() if memo is None else memo
    if self in memo:
        return
    if remove_duplicate:
        memo.add(self)
    yield prefix, self
    for name, module in self._modules.items():
        if module is not None:
            yield from module.named_modules(memo, prefix + ("." if prefix else "") + name, remove_duplicate)


def modules(self, remove_duplicate=True):
    """The module and all below it."""
    for _, module in self.named_modules(remove_duplicate=remove_duplicate):
        yield module


# ------------------------------------------------------------------ dotted names

def get_submodule(self, target):
    """The submodule "a.b.c"; "" is the module itself."""
    from .module import Module

    module = self
    for name in target.split(".") if target else ():
        if not hasattr(module, name):
            raise AttributeError(module._get_name() + f" has no attribute `{name}`")
        module = getattr(module, name)
        if not isinstance(module, Module):
            raise AttributeError("`" + name + "` is not an nn.Module")
    return module


def set_submodule(self, target, module, strict=False):
    """Puts a module at "a.b.c". strict: there must be one already."""
    from .module import Module

    if target == "":
        raise ValueError("Cannot set the submodule without a target name!")
    path, _, name = target.rpartition(".")
    if not isinstance(module, Module):
        raise ValueError(f'"module" is not an nn.Module, found {type(module)}')
    parent = self.get_submodule(path)
    if strict and not hasattr(parent, name):
        raise AttributeError(parent._get_name() + f" has no attribute `{name}`")
    if hasattr(parent, name) and not isinstance(getattr(parent, name), Module):
        raise AttributeError("`" + name + "` is not an nn.Module")
    setattr(parent, name, module)


def _owned(module, target):
    """(the submodule that has "a.b.name", name, the attribute)"""
    path, _, name = target.rpartition(".")
    owner = module.get_submodule(path)
    if not hasattr(owner, name):
        raise AttributeError(owner._get_name() + " has no attribute `" + name + "`")
    return owner, name, getattr(owner, name)


def get_parameter(self, target):
    """The parameter "a.b.name"."""
    _, name, value = _owned(self, target)
    if not isinstance(value, Parameter):
        raise AttributeError("`" + name + "` is not an nn.Parameter")
    return value


def get_buffer(self, target):
    """The buffer "a.b.name"."""
    owner, name, value = _owned(self, target)
    if name not in owner._buffers:
        raise AttributeError("`" + name + "` is not a buffer")
    return value


def module_dir(self):
    """dir(): what is registered, too."""
    names = chain(dir(type(self)), self.__dict__, self._parameters, self._modules, self._buffers)
    return sorted({n for n in names if not n[0].isdigit()})


# ------------------------------------------------------------------ text

def indented(text, spaces):
    """The text with all its lines but the first moved to the right."""
    first, *rest = text.split("\n")
    return "\n".join([first, *[" " * spaces + line for line in rest]])


def module_repr(self):
    """The class's name and, in parentheses, extra_repr() and the submodules, each on its line."""
    extra = self.extra_repr()
    lines = extra.split("\n") if extra else []
    children = [f"({name}): {indented(repr(module), 2)}" for name, module in self._modules.items()]
    if not children and len(lines) <= 1:
        return f"{self._get_name()}({extra})"
    if not lines and not children:
        return self._get_name() + "()"
    return self._get_name() + "(\n  " + "\n  ".join(lines + children) + "\n)"
