"""Jacobians, Hessians and their products with vectors, by backward (forward products by differentiating a backward)."""
import winnow
from .. import _C
from .._recording import recording

__all__ = ["vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"]

Tensor = _C.Tensor


# ------------------------------------------------------------------ arguments and results

def _as_tuple(x, what, function):
    """(was it a tuple, the tensors of x as a tuple)"""
    is_tuple = isinstance(x, tuple)
    if not is_tuple:
        x = (x,)
    for i, t in enumerate(x):
        if not isinstance(t, Tensor):
            where = f"value at index {i}" if is_tuple else f"given {what}"
            raise TypeError(f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the {where} has type {type(t)}.")
    return is_tuple, x


def _unpacked(results, is_tuple):
    return tuple(results) if is_tuple else results[0]


def _own(inputs, create_graph, track=True):
    """The inputs as tensors of our own: linked to the caller's when the result is to be differentiable, leaves otherwise."""
    if create_graph:
        return tuple([x.view(x.shape) if x.requires_grad else _leaf(x, track) for x in inputs])
    return tuple([_leaf(x, track) for x in inputs])


def _leaf(x, track):
    return x.detach().requires_grad_(track)


def _finished(results, create_graph):
    """Without create_graph nothing of the graph leaves."""
    return tuple(results) if create_graph else tuple([r.detach() for r in results])


def _vector(v, like, like_is_tuple, what):
    """v as a tuple of tensors of the shapes of `like`; ones when absent and there is one element."""
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            raise RuntimeError(what)
        return None
    if len(v) != len(like):
        if like_is_tuple:
            raise RuntimeError(f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}.")
        raise RuntimeError("The given v should contain a single Tensor.")
    for i, (a, b) in enumerate(zip(v, like)):
        if a.shape != b.shape:
            entry = f"Entry {i} in " if like_is_tuple else ""
            raise RuntimeError(f"{entry}v has invalid size: should be {b.shape} but got {a.shape}.")
    return v


_INDEPENDENT = {
    "outputs": "Output {} of the user-provided function does not require gradients. The outputs must be computed in a differentiable manner "
               "from the input when running in strict mode.",
    "grad_inputs": "The gradient with respect to input {} is independent of the inputs of the user-provided function. This is not allowed in "
                   "strict mode.",
    "jacobian": "While computing the hessian, found that the jacobian of the user-provided function with respect to input {} is independent of "
                "the input. This is not allowed in strict mode. You should ensure that your function is twice differentiable and that the "
                "jacobian depends on the inputs (this would be violated by a linear function for example).",
    "unused": "The output of the user-provided function is independent of input {}. This is not allowed in strict mode.",
    "forward": "The gradient with respect to the input is independent of entry {} in the grad_outputs when using the double backward trick to "
               "compute forward mode gradients. This is not allowed in strict mode.",
    "jacobian of input": "The jacobian of the user-provided function is independent of input {}. This is not allowed in strict mode.",
    "jacobian with graph": "The jacobian of the user-provided function is independent of input {}. This is not allowed in strict mode when "
                           "create_graph=True.",
    "hessian with graph": "The hessian of the user-provided function is independent of input {}. This is not allowed in strict mode when "
                          "create_graph=True.",
    "forward jacobian": "The hessian of the user-provided function is independent of entry {} in the grad_jacobian. This is not allowed in strict "
                        "mode as it prevents from using the double backward trick to replace forward mode AD.",
}


def _require(tensors, what, strict):
    """In strict mode every tensor must depend on the inputs."""
    for i, t in enumerate(tensors):
        if strict and not (t is not None and t.requires_grad):
            raise RuntimeError(_INDEPENDENT[what].format(i))


def _grad(outputs, inputs, cotangents, create_graph):
    """grad() in which outputs without gradient take no part."""
    from . import grad

    pairs = [(o, c) for o, c in zip(outputs, cotangents or (None,) * len(outputs)) if o is not None and o.requires_grad]
    if not pairs:
        return (None,) * len(inputs)
    return grad(tuple([o for o, _ in pairs]), inputs, tuple([c for _, c in pairs]), allow_unused=True, create_graph=create_graph, retain_graph=True)


def _filled(gradients, like, strict, what, create_graph=False):
    """Zeros where there is no gradient; in strict mode an error instead."""
    for i, g in enumerate(gradients):
        if strict and g is None:
            raise RuntimeError(_INDEPENDENT[what].format(i))
        if strict and create_graph and not g.requires_grad:
            raise RuntimeError(_INDEPENDENT["jacobian with graph" if what in ("unused", "forward") else "hessian with graph"].format(i))
    return tuple([x.new_zeros(x.shape) if g is None else g for g, x in zip(gradients, like)])


# ------------------------------------------------------------------ products with the Jacobian

def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """(func(inputs), v'J): v has the shapes of func's results; not needed for one element."""
    with recording(True):
        is_tuple, inputs = _as_tuple(inputs, "inputs", "vjp")
        own = _own(inputs, create_graph)
        several, outputs = _as_tuple(func(*own), "outputs of the user-provided function", "vjp")
        _require(outputs, "outputs", strict)
        v = v if v is None else _own(_as_tuple(v, "v", "vjp")[1], create_graph, track=False)
        v = _vector(v, outputs, several, "The vector v can only be None if the user-provided function returns a single Tensor with a single element.")
    with recording(create_graph or _C.is_grad_enabled()):
        products = _filled(_grad(outputs, own, v, create_graph), own, strict, "unused", create_graph)
    return _unpacked(_finished(outputs, create_graph), several), _unpacked(_finished(products, create_graph), is_tuple)


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """(func(inputs), Jv): v has the shapes of the inputs; not needed for one element.

    u'J is linear in u: its gradient with respect to u, with cotangent v, is Jv."""
    with recording(True):
        is_tuple, inputs = _as_tuple(inputs, "inputs", "jvp")
        own = _own(inputs, create_graph)
        v = v if v is None else _own(_as_tuple(v, "v", "jvp")[1], create_graph, track=False)
        v = _vector(v, own, is_tuple, "The vector v can only be None if the input to the user-provided function is a single Tensor with a single "
                    "element.")
        several, outputs = _as_tuple(func(*own), "outputs of the user-provided function", "jvp")
        _require(outputs, "outputs", strict)
        u = tuple([o.new_zeros(o.shape).requires_grad_() for o in outputs])
        back = _filled(_grad(outputs, own, u, True), own, strict, "unused")
        _require(back, "grad_inputs", strict)
    with recording(create_graph or _C.is_grad_enabled()):
        products = _filled(_grad(back, u, v or tuple([b.new_ones(b.shape) for b in back]), create_graph), outputs, strict, "forward", create_graph)
    return _unpacked(_finished(outputs, create_graph), several), _unpacked(_finished(products, create_graph), several)


# ------------------------------------------------------------------ whole matrices

def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """The derivatives of each element of func's results, by each element of the inputs: shape outputs + inputs.

    vectorize is accepted: rows are computed one after the other all the same."""
    if strict and vectorize:
        raise RuntimeError("torch.autograd.functional.jacobian: `strict=True` and `vectorize=True` are not supported together. Please either set "
                           "`strict=False` or `vectorize=False`.")
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has more outputs than '
                             'inputs, "forward-mode" tends to be more performant. Otherwise, prefer to use "reverse-mode".')
    if strategy == "forward-mode":
        raise NotImplementedError("torch.autograd.functional.jacobian: strategy='forward-mode': winnow has no forward mode")
    with recording(True):
        is_tuple, inputs = _as_tuple(inputs, "inputs", "jacobian")
        own = _own(inputs, create_graph)
        several, outputs = _as_tuple(func(*own), "outputs of the user-provided function", "jacobian")
        _require(outputs, "outputs", strict)
        rows = tuple([_jacobian_of(k, o, own, create_graph, strict) for k, o in enumerate(outputs)])
    return _unpacked([_unpacked(_finished(row, create_graph), is_tuple) for row in rows], several)


