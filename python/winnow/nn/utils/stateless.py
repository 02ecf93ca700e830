"""functional_call: a module called with other parameters than its own."""
from warnings import warn

__all__ = ["functional_call"]


def _places(module):
    """name -> (dictionary, key) of every parameter and buffer, shared ones under each of their names."""
    found = {}
    for path, m in module.named_modules(remove_duplicate=False):
        for members in (m._parameters, m._buffers):
            for key in members:
                found[f"{path}.{key}" if path else key] = (members, key)
    return found


def _untied(places, given):
    """given and, for tensors that have several names of which one is given, the others."""
    names = {}
    for name, (members, key) in places.items():
        if members[key] is not None:
            names.setdefault(id(members[key]), []).append(name)
    whole = dict(given)
    for group in names.values():
        values = [given[n] for n in group if n in given]
        if not values:
            continue
        if any([v is not values[0] for v in values]):
            raise ValueError(f"functional_call got multiple values for keys {sorted(n for n in group if n in given)}, which are tied. Consider using "
                             "tie_weights=False")
        whole.update(dict.fromkeys(group, values[0]))
    return whole


def _check_names(module, places, given):
    missing = [n for n in places if n not in given and places[n][0][places[n][1]] is not None]
    unexpected = [n for n in given if n not in places]
    texts = [f"{what} key(s): {', '.join(map(repr, names))}." for what, names in (("Unexpected", unexpected), ("Missing", missing)) if names]
    if texts:
        raise RuntimeError("Error(s) in reparametrizing for {}:\n\t{}".format(module._get_name(), "\n\t".join(texts)))


def _functional_call(module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False):
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    places = _places(module)
    given = _untied(places, parameters_and_buffers) if tie_weights else parameters_and_buffers
    if strict:
        _check_names(module, places, given)
    before = []
    try:
        for name, tensor in given.items():
            if name in places:
                members, key = places[name]
                before.append((name, members, key, members[key]))
                members[key] = tensor
            elif not strict:
                _missing(module, name)
        return module(*args, **(kwargs or {}))
    finally:
        for name, members, key, old in reversed(before):
            if name in parameters_and_buffers and key in members:
                parameters_and_buffers[name] = members[key]  # what the module has put in its place
            members[key] = old


def _missing(module, name):
    """Names that the module has not are an error, as they are for getattr."""
    path, _, key = name.rpartition(".")
    owner = module.get_submodule(path)
    raise AttributeError(f"{owner._get_name()} has no attribute `{key}`" if not hasattr(owner, key) else f"{name} is not a parameter or buffer of the module")


def functional_call(module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """torch.func.functional_call under its old name."""
    warn("`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 and will be removed in a future version of PyTorch. Please "
         "use `torch.func.functional_call` instead which is a drop-in replacement.", FutureWarning, stacklevel=2)
    return _functional_call(module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict)


def func_functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """Calls the module with the tensors of a dictionary (or of several) in place of its parameters and buffers."""
    given = parameter_and_buffer_dicts
    if not isinstance(given, dict):
        if not isinstance(given, (list, tuple)):
            raise ValueError(f"Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got {type(given)}")
        if not all([isinstance(d, dict) for d in given]):
            raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
        names = [k for d in given for k in d]
        again = sorted({k for k in names if names.count(k) > 1})
        if again:
            raise ValueError(f"{again} appeared in multiple dictionaries; behavior of functional call is ambiguous")
        given = {k: v for d in given for k, v in d.items()}
    return _functional_call(module, given, args, kwargs, tie_weights=tie_weights, strict=strict)


func_functional_call.__name__ = func_functional_call.__qualname__ = "functional_call"
