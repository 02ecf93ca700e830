"""Methods of Tensor and of graph nodes that belong to autograd: backward, hooks."""
from _weakref import ref as _ref

from .. import _C
from ..utils.hooks import Slot, SlotHandle

Tensor = _C.Tensor


def _overridden(self, method, *args, **kwargs):
    """For subclasses: (True, result) when __torch_function__ answered."""
    if type(self) is Tensor:
        return False, None
    from ..overrides import handle_torch_function, has_torch_function

    if not has_torch_function((self,)):
        return False, None
    return True, handle_torch_function(method, (self,), self, *args, **kwargs)


def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    """Accumulates the gradient of this tensor into .grad of the leaves it was computed from (or of `inputs`)."""
    answered, result = _overridden(self, backward, gradient=gradient, retain_graph=retain_graph, create_graph=create_graph, inputs=inputs)
    if answered:
        return result
    from . import backward as run

    run(self, gradient, retain_graph, create_graph, inputs=inputs)


class _GradSlot(Slot):
    """A hook on a tensor's gradient, with PyTorch's checks of what it returns."""
    __slots__ = ()

    def __call__(self, grad):
        hook = self.hook
        if hook is None:
            return None
        result = hook(grad)
        if result is None:
            return None
        if not isinstance(result, Tensor):
            raise TypeError(f"expected Variable, but hook returned '{type(result).__name__}'")
        if result.dtype is not grad.dtype:
            raise RuntimeError(f"hook '{_name(hook)}' has changed the type of value (was {grad.type()} got {result.type()})")
        if result.shape != grad.shape:
            raise RuntimeError(f"hook '{_name(hook)}' has changed the size of value")
        return result


def _name(hook):
    return getattr(hook, "__name__", None) or "<unknown>"


def register_hook(self, hook):
    """Calls hook(grad) when the gradient of this tensor has been computed; what it returns (not None) takes its place."""
    answered, result = _overridden(self, register_hook, hook)
    if answered:
        return result
    if not self.requires_grad:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    slot = _GradSlot(hook)
    return SlotHandle(slot, self, (_C._register_hook(self, slot),), _C._remove_hook)


class _LeafSlot(Slot):
    __slots__ = ()

    def __call__(self, leaf):
        if self.hook is not None and self.hook(leaf) is not None:
            raise RuntimeError("Tensor post accumulate grad hooks should return None.")


def register_post_accumulate_grad_hook(self, hook):
    """Calls hook(self) each time after a backward has accumulated into .grad of this leaf."""
    answered, result = _overridden(self, register_post_accumulate_grad_hook, hook)
    if answered:
        return result
    if not self.requires_grad:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    if self.grad_fn is not None:
        raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
    slot = _LeafSlot(hook)
    return SlotHandle(slot, self, (_C._register_post_hook(self, slot),), _C._remove_hook)


# ------------------------------------------------------------------ nodes

class _NodeSlot(Slot):
    __slots__ = ()

    def __call__(self, *gradients):
        hook = self.hook
        if hook is None:
            return None
        result = hook(*gradients)
        if result is None:
            return None
        if not isinstance(result, tuple):
            raise TypeError(f"expected tuple, but hook returned '{type(result).__name__}'")
        if len(result) != len(gradients[0]):
            raise RuntimeError(f"hook '{_name(hook)}' has returned an incorrect number of values (got {len(result)}, but expected "
                               f"{len(gradients[0])})")
        return result


class _LeafNodeSlot(Slot):
    """A hook after AccumulateGrad: the engine calls it twice, with the leaf's gradient and when that has been accumulated. A gradient that becomes
    .grad is not held meanwhile, so that it need not be copied: the hook sees .grad, as in PyTorch."""
    __slots__ = ("leaf", "grad")

    def begin(self, grad):
        leaf = self.leaf()
        self.grad = grad if leaf is None or leaf.grad is not None else None

    def end(self, leaf):
        grad, self.grad = self.grad, None
        if self.hook is not None:
            self.hook((), (leaf.grad if grad is None else grad,))


