"""Small helpers of layers: one number for several dimensions, names of saved tensors."""

__all__ = ["consume_prefix_in_state_dict_if_present"]


def _ntuple(n, name="parse"):
    """A function that makes a number into n of it and an iterable into a tuple."""
    def parse(x):
        if hasattr(x, "__iter__"):
            return tuple(x)
        return (x,) * n

    parse.__name__ = name
    return parse


_single, _pair, _triple, _quadruple = (_ntuple(n, name) for n, name in ((1, "_single"), (2, "_pair"), (3, "_triple"), (4, "_quadruple")))


def _reverse_repeat_tuple(t, n):
    """Paddings by dimension as F.pad wants them: the last dimension first, each n times."""
    return tuple([x for x in reversed(t) for _ in range(n)])


def _list_with_default(out_size, defaults):
    """out_size with its Nones filled from the end of defaults."""
    if isinstance(out_size, int):
        return out_size
    if len(defaults) <= len(out_size):
        raise ValueError(f"Input dimension should be at least {len(out_size) + 1}")
    return [d if v is None else v for v, d in zip(out_size, defaults[-len(out_size):])]


def consume_prefix_in_state_dict_if_present(state_dict, prefix):
    """Takes a prefix ("module.") off the names of a state_dict, in place."""
    for key in list(state_dict.keys()):
        if key.startswith(prefix):
            state_dict[key[len(prefix):]] = state_dict.pop(key)
    metadata = getattr(state_dict, "_metadata", None)
    if metadata is None:
        return
    for key in list(metadata.keys()):
        if len(key) and (key == prefix.replace(".", "") or key.startswith(prefix)):
            metadata[key[len(prefix):]] = metadata.pop(key)
