"""Gradients: backward, grad, and what switches recording. What is seldom used is imported when it is asked for."""
import warnings

import winnow
from .. import _C
from . import _tasks, _tensor_methods, grad_mode
from .function import Function
from .gradcheck import gradcheck, gradgradcheck  # the function hides the module of that name, as in PyTorch
from .grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from .variable import Variable

__all__ = ["Variable", "Function", "backward", "grad_mode", "detect_anomaly", "enable_grad", "grad", "gradcheck", "gradgradcheck",
           "inference_mode", "no_grad", "set_detect_anomaly", "set_grad_enabled"]

Tensor = _C.Tensor


def _is_edge(x):
    return type(x).__name__ == "GradientEdge"


def _tensors(x, function, argument, gradients=None):
    """A tensor, an edge, a dictionary or a sequence of them as a tuple of tensors. gradients: what is given for each, from which an edge takes its shape."""
    if isinstance(x, Tensor) or _is_edge(x) or hasattr(x, "__torch_function__"):
        x = (x,)
    elif type(x) is dict:
        x = tuple(x.values())
    elif hasattr(x, "keys"):
        raise TypeError(f"`{argument}` argument to `{function}()` must be a dict, not {type(x).__name__}. Other Mapping types are not "
                        "supported.")
    else:
        x = tuple(x)
    if any([_is_edge(t) for t in x]):
        from .graph import tensor_of_edge

        x = tuple([tensor_of_edge(t, like) if _is_edge(t) else t for t, like in zip(x, _beside(x, gradients))])
    return x


def _beside(tensors, gradients):
    """The gradient given for each of the tensors, or None."""
    given = (gradients,) if isinstance(gradients, Tensor) else tuple(gradients or ())
    return given if len(given) == len(tensors) else (None,) * len(tensors)


def _gradients(outputs, given, batched=False):
    """The cotangent of each output: as given and checked, ones for an output of one element, None for one without gradient."""
    if given is None:
        given = (None,) * len(outputs)
    elif isinstance(given, Tensor):
        given = (given,)
    else:
        given = tuple(given)
    made = []
    for i, (out, g) in enumerate(zip(outputs, given)):
        if not isinstance(out, Tensor):
            raise AssertionError("Expected output to be a torch.Tensor")
        if g is None:
            if out.requires_grad and out.numel() != 1:  # else the engine begins with 1
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
        elif not isinstance(g, Tensor):
            raise TypeError(f"gradients can be either Tensors or None, but got {type(g).__name__}")
        else:
            _check_shape(i, out, g, batched)
            if g.dtype is not out.dtype and out.dtype.is_floating_point:
                g = g.to(out.dtype)
        made.append(g)
    if len(given) != len(outputs):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(given)} gradients")
    for i, out in enumerate(outputs):
        if not out.requires_grad:
            raise RuntimeError(f"element {i} of tensors does not require grad and does not have a grad_fn")
    return tuple(made)


def _check_shape(i, out, g, batched):
    shape = g.shape[1:] if batched else g.shape
    if shape == out.shape and not (batched and g.dim() == 0):
        return
    if batched:
        raise RuntimeError("If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. The sizes "
                           "of the remaining dimensions are expected to match the shape of corresponding output, but a mismatch was "
                           f"detected: grad_output[{i}] has a shape of {g.shape} and output[{i}] has a shape of {out.shape}. If you only "
                           "want some tensors in `grad_output` to be considered batched, consider using vmap.")
    raise RuntimeError(f"Mismatch in shape: grad_output[{i}] has a shape of {g.shape} and output[{i}] has a shape of {out.shape}.")


def _overridden(function, tensors, *args, **kwargs):
    """(True, result) when the __torch_function__ of one of the tensors answered."""
    for t in tensors:
        if type(t) is not Tensor:
            from ..overrides import handle_torch_function, has_torch_function

            if has_torch_function(tensors):
                return True, handle_torch_function(function, tensors, *args, **kwargs)
            break
    return False, None


def _watched(run, roots, inputs):
    """Runs a backward that somebody watches: anomaly detection, or hooks that ask what else it will compute."""
    from .anomaly_mode import watched

    with watched(roots), _tasks.Task(roots, inputs):
        return _run(run)


def _run(backward, *args):
    """A backward, and what it asked to be called after it."""
    try:
        result = backward(*args)
    except BaseException:
        _tasks.forget_callbacks()
        raise
    if _tasks.callbacks:
        _tasks.call_back()
    return result


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None):
    """Accumulates the sum of the tensors' gradients into .grad of the leaves behind them (or of `inputs` alone).

    grad_tensors: what each tensor's gradient begins with; ones for a tensor of one element when absent."""
    if grad_variables is not None:
        warnings.warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=2)
        if grad_tensors is not None:
            raise RuntimeError("`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only use "
                               "`grad_tensors`.")
        grad_tensors = grad_variables
    if inputs is not None:
        inputs = _tensors(inputs, "backward", "inputs")
        if not inputs:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    tensors = _tensors(tensors, "backward", "tensors", grad_tensors)
    answered, result = _overridden(backward, tensors + (inputs or ()), tensors, grad_tensors=grad_tensors, retain_graph=retain_graph,
                                   create_graph=create_graph, inputs=inputs)
    if answered:
        return result
    if create_graph:
        from .._warn import warn_once

        warn_once(_CYCLE, stacklevel=3)
    grads = _gradients(tensors, grad_tensors)
    retain = create_graph if retain_graph is None else retain_graph
    if _tasks.asking[0]:
        return _watched(lambda: _C._backward(tensors, grads, retain, create_graph, inputs), tensors, inputs)
    _run(_C._backward, tensors, grads, retain, create_graph, inputs)


