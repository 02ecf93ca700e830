"""torch._C._functions and torch._C._autograd, as far as programs name them: kinds of nodes, questions about the backward that runs."""
from types import SimpleNamespace

from . import _C


class _KindOfNode(type):
    """isinstance asks for a node of that name."""

    __instancecheck__ = lambda cls, x: isinstance(x, _C.Node) and type(x).__name__ == cls.__name__


class AccumulateGrad(metaclass=_KindOfNode):
    """What the graph ends with at a leaf: isinstance(grad_fn, torch._C._functions.AccumulateGrad)."""


def _barrier(name, backward):
    """A function of one tensor: an alias, with a node of that name."""
    def alias(tensor):
        made = tensor.detach()
        if _C.is_grad_enabled() and tensor.requires_grad:
            _C._record(name, (tensor,), (made,), None, backward, None, (), ())
        return made

    return alias


class UndefinedGrad:
    """UndefinedGrad()(tensor) is an alias of it that hands no gradient on."""

    __call__ = staticmethod(_barrier("UndefinedGrad", lambda grad: (None,)))


class DelayedError:
    """DelayedError(text, count)(tensor) is an alias of it; a backward through that raises the text."""

    def __init__(self, msg, num_inputs):
        self.msg = msg

    def __call__(self, tensor):
        def backward(grad):
            raise RuntimeError(self.msg)

        return _barrier("DelayedError", backward)(tensor)


class _WeakTensorRef:
    """A weak reference to a tensor: has it expired?"""

    def __init__(self, tensor):
        from weakref import ref

        self._ref = ref(tensor)

    def expired(self):
        return self._ref() is None


def _current_graph_task_id():
    task = _C._graph_task()
    return -1 if task is None else task[0]


def _keeps_graph():
    task = _C._graph_task()
    return task is not None and task[1]


def _saved_hooks_enabled():
    from .autograd._saved import hooks

    return hooks.disabled is None


def _deterministic():
    from .utils import deterministic

    return deterministic


def _set_fill(mode):
    _deterministic().fill_uninitialized_memory = mode


def install():
    """Sets them in the extension module, which is torch._C."""
    _C._functions = SimpleNamespace(AccumulateGrad=AccumulateGrad, UndefinedGrad=UndefinedGrad, DelayedError=DelayedError)
    _C._autograd = SimpleNamespace(_get_current_graph_task_keep_graph=_keeps_graph, _saved_tensors_hooks_is_enabled=_saved_hooks_enabled)
    _C._get_deterministic_fill_uninitialized_memory = lambda: _deterministic().fill_uninitialized_memory
    _C._set_deterministic_fill_uninitialized_memory = _set_fill
    _C._WeakTensorRef = _WeakTensorRef
    _C._current_graph_task_id = _current_graph_task_id
