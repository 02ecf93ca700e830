"""Which backwards are running, for hooks that must know: what else will the backward that called me compute?"""
from _thread import _local, get_ident
from _weakref import ref as _ref

from .. import _C

_calling = set()  # threads whose callbacks are running
callbacks = []  # of the backwards under way: what is to be called when the outermost has ended
asking = [0]  # how many hooks are alive that ask (and one more under anomaly detection): at 0 backward keeps no record


class _Running(_local):
    def __init__(self):
        self.tasks = []


running = _Running()


def _key(node):
    """What tells nodes apart without keeping them: a hook that kept its node would keep itself. AccumulateGrad: its leaf."""
    return (id(node.variable),) if hasattr(node, "variable") else node._sequence_nr()


def queue_callback(f):
    """Calls f() when the backward that runs now (the outermost, of several) has ended."""
    if _C._graph_task() is None and get_ident() not in _calling:
        raise RuntimeError("Final callbacks can only be installed during backward pass.")
    callbacks.append((get_ident(), f))


def call_back():
    """After a backward: this thread's callbacks in order, and those that they add; if it was the outermost."""
    if _C._graph_task() is not None:
        return
    thread = get_ident()
    _calling.add(thread)
    try:
        for owner, f in callbacks:  # the list may grow meanwhile
            if owner == thread:
                f()
    finally:
        _calling.discard(thread)
        forget_callbacks()


def forget_callbacks():
    """The outermost backward of this thread has ended, or failed."""
    if callbacks and _C._graph_task() is None:
        thread = get_ident()
        callbacks[:] = [(owner, f) for owner, f in callbacks if owner != thread]


class Task:
    """One backward: the nodes that it is to run (all behind its roots, or those that lead to the given inputs)."""

    def __init__(self, roots, inputs):
        self.roots, self.inputs = roots, inputs

    def __enter__(self):
        from .graph import node_of, reachable

        nodes = reachable([node_of(t) for t in self.roots])
        self.runs = {_key(n) for n in nodes}
        if self.inputs is not None:
            self.runs = _leading_to(nodes, {_key(node_of(t)) for t in self.inputs})
        self.gradients = {}  # hook -> [how many are still to come, the gradients]
        running.tasks.append(self)

    def __exit__(self, *exc):
        running.tasks.pop()


def _leading_to(nodes, goals):
    """The keys of the nodes from which one of the goals can be reached, the goals included."""
    consumers = {}
    for n in nodes:
        for m, _ in n.next_functions:
            if m is not None:
                consumers.setdefault(_key(m), []).append(_key(n))
    found, waiting = set(), list(goals)
    while waiting:
        key = waiting.pop()
        if key not in found:
            found.add(key)
            waiting.extend(consumers.get(key, ()))
    return found


class _Asking:
    """A hook that asks for the running task; counted as long as it lives."""

    def __init__(self, fn):
        self.fn, self.count = fn, asking
        asking[0] += 1

    def __del__(self):
        self.count[0] -= 1


class AnyHook(_Asking):
    """Calls fn at the first gradient of each backward."""

    def __call__(self, grad):
        gradients = running.tasks[-1].gradients
        if self not in gradients:
            gradients[self] = None
            self.fn(grad)


class AllHook(_Asking):
    """Collects the gradients of one backward and calls fn with them when all that will come have come."""

    def __init__(self, fn, tensors):
        super().__init__(fn)
        self.nodes = [t.grad_fn._sequence_nr() if t.grad_fn is not None else _ref(t) for t in tensors]

    def _coming(self, runs):
        """How many of the tensors' gradients a task will compute."""
        return sum([((id(n()),) if isinstance(n, _ref) else n) in runs for n in self.nodes])

    def part(self, index):
        """The hook of one of the tensors."""
        def hook(grad):
            task = running.tasks[-1]
            if self not in task.gradients:
                task.gradients[self] = [self._coming(task.runs), [None] * len(self.nodes)]
            state = task.gradients[self]
            state[0] -= 1
            state[1][index] = grad
            if state[0] == 0:
                del task.gradients[self]
                self.fn(state[1])

        return hook