_CYCLE = ("Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient which can cause a memory leak. We "
          "recommend using autograd.grad when creating the graph to avoid this. If you have to use this function, make sure to reset the .grad fields of "
          "your parameters to None after use to break the cycle and avoid the leak.")


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None,
         is_grads_batched=False, materialize_grads=False):
    """The sum of the outputs' gradients with respect to each of the inputs, without touching .grad.

    An input that the outputs do not depend on is an error, or None with allow_unused, or zeros with materialize_grads.
    is_grads_batched: grad_outputs have a first dimension more; one backward runs for each of its elements."""
    if materialize_grads and allow_unused is False:
        raise ValueError("Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False.")
    if allow_unused is None:
        allow_unused = materialize_grads
    keys = list(inputs) if type(inputs) is dict else None
    edges = materialize_grads and [_is_edge(x) for x in ((inputs,) if isinstance(inputs, Tensor) or _is_edge(inputs) else tuple(inputs))]
    outputs, inputs = _tensors(outputs, "grad", "outputs", grad_outputs), _tensors(inputs, "grad", "inputs")
    if not inputs:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    answered, result = _overridden(grad, outputs + inputs, outputs, inputs, grad_outputs=grad_outputs, retain_graph=retain_graph,
                                   create_graph=create_graph, only_inputs=only_inputs, allow_unused=allow_unused,
                                   is_grads_batched=is_grads_batched, materialize_grads=materialize_grads)
    if not answered:
        if not only_inputs:
            warnings.warn("only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for other parts "
                          "of the graph, please use torch.autograd.backward.", FutureWarning, stacklevel=2)
        retain = create_graph if retain_graph is None else retain_graph
        result = _grad(outputs, inputs, grad_outputs, retain, create_graph, allow_unused, is_grads_batched)
        if materialize_grads:
            if any([g is None and edge for g, edge in zip(result, edges)]):
                raise RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")
            result = tuple([_zeros_like(x, create_graph) if g is None else g for x, g in zip(inputs, result)])
    return result if keys is None else dict(zip(keys, result))


def _zeros_like(x, requires_grad):
    zeros = x.new_zeros(x.shape)
    return zeros.requires_grad_() if requires_grad else zeros


def _grad(outputs, inputs, grad_outputs, retain, create_graph, allow_unused, batched):
    grads = _gradients(outputs, grad_outputs, batched)
    for x in inputs:
        if not isinstance(x, Tensor):
            raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type(x).__name__}")
        if not x.requires_grad:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    if batched:
        result = _grad_batched(outputs, inputs, grads, retain, create_graph)
    elif _tasks.asking[0]:
        result = _watched(lambda: _C._grad(outputs, inputs, grads, retain, create_graph, True), outputs, inputs)
    else:
        result = _run(_C._grad, outputs, inputs, grads, retain, create_graph, True)
    for i, g in enumerate(result):
        if g is None and not allow_unused:
            raise RuntimeError(f"The differentiated Tensor at index {i} appears to not have been used in the graph. Set allow_unused=True if "
                               "this is the desired behavior.")
    return result


def _grad_batched(outputs, inputs, grads, retain, create_graph):
    """One backward for each element of the cotangents' first dimension; the results stacked."""
    if any(g is None for g in grads):
        raise ValueError("vmap: with is_grads_batched every output needs a gradient, which has a first dimension")
    sizes = {g.shape[0] for g in grads}
    if len(sizes) != 1:
        raise ValueError(f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sorted(sizes)}")
    n = sizes.pop()
    if n == 0:
        return tuple([x.new_zeros((0,) + tuple(x.shape)) for x in inputs])
    rows = [_C._grad(outputs, inputs, tuple([g[i] for g in grads]), retain or i + 1 < n, create_graph, True) for i in range(n)]
    return tuple([None if any([g is None for g in column]) else winnow.stack(column) for column in zip(*rows)])


def variable(*args, **kwargs):
    """An error, as in torch: torch.tensor makes tensors."""
    raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")


_LAZY = {"detect_anomaly": "anomaly_mode", "set_detect_anomaly": "anomaly_mode", "set_multithreading_enabled": "grad_mode",
         "is_multithreading_enabled": "grad_mode"}
_MODULES = ("anomaly_mode", "functional", "graph", "profiler")


def __getattr__(name):
    from importlib import import_module

    if name == "torch":  # torch.autograd.torch, which PyTorch has by accident
        return winnow
    if name in _MODULES:
        return import_module("." + name, __name__)
    if name in _LAZY:
        value = globals()[name] = getattr(import_module("." + _LAZY[name], __name__), name)
        return value
    if name[:2] == "__":  # the import system asks for these, while the module's spec is not its own
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from .._hook import missing

    raise missing(__name__, name, [*globals(), *_LAZY, *_MODULES])
