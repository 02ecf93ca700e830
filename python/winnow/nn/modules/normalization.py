"""Normalization of each sample: layer, group and RMS norm, local response."""
import numbers

import winnow

from .. import functional as F
from ._of_functions import define
from .batchnorm import reset_scale
from .module import Module, make_parameters, weight_and_bias

__all__ = ["LocalResponseNorm", "CrossMapLRN2d", "LayerNorm", "GroupNorm", "RMSNorm"]


define(globals(), [("LocalResponseNorm", None, "size, alpha=1e-4, beta=0.75, k=1.0", "local_response_norm(input, size, alpha, beta, k)",
                    "x / (k + alpha mean(x^2 over size neighbouring channels))^beta", "{size}, alpha={alpha}, beta={beta}, k={k}")])


class CrossMapLRN2d(Module):
    """LocalResponseNorm over images, with the neighbours on either side counted in whole numbers."""

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1):
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input):
        if input.dim() != 4:
            raise ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {input.dim()}D instead.")
        channels, side = input.shape[1], (self.size - 1) // 2
        nothing = input.new_zeros((input.shape[0], side, *input.shape[2:]))
        squares = winnow.cat([nothing, input * input, nothing], 1)
        near = squares[:, :channels]
        for shift in range(1, 2 * side + 1):
            near = near + squares[:, shift:shift + channels]
        if channels > side + 1:  # in PyTorch the first channel is a neighbour of all: its pretrained models count on that
            near = winnow.cat([near[:, :side + 1], near[:, side + 1:] + squares[:, side:side + 1]], 1)
        return input * (near * (self.alpha / self.size) + self.k) ** -self.beta

    extra_repr = LocalResponseNorm.extra_repr


def _shape_of(normalized_shape):
    return (normalized_shape,) if isinstance(normalized_shape, numbers.Integral) else tuple(normalized_shape)


class LayerNorm(Module):
    """(x - mean) / sqrt(var + eps) * weight + bias over the last dimensions, which are normalized_shape."""
    __constants__ = ["normalized_shape", "eps", "elementwise_affine"]

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape, self.eps, self.elementwise_affine = _shape_of(normalized_shape), eps, elementwise_affine
        shape = self.normalized_shape if elementwise_affine else False
        make_parameters(self, device, dtype, weight=shape, bias=shape if bias else False)
        self.reset_parameters()

    def reset_parameters(self):
        reset_scale(self)

    def forward(self, input):
        return F.layer_norm(input, self.normalized_shape, *weight_and_bias(self), self.eps)

    def extra_repr(self):
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"


class GroupNorm(Module):
    """(x - mean) / sqrt(var + eps) over each group of channels of each sample, times weight plus bias for each channel."""
    __constants__ = ["num_groups", "num_channels", "eps", "affine"]

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None, *, bias=True):
        super().__init__()
        if num_groups <= 0:
            raise ValueError(f"num_groups must be a positive integer, got {num_groups}")
        if num_channels % num_groups != 0:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        make_parameters(self, device, dtype, weight=num_channels if affine else False, bias=num_channels if affine and bias else False)
        self.reset_parameters()

    def reset_parameters(self):
        reset_scale(self)

    def forward(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, bias={self.bias is not None}"


class RMSNorm(Module):
    """x / sqrt(mean(x^2) + eps) * weight over the last dimensions, which are normalized_shape."""
    __constants__ = ["normalized_shape", "eps", "elementwise_affine"]

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape, self.eps, self.elementwise_affine = _shape_of(normalized_shape), eps, elementwise_affine
        make_parameters(self, device, dtype, weight=self.normalized_shape if elementwise_affine else False)
        self.reset_parameters()

    def reset_parameters(self):
        reset_scale(self)

    def forward(self, input):
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self):
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
