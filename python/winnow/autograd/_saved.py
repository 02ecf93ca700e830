"""What a custom function keeps for its backward: tensors with the version they had, or what hooks made of them.

A saved input is kept as it is. Of a saved result an alias without history is kept, since the result itself would keep its node
alive, and the node it. It gets a history anew when it is read: the function is recorded once more, on the alias, from the same
edges. Tensors that went through hooks are given up as well; only the edge is remembered where their gradient goes."""
from _thread import _local

from .. import _C
from .._recording import recording

FREED = ("Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). "
         "Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if "
         "you need to backward through the graph a second time or if you need to access saved tensors after calling backward.")
_CHANGED = ("one of the variables needed for gradient computation has been modified by an inplace operation: [{0} {1}]{2}, is at version "
            "{3}; expected version {4} instead. Hint: it was saved by {5} and changed afterwards; change a clone() of it.")
_PACK_CHANGED = ("A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook cannot be modified by "
                 "in-place operations as this can lead to unexpected side-effects. Please open an issue if you need to perform in-place "
                 "operations on the input to a pack hook.")


class _Hooks(_local):
    """This thread's stack of (pack, unpack), the last one in force, and why there may be none."""

    def __init__(self):
        self.stack, self.disabled = [], None


hooks = _Hooks()


class Edge:
    """Where a tensor's gradient goes: a node and the number of its result, or a leaf. The tensor itself may go meanwhile."""
    __slots__ = ("node", "number", "leaf")

    def __init__(self, tensor):
        self.node, self.number = tensor.grad_fn, tensor.output_nr
        self.leaf = tensor if self.node is None else None

    def attach(self, tensor):
        """An alias of a tensor whose gradient goes there."""
        if self.node is not None:
            return _C._reattach(tensor, self.node, self.number)
        tensor = tensor.detach()
        with recording(True):
            _C._record("Saved", (self.leaf,), (tensor,), None, _identity, None, (), ())
        return tensor

    def stand_in(self, shape, dtype):
        """A tensor of that shape, almost without memory, whose gradient goes there."""
        import winnow

        if self.node is None:
            return self.leaf
        with recording(False):
            return self.attach(winnow.zeros((), dtype=dtype).expand(shape))


def _identity(grad):
    return (grad,)


class SavedTensor:
    """One saved tensor. number: of the function's results which one it is; None when it is none of them."""
    __slots__ = ("kept", "version", "number", "unpack", "edge")

    def __init__(self, tensor, number):
        self.number, self.unpack, self.edge = number, None, None
        self.version = tensor._changes
        if not hooks.stack:
            self.kept = tensor if number is None else tensor.detach()
            return
        pack, self.unpack = hooks.stack[-1]
        with recording(False):
            self.kept = pack(tensor)
        if tensor._changes != self.version:
            raise RuntimeError(_PACK_CHANGED)
        if number is None and tensor.requires_grad:
            self.edge = Edge(tensor)

    def get(self, ctx):
        """The tensor with its history, for the backward of ctx."""
        t = self.kept
        if self.unpack is not None:
            with recording(False):
                t = self.unpack(t)
            if not isinstance(t, _C.Tensor):
                raise TypeError(f"Output of saved tensor unpack_hook expected to be a Tensor but got result of type {type(t).__name__}")
        elif t._changes != self.version:
            raise RuntimeError(_CHANGED.format(t.type(), list(t.shape), self._origin(ctx), t._changes, self.version, ctx.name()))
        if self.number is not None:
            t = t.detach()
            ctx._record_again(t, self.number)
        elif self.edge is not None:
            t = self.edge.attach(t)
        return t

    def _origin(self, ctx):
        """", which is output 0 of MulBackward0"; nothing for a leaf."""
        number, name = self.number, ctx.name()
        if number is None:
            if self.kept.grad_fn is None:
                return ""
            number, name = self.kept.output_nr, self.kept.grad_fn.name()
        return f", which is output {number} of {name}"