def node_register_hook(self, fn):
    """Calls fn(grad_inputs, grad_outputs) after the node has run; a tuple that it returns takes the place of grad_inputs."""
    if _is_leaf(self):
        leaf, slot = self.variable, _LeafNodeSlot(fn)
        slot.leaf, slot.grad = _ref(leaf), None
        numbers = _C._accumulate_hook(leaf, slot.begin, True), _C._accumulate_hook(leaf, slot.end, False)
        return SlotHandle(slot, leaf, numbers, _C._remove_hook)
    slot = _NodeSlot(_of_function(self, fn, False))
    return SlotHandle(slot, self, (_C._node_register_hook(self, slot, False),), _C._node_remove_hook)


def node_register_prehook(self, fn):
    """Calls fn(grad_outputs) before the node runs; a tuple that it returns takes the place of grad_outputs."""
    if _is_leaf(self):
        leaf, slot = self.variable, _GradSlot(_of_one(fn))
        return SlotHandle(slot, leaf, (_C._accumulate_hook(leaf, slot, True),), _C._remove_hook)
    slot = _NodeSlot(_of_function(self, fn, True))
    return SlotHandle(slot, self, (_C._node_register_hook(self, slot, True),), _C._node_remove_hook)


def _of_function(node, fn, pre):
    """A hook of a Function's node, which sees a gradient for each of its results, None for those that are no tensors: the engine has only the tensors'."""
    ctx = node._ctx
    n, slots = getattr(ctx, "_nresults", 0), getattr(ctx, "_slots", ())
    if n == len(slots):
        return fn

    def spread(grads):
        whole = [None] * n
        for i, g in zip(slots, grads):
            whole[i] = g
        return tuple(whole)

    def prehook(grads):
        result = fn(spread(grads))
        return tuple([result[i] for i in slots]) if isinstance(result, tuple) and len(result) == n else result

    return prehook if pre else lambda grad_inputs, grad_outputs: fn(grad_inputs, spread(grad_outputs))


def _is_leaf(node):
    """Is it AccumulateGrad? The engine has no node there, only the leaf."""
    return hasattr(node, "variable")


def _of_one(fn):
    """A node's hook as a hook of its only gradient."""
    def hook(grad):
        result = fn((grad,))
        return None if result is None else result[0]

    return hook


class _Metadata(dict):
    """node.metadata. The engine keeps it as a hook that does nothing: so it lives as long as the node, whose Python object
    comes and goes."""
    __slots__ = ("__weakref__",)
    __call__ = lambda self, gradients: None


_metadata = None  # what _Metadata belongs to -> it, weakly


def _all_metadata():
    global _metadata
    if _metadata is None:
        from weakref import WeakValueDictionary

        _metadata = WeakValueDictionary()
    return _metadata


def metadata_of_new(number, contents):
    """That of a node which is being made (_C._note_nodes)."""
    made = _all_metadata()[number] = _Metadata(contents)
    return made


def node_metadata(self):
    """A dictionary for whatever one wants to note about the node."""
    leaf = self.variable if _is_leaf(self) else None
    key = self._sequence_nr() if leaf is None else ("leaf", id(leaf))
    found = _all_metadata().get(key)
    if found is None:
        found = _metadata[key] = _Metadata()
        if leaf is None:
            _C._node_register_hook(self, found, True)
        else:
            _C._register_hook(leaf, found)
    return found


def _node_attribute(self, name):
    """The node of a Function has the attributes of its ctx, which in PyTorch is the node. _saved_other: what is kept of the argument other."""
    ctx = None if name[:2] == "__" else self._ctx
    if ctx is None:
        if name[:7] == "_saved_":
            try:
                return self._saved(name[7:])
            except KeyError:
                pass
        raise AttributeError(f"'{self.name()}' object has no attribute '{name}'")
    return getattr(ctx, name)


def install():
    """Gives the engine's node type its methods."""
    node = _C.Node
    node.register_hook, node.register_prehook = node_register_hook, node_register_prehook
    node.metadata = property(node_metadata)
    node.__getattr__ = _node_attribute


install()
