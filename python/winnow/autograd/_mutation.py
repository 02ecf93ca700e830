"""allow_mutation_on_saved_tensors: what operations save for backward may be changed in place afterwards.

PyTorch copies a saved tensor when somebody changes it. Here a copy is made when it is saved, one for each version of a tensor."""
from weakref import WeakSet, WeakValueDictionary

_OUTSIDE = ("Trying to backward outside of the 'allow_mutation_on_saved_tensors' context in which the graph was originally recorded.")
_active = []


class _Kept:
    """One version of a saved tensor."""
    __slots__ = ("copy", "alias", "version", "__weakref__")

    def __init__(self, tensor):
        self.copy, self.alias, self.version = tensor.clone(), tensor, tensor._changes


class _Context:
    """What the context gives: `cloned` are the versions that are kept although the tensor has another one by now."""

    def __init__(self):
        self.tid_to_weakhandle, self._all = WeakValueDictionary(), WeakSet()

    @property
    def cloned(self):
        return {id(k): k.copy for k in self._all if k.alias._changes != k.version}

    def pack(self, tensor):
        key = (tensor.data_ptr(), tensor.shape, tensor.stride(), tensor.dtype, tensor._changes)
        kept = self.tid_to_weakhandle.get(key)
        if kept is None:
            kept = self.tid_to_weakhandle[key] = _Kept(tensor)
            self._all.add(kept)
        return kept

    def unpack(self, kept):
        if not _active or _active[-1] is not self:
            raise AssertionError(_OUTSIDE)
        return kept.copy

    def clear(self):
        """Forgets what it knows of the versions that are kept."""
        self.tid_to_weakhandle.clear()
        self._all.clear()


class allow_mutation_on_saved_tensors:
    """Context in which tensors that operations have saved for backward may be changed in place; backward must run within it, too."""

    def __enter__(self):
        from .graph import saved_tensors_hooks

        if _active:
            raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
        context = _Context()
        self._hooks = saved_tensors_hooks(context.pack, context.unpack)
        self._hooks.__enter__()
        _active.append(context)
        return context

    def __exit__(self, *exc):
        _active.pop().clear()
        self._hooks.__exit__(*exc)
