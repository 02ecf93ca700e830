"""Batch norm, in evaluation, as part of the layer before it."""
from copy import deepcopy

import winnow

from ..parameter import Parameter

__all__ = ["fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"]


def _fuse(layer, bn, weights):
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    fused = deepcopy(layer)
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("BatchNorm running_mean and running_var must be set")
    fused.weight, fused.bias = weights(fused)
    return fused


def fuse_conv_bn_eval(conv, bn, transpose=False):
    """A convolution that does what conv and bn do one after the other."""
    return _fuse(conv, bn, lambda c: fuse_conv_bn_weights(c.weight, c.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias, transpose))


def _fused(w, b, mean, var, eps, scale, shift, shape):
    kind, kind_b = w.dtype, w.dtype if b is None else b.dtype
    grads = w.requires_grad, True if b is None else b.requires_grad
    b = winnow.zeros_like(mean) if b is None else b
    factor = winnow.rsqrt(var + eps) * (1 if scale is None else scale)
    weight = (w * factor.reshape(shape)).to(kind)
    bias = ((b - mean) * factor + (0 if shift is None else shift)).to(kind_b)
    return Parameter(weight.detach(), grads[0]), Parameter(bias.detach(), grads[1])


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    """Weight and bias of that convolution."""
    shape = [1, -1] if transpose else [-1, 1]
    return _fused(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, shape + [1] * (conv_w.dim() - 2))


def fuse_linear_bn_eval(linear, bn):
    """A linear layer that does what linear and bn do one after the other."""
    if not (linear.out_features == bn.num_features or bn.num_features == 1):
        raise AssertionError("To fuse, linear.out_features == bn.num_features or bn.num_features == 1")
    return _fuse(linear, bn, lambda c: fuse_linear_bn_weights(c.weight, c.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias))


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    """Weight and bias of that layer."""
    return _fused(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, [-1, 1])
