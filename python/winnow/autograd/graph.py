"""The recorded graph: nodes, edges, hooks on what is saved and on several gradients at once."""
import winnow
from .. import _C
from .._recording import inside, recording
from ..utils.hooks import RemovableHandle
from ._mutation import allow_mutation_on_saved_tensors
from ._saved import Edge, hooks as _hooks

__all__ = ["saved_tensors_hooks", "save_on_cpu", "disable_saved_tensors_hooks", "register_multi_grad_hook", "Node", "GradientEdge",
           "get_gradient_edge", "increment_version", "allow_mutation_on_saved_tensors"]

Node = _C.Node


def reachable(nodes):
    """All nodes that a backward from these could run, each once, AccumulateGrad included."""
    found, waiting = {}, list(nodes)
    while waiting:
        node = waiting.pop()
        if node is None or id(node) in found:
            continue
        found[id(node)] = node  # kept, so that the id stays its own
        waiting.extend([n for n, _ in node.next_functions])
    return list(found.values())


def node_of(tensor):
    """The node that gets the gradient of a tensor: its grad_fn, or what accumulates into a leaf."""
    if isinstance(tensor, GradientEdge):
        return tensor.node
    if tensor.grad_fn is not None or not tensor.requires_grad:
        return tensor.grad_fn
    with recording(True):
        return tensor.view(tensor.shape).grad_fn.next_functions[0][0]


class GradientEdge(tuple):
    """Where the gradient of a tensor goes: (node, output_nr). The tensor itself need not be kept."""
    _fields = ("node", "output_nr", "ownership_token")
    _edge = None  # for the engine, of an edge that get_gradient_edge made: with the tensor's shape and dtype

    def __new__(cls, node, output_nr, ownership_token=None):
        return tuple.__new__(cls, (node, output_nr, ownership_token))

    node = property(lambda self: self[0])
    output_nr = property(lambda self: self[1])
    ownership_token = property(lambda self: self[2])

    def __repr__(self):
        return f"GradientEdge(node={self.node}, output_nr={self.output_nr}, ownership_token={self.ownership_token})"


def get_gradient_edge(tensor):
    """The edge of a tensor; grad() and backward() take it in place of the tensor."""
    if not tensor.requires_grad:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    edge = GradientEdge(node_of(tensor), tensor.output_nr)
    edge._edge = Edge(tensor), tensor.shape, tensor.dtype
    return edge


def tensor_of_edge(edge, like=None):
    """A tensor whose gradient goes along the edge: the engine wants tensors. Of an edge that only names a node it is of the shape of like, its gradient,
    or of one element."""
    if edge._edge is not None:
        e, shape, dtype = edge._edge
        return e.stand_in(shape, dtype)
    if hasattr(edge.node, "variable"):
        return edge.node.variable
    with recording(False):
        one = winnow.zeros((), dtype=None if like is None else like.dtype)
        return _C._reattach(one if like is None else one.expand(like.shape), edge.node, edge.output_nr)


def increment_version(tensor):
    """Notes that the memory of a tensor (or of several) was changed behind winnow's back."""
    with recording(False):
        for t in (tensor,) if isinstance(tensor, _C.Tensor) else tensor:
            if not t.is_inference():
                _C._record("", (t,), (t,), None, None, None, (), (0,))  # nothing is recorded but the change


# ------------------------------------------------------------------ saved tensors

class saved_tensors_hooks:
    """Context in which what operations save for backward goes through pack_hook, and through unpack_hook when it is needed."""

    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self):
        if _hooks.disabled is not None:
            raise RuntimeError(_hooks.disabled)
        _C._push_saved_hooks(self.pack_hook, self.unpack_hook)
        _hooks.stack.append((self.pack_hook, self.unpack_hook))

    def __exit__(self, *exc):
        if _hooks.stack:
            _hooks.stack.pop()
        _C._pop_saved_hooks()


class save_on_cpu(saved_tensors_hooks):
    """Context in which saved tensors are kept on the CPU: where winnow's are anyway."""

    def __init__(self, pin_memory=False, device_type="cuda"):
        super().__init__(lambda tensor: (tensor.device, tensor.cpu()), lambda packed: packed[1].to(packed[0]))


class disable_saved_tensors_hooks:
    """Context in which hooks on saved tensors are an error with this message."""

    def __init__(self, error_message):
        self.error_message = error_message

    def __enter__(self):
        if _hooks.stack:
            raise RuntimeError(self.error_message)
        self.previous, _hooks.disabled = _hooks.disabled, self.error_message

    def __exit__(self, *exc):
        _hooks.disabled = self.previous

    def __call__(self, function):
        return inside(lambda: disable_saved_tensors_hooks(self.error_message), function)


# ------------------------------------------------------------------ one hook for several tensors

class _MultiHandle(RemovableHandle):
    """The handle of several hooks."""

    def __init__(self, handles):
        self.handles = handles

    def remove(self):
        for handle in self.handles:
            handle.remove()

    __getstate__ = lambda self: self.handles

    def __setstate__(self, state):
        self.handles = state


def register_multi_grad_hook(tensors, fn, *, mode="all"):
    """mode "all": calls fn(list of gradients) once a backward has computed the gradients of all the tensors that take part in it
    (None for the others). "any": calls fn(gradient) at the first one."""
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of {('all', 'any')} but got {mode}")
    from ._tasks import AllHook, AnyHook

    if mode == "any":
        hook = AnyHook(fn)
        return _MultiHandle(tuple([t.register_hook(hook) for t in tensors if t.requires_grad]))
    tensors = list(tensors)
    hook = AllHook(fn, tensors)
    return _MultiHandle(tuple([t.register_hook(hook.part(i)) for i, t in enumerate(tensors)]))
