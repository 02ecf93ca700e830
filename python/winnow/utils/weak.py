"""Weak references by identity: tensors compare by element, so that they cannot be keys of ordinary weak dictionaries."""
import weakref
from collections.abc import MutableMapping

__all__ = ["TensorWeakRef", "WeakIdRef", "WeakIdKeyDictionary", "WeakTensorKeyDictionary"]


class WeakIdRef(weakref.ref):
    """Equal to another one of the same object, hashed by its id."""
    __slots__ = ("_id",)

    def __init__(self, key, callback=None):
        super().__init__(key, callback)
        self._id = id(key)

    def __hash__(self):
        return self._id

    def __eq__(self, other):
        a, b = self(), other() if isinstance(other, weakref.ref) else None
        return a is b if a is not None and b is not None else self is other


class WeakIdKeyDictionary(MutableMapping):
    """A dictionary whose keys are objects held weakly and told apart by identity."""

    def __init__(self, dict=None, ref_type=WeakIdRef):
        self.data, self.ref_type = {}, ref_type
        for key, value in (dict or {}).items():
            self[key] = value

    def _ref(self, key):
        data = weakref.ref(self)

        def gone(reference):
            alive = data()
            if alive is not None:
                alive.data.pop(reference, None)
        return self.ref_type(key, gone)

    __getitem__ = lambda self, key: self.data[self.ref_type(key)]

    def __setitem__(self, key, value):
        self.data[self._ref(key)] = value

    def __delitem__(self, key):
        del self.data[self.ref_type(key)]

    def __iter__(self):
        for reference in list(self.data):
            key = reference()
            if key is not None:
                yield key

    __len__ = lambda self: sum(reference() is not None for reference in list(self.data))

    def __contains__(self, key):
        try:
            return self.ref_type(key) in self.data
        except TypeError:
            return False

    def __repr__(self):
        return f"<{type(self).__name__} at {id(self):#x}>"


WeakTensorKeyDictionary = WeakIdKeyDictionary


class TensorWeakRef:
    """A weak reference to a tensor; called, the tensor or None."""

    def __init__(self, tensor):
        self.ref = weakref.ref(tensor)

    __call__ = lambda self: self.ref()
