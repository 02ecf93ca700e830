"""backward and grad with sparse tensors among the outputs or the inputs: what is differentiated are their values."""
from .. import autograd
from .._construct import Tensor
from ._ops import op
from ._tensor import _Sparse


def _values_of(x):
    return x._v if isinstance(x, _Sparse) else x


def _listed(x):
    return (x,) if isinstance(x, Tensor) or x is None else tuple(x)


def _cotangent(output, gradient):
    """The gradient of a sparse output, which may be dense or have other places, at the places of its values."""
    if not isinstance(output, _Sparse):
        return gradient
    if gradient is None:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    if gradient.shape != output.shape:
        raise RuntimeError(f"Mismatch in shape: grad_output has a shape of {gradient.shape} and output has a shape of {output.shape}.")
    if isinstance(gradient, _Sparse):
        if gradient._i is output._i or (gradient._i.shape == output._i.shape and bool((gradient._i == output._i).all())):
            return gradient._v
        gradient = gradient.to_dense()
    return gradient[tuple(output._i.unbind(0))]


def _cotangents(outputs, gradients):
    return tuple([_cotangent(o, g) for o, g in zip(outputs, gradients or (None,) * len(outputs), strict=True)])


@op("backward")
def backward(tensors, gradient=None, grad_tensors=None, inputs=None, **options):
    """Tensor.backward and autograd.backward."""
    tensors, given = _listed(tensors), gradient if grad_tensors is None else grad_tensors
    autograd.backward([_values_of(t) for t in tensors], _cotangents(tensors, None if given is None else _listed(given)),
                      inputs=None if inputs is None else [_values_of(t) for t in _listed(inputs)], **options)


@op("grad")
def grad(outputs, inputs, grad_outputs=None, **options):
    """autograd.grad: of a sparse input the gradient is sparse, with its places."""
    if options.get("is_grads_batched") and any([isinstance(o, _Sparse) for o in outputs]):
        raise NotImplementedError("grad: is_grads_batched=True is not there for sparse outputs")
    gradients = _cotangents(outputs, None if grad_outputs is None else _listed(grad_outputs))
    found = autograd.grad([_values_of(o) for o in outputs], [_values_of(x) for x in inputs], gradients, **options)
    return tuple([x._gradient_of(g) if isinstance(x, _Sparse) and g is not None else g for x, g in zip(inputs, found)])
