"""RemovableHandle: what registering a hook returns. remove() takes the hook away again; so does the end of a `with`."""
from _weakref import ref as _ref
from collections import OrderedDict

__all__ = ["RemovableHandle"]


class RemovableHandle:
    """Removes entry `id` from an OrderedDict of hooks (a dict cannot be referred to weakly), and from others kept beside it."""
    next_id = 0

    def __init__(self, hooks_dict, *, extra_dict=None):
        self.hooks_dict_ref = _ref(hooks_dict)
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1
        if isinstance(extra_dict, dict):
            extra_dict = [extra_dict]
        self.extra_dict_ref = tuple(_ref(d) for d in extra_dict or ())

    def remove(self):
        for reference in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = reference()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __getstate__(self):
        return (self.hooks_dict_ref(), self.id, tuple(reference() for reference in self.extra_dict_ref))

    def __setstate__(self, state):
        hooks = state[0] if state[0] is not None else OrderedDict()  # which dies at once: a handle of nothing
        self.hooks_dict_ref = _ref(hooks)
        self.id = state[1]
        self.extra_dict_ref = tuple(_ref(d) for d in state[2] if d is not None) if len(state) > 2 else ()
        RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)

    __enter__ = lambda self: self

    def __exit__(self, exc_type, exc_value, traceback):
        self.remove()


def register(hooks, hook, *marks, prepend=False):
    """Puts the hook into its dictionary and its number into those of `marks` that are given. Returns the handle."""
    marks = [m for m in marks if m is not None]
    handle = RemovableHandle(hooks, extra_dict=marks)
    hooks[handle.id] = hook
    for m in marks:
        m[handle.id] = True
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def hook_of(module, kind, name, attribute="name"):
    """(number, hook) of the module's hook before forward that is of the kind and for the parameter of that name, or None."""
    for number, hook in module._forward_pre_hooks.items():
        if isinstance(hook, kind) and getattr(hook, attribute) == name:
            return number, hook
    return None


class Slot:
    """The engine's side of a hook: calls it as long as its handle has not removed it. The engine may keep the slot longer than
    the hook is wanted (while a backward runs through it), so removing empties the slot."""
    __slots__ = ("hook", "__weakref__")

    def __init__(self, hook):
        self.hook = hook


class SlotHandle(RemovableHandle):
    """The handle of a hook that the engine keeps on an owner (a tensor, a node): forget(owner or None, number) takes it
    off."""

    def __init__(self, slot, owner, numbers, forget):
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1
        self._slot, self._owner, self._numbers, self._forget = _ref(slot), _ref(owner), numbers, forget

    def remove(self):
        slot = self._slot()
        if slot is None or slot.hook is None:
            return
        slot.hook = None
        for number in self._numbers:
            self._forget(self._owner(), number)

    def __reduce__(self):
        return (_handle_of_nothing, ())  # copies and pickles of a tensor have none of its hooks


def _handle_of_nothing():
    handle = object.__new__(SlotHandle)
    handle.id = -1
    handle._slot = _nothing
    return handle


def _nothing():
    return None
