"""Backward hooks of modules. A module is no node of the graph, so one is put around it on either side: an identity over its inputs,
whose gradients are grad_input, and one over its outputs, whose gradients are grad_output."""
from warnings import warn

from ..._construct import Tensor
from ..._C import is_grad_enabled
from ...autograd.function import Function


class BackwardHookFunction(Function):
    """The identity, as a node of its own."""

    @staticmethod
    def forward(ctx, *tensors):
        ctx.mark_non_differentiable(*[t for t in tensors if not t.requires_grad])
        return tensors

    @staticmethod
    def backward(ctx, *grads):
        return grads


def _through_identity(values):
    """The values with their tensors behind one node; (values, node, places of the tensors), node None where nothing needs a gradient."""
    places = [i for i, v in enumerate(values) if isinstance(v, Tensor)]
    if not (is_grad_enabled() and any([values[i].requires_grad for i in places])):
        return values, None, None
    tensors = BackwardHookFunction.apply(*[values[i] for i in places])
    node = next(t.grad_fn for t in tensors if t.grad_fn is not None)
    new = list(values)
    for i, t in zip(places, tensors):
        new[i] = t
    return tuple(new), node, places


def _spread(places, gradients, n):
    """The gradients at the places of their tensors among n values, None elsewhere."""
    all_of_them = [None] * n
    for i, g in zip(places, gradients):
        all_of_them[i] = g
    return tuple(all_of_them)


def _answered(answer, grads, whose, what):
    """What a hook has made of the gradients: they stay where it answers None."""
    if answer is None:
        return grads
    answer = answer if isinstance(answer, (tuple, list)) else (answer,)
    if len(answer) != len(grads):
        raise RuntimeError(f"{whose} returned an invalid number of {what}, got {len(answer)}, but expected {len(grads)}")
    return answer


class BackwardHooks:
    """The backward hooks of one call of a module: hooks(module, grad_input, grad_output) and pre_hooks(module, grad_output)."""

    def __init__(self, module, hooks, pre_hooks):
        self.module, self.hooks, self.pre_hooks = module, hooks, pre_hooks
        self.grad_outputs = None  # between the two nodes of one backward
        self.in_places = self.out_places = None
        self.n_in = self.n_out = -1

    def take_inputs(self, args):
        """The arguments for forward."""
        self.n_in = len(args)
        args, node, self.in_places = _through_identity(args)
        if node is not None:
            node.register_hook(self._inputs_done)
        return args

    def take_outputs(self, result):
        """The result for the caller."""
        several = isinstance(result, tuple)
        values = result if several else (result,)
        self.n_out = len(values)
        values, node, self.out_places = _through_identity(values)
        if node is None:
            return result
        node.register_prehook(self._outputs_known)
        if not several:
            return values[0]
        return values if type(result) is tuple else _same_kind(result, values)

    def _outputs_known(self, gradients):
        """The engine has the gradients of the outputs."""
        grads = _spread(self.out_places, gradients, self.n_out)
        for hook in self.pre_hooks:
            grads = _answered(hook(self.module, grads), grads, "Backward pre hook", "grad_output")
        self.grad_outputs = grads
        if self.in_places is None:  # no input needs a gradient: this is all there will be
            self._without_inputs()
        return tuple([grads[i] for i in self.out_places])

    def _without_inputs(self):
        if self.hooks:
            warn("Full backward hook is firing when gradients are computed with respect to module outputs since no inputs require gradients. See "
                 "https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.register_full_backward_hook for more details.",
                 stacklevel=5)
        nothing = (None,) * self.n_in
        for hook in self.hooks:
            answer = hook(self.module, nothing, self.grad_outputs)
            if answer is not None and not (isinstance(answer, tuple) and all([a is None for a in answer])):
                raise RuntimeError("Backward hook for Modules where no input requires gradient should always return None or None for all gradients.")
        self.grad_outputs = None

    def _inputs_done(self, gradients, _):
        """The engine has the gradients of the inputs."""
        if self.grad_outputs is None:  # the outputs took no part in this backward
            return None
        grads = _spread(self.in_places, gradients, self.n_in)
        for hook in self.hooks:
            grads = _answered(hook(self.module, grads, self.grad_outputs), grads, "Backward hook", "grad_input")
        self.grad_outputs = None
        return tuple([grads[i] for i in self.in_places])


def _same_kind(result, values):
    """A named tuple stays one."""
    return type(result)._make(values) if hasattr(result, "_make") else type(result)(values)


class NodeHook:
    """An old backward hook on a node: hook(module, grad_input, grad_output). It does not keep the module alive."""

    def __init__(self, hook, module):
        from weakref import ref

        self.hook, self.module = hook, ref(module)
        self.__name__ = getattr(hook, "__name__", "hook")

    def __call__(self, grad_input, grad_output):
        module = self.module()
        if module is None:
            raise RuntimeError("You are trying to call the hook of a dead Module!")
        answer = self.hook(module, grad_input, grad_output)
        return answer if answer is None or isinstance(answer, tuple) else (answer,)


_OLD = "is deprecated and will be removed in future versions. This hook will be missing some"


def warn_about_old_hook(args, result, node):
    """Says where an old backward hook sees less than its name promises."""
    text = None
    if not isinstance(result, Tensor):
        if not (isinstance(result, tuple) and all([isinstance(r, Tensor) for r in result])):
            text = f"on a Module that does not return a single Tensor or a tuple of Tensors {_OLD} of the grad_output."
        elif len({r.grad_fn for r in result}) > 1:
            text = f"on a Module with multiple outputs {_OLD} grad_output."
    if text is None and not all([isinstance(a, Tensor) for a in args]):
        text = f"on a Module that does not take as input a single Tensor or a tuple of Tensors {_OLD} of the grad_input."
    if text is None:
        before = {n for n, _ in node.next_functions if n is not None}
        if before != {a.grad_fn for a in args if a.grad_fn is not None}:
            text = f"when the forward contains multiple autograd Nodes {_OLD} grad_input."
    if text is not None:
        warn(f"Using a non-full backward hook {text} Please use register_full_backward_hook to get the documented behavior.", FutureWarning,
             stacklevel=2)