def _jacobian_of(number, output, inputs, create_graph, strict):
    rows = []
    for i in range(output.numel()):
        cotangent = output.detach().new_zeros(output.numel())
        cotangent[i] = 1
        row = _grad((output,), inputs, (cotangent.reshape(output.shape),), create_graph)
        for k, g in enumerate(row):
            if strict and g is None:
                raise RuntimeError(f"Output {number} of the user-provided function is independent of input {k}. This is not allowed in strict mode.")
            if strict and create_graph and not g.requires_grad:
                raise RuntimeError(_INDEPENDENT["jacobian with graph"].format(k))
        rows.append(_filled(row, inputs, False, None))
    if not rows:
        return tuple([x.new_zeros(tuple(output.shape) + tuple(x.shape)) for x in inputs])
    return tuple([winnow.stack(column).reshape(tuple(output.shape) + tuple(x.shape)) for x, column in zip(inputs, zip(*rows))])


def _scalar(func, function, strict):
    """func, checked to return one tensor with one element, which in strict mode depends on the inputs."""
    def checked(*args):
        several, outputs = _as_tuple(func(*args), "outputs of the user-provided function", function)
        if several:
            raise RuntimeError(f"The function given to {function} should return a single Tensor")
        if outputs[0].numel() != 1:
            raise RuntimeError(f"The Tensor returned by the function given to {function} should contain a single element")
        _require(outputs, "outputs", strict)
        return outputs[0].reshape(())

    return checked


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    """The second derivatives of a func with one element: the Jacobian of its gradient."""
    is_tuple, inputs = _as_tuple(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')
    one = _scalar(func, "hessian", strict)

    def gradient(*args):
        result = jacobian(one, args, create_graph=True)
        _require(result, "jacobian", strict)
        return result

    result = jacobian(gradient, inputs, create_graph=create_graph, strict=strict, vectorize=vectorize, strategy=outer_jacobian_strategy)
    return result if is_tuple else result[0][0]


# ------------------------------------------------------------------ products with the Hessian

def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """(func(inputs), v'H) for a func with one element."""
    return _hessian_product(func, inputs, v, create_graph, strict, "vhp")


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """(func(inputs), Hv) for a func with one element. H is symmetric: it is vhp."""
    return _hessian_product(func, inputs, v, create_graph, strict, "hvp")


def _hessian_product(func, inputs, v, create_graph, strict, name):
    with recording(True):
        is_tuple, inputs = _as_tuple(inputs, "inputs", name)
        own = _own(inputs, create_graph)
        v = v if v is None else _own(_as_tuple(v, "v", name)[1], create_graph, track=False)
        v = _vector(v, own, is_tuple, "The vector v can only be None if the input to the user-provided function is a single Tensor with a single "
                    "element.")
        several, outputs = _as_tuple(func(*own), "outputs of the user-provided function", name)
        if several:
            raise RuntimeError(f"The function given to {name} should return a single Tensor")
        if outputs[0].numel() != 1:
            raise RuntimeError(f"The Tensor returned by the function given to {name} should contain a single element")
        _require(outputs, "outputs", strict)
        gradient = _filled(_grad(outputs, own, None, True), own, strict, "unused")
        _require(gradient, "jacobian", strict)
        v = v or tuple([g.new_ones(g.shape) for g in gradient])
        products = _filled(_grad(gradient, own, v, create_graph), own, strict, "jacobian of input", create_graph)
    return _finished(outputs, create_graph)[0], _unpacked(_finished(products, create_graph), is_tuple)
