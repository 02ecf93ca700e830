"""Convolutions and their transposes, over one to three dimensions."""
import math

from .. import functional as F, init
from .lazy import LazyModuleMixin, make_lazy, materialize
from .module import Module, make_parameters, unusual, weight_and_bias
from .utils import _pair, _reverse_repeat_tuple, _single, _triple

__all__ = ["Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d", "LazyConv1d", "LazyConv2d", "LazyConv3d",
           "LazyConvTranspose1d", "LazyConvTranspose2d", "LazyConvTranspose3d"]


class _ConvNd(Module):
    """What all have: arguments as tuples, weight, bias, text."""
    __constants__ = ["stride", "padding", "dilation", "groups", "padding_mode", "output_padding", "in_channels", "out_channels", "kernel_size"]

    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding, groups, bias,
                 padding_mode, device=None, dtype=None):
        super().__init__()
        _check(in_channels, out_channels, stride, padding, groups, padding_mode)
        self.in_channels, self.out_channels, self.kernel_size = in_channels, out_channels, kernel_size
        self.stride, self.padding, self.dilation, self.transposed = stride, padding, dilation, transposed
        self.output_padding, self.groups, self.padding_mode = output_padding, groups, padding_mode
        self._reversed_padding_repeated_twice = self._pad_argument()
        first, second = (in_channels, out_channels) if transposed else (out_channels, in_channels)
        make_parameters(self, device, dtype, weight=(first, second // groups, *kernel_size), bias=out_channels if bias else False)
        self.reset_parameters()

    def _pad_argument(self):
        """The paddings as F.pad wants them, for a padding_mode that the convolution itself does not do."""
        if not isinstance(self.padding, str):
            return _reverse_repeat_tuple(self.padding, 2)
        sides = [0, 0] * len(self.kernel_size)
        if self.padding == "same":
            for i, (d, k) in enumerate(zip(reversed(self.dilation), reversed(self.kernel_size))):
                total = d * (k - 1)
                sides[2 * i], sides[2 * i + 1] = total // 2, total - total // 2
        return sides

    def reset_parameters(self):
        """Uniform within 1/sqrt(in_channels * kernel size)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self):
        n = len(self.kernel_size)
        return (f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
                + unusual(self, padding=(0,) * n, dilation=(1,) * n, output_padding=(0,) * n, groups=1)
                + ("" if self.bias is not None else ", bias=False") + unusual(self, padding_mode="zeros"))

    def __setstate__(self, state):
        super().__setstate__(state)
        self.__dict__.setdefault("padding_mode", "zeros")


def _check(in_channels, out_channels, stride, padding, groups, padding_mode):
    if groups <= 0:
        raise ValueError("groups must be a positive integer")
    if in_channels % groups != 0:
        raise ValueError("in_channels must be divisible by groups")
    if out_channels % groups != 0:
        raise ValueError("out_channels must be divisible by groups")
    if isinstance(padding, str):
        if padding not in ("same", "valid"):
            raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'valid', 'same'}}")
        if padding == "same" and any([s != 1 for s in stride]):
            raise ValueError("padding='same' is not supported for strided convolutions")
    modes = ("zeros", "reflect", "replicate", "circular")
    if padding_mode not in modes:
        raise ValueError(f"padding_mode must be one of {{{', '.join(map(repr, modes))}}}, but got padding_mode='{padding_mode}'")


def _make_conv(n, ntuple, doc):
    """ConvNd's __init__ and _conv_forward."""
    name = f"conv{n}d"
    zeros = ntuple(0)

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode="zeros",
                 device=None, dtype=None):
        _ConvNd.__init__(self, in_channels, out_channels, ntuple(kernel_size), ntuple(stride),
                         padding if isinstance(padding, str) else ntuple(padding), ntuple(dilation), False, zeros, groups, bias,
                         padding_mode, device, dtype)

    def _conv_forward(self, input, weight, bias):
        f = getattr(F, name)
        if self.padding_mode != "zeros":
            input = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
            return f(input, weight, bias, self.stride, zeros, self.dilation, self.groups)
        return f(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)

    def forward(self, input):
        return self._conv_forward(input, *weight_and_bias(self))

    return {"__init__": __init__, "_conv_forward": _conv_forward, "forward": forward, "__doc__": doc, "__module__": __name__}


class _ConvTransposeNd(_ConvNd):
    """Transposes: the output's size may be given in forward."""

    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding, groups, bias,
                 padding_mode, device=None, dtype=None):
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding, groups, bias,
                         padding_mode, device, dtype)

    def _output_padding(self, input, output_size, stride, padding, kernel_size, num_spatial_dims, dilation=None):
        """What has to be added to one side so that the output gets output_size."""
        if output_size is None:
            return list(_single(self.output_padding))
        n = num_spatial_dims
        without = n + (2 if input.dim() == n + 2 else 1) - n  # dimensions before the spatial ones
        if len(output_size) == without + n:
            output_size = output_size[without:]
        if len(output_size) != n:
            raise ValueError(f"ConvTranspose{n}D: for {input.dim()}D input, output_size must have {n} or {without + n} elements (got {len(output_size)})")
        least = [(input.size(d + without) - 1) * stride[d] - 2 * padding[d] + (1 if dilation is None else dilation[d]) * (kernel_size[d] - 1) + 1
                 for d in range(n)]
        most = [m + stride[d] - 1 for d, m in enumerate(least)]
        for size, low, high in zip(output_size, least, most):
            if size < low or size > high:
                raise ValueError(f"requested an output size of {output_size}, but valid sizes range from {least} to {most} (for an input of "
                                 f"{input.size()[2:]})")
        return [output_size[d] - least[d] for d in range(n)]


def _make_transposed(n, ntuple, doc):
    name = f"conv_transpose{n}d"

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1,
                 padding_mode="zeros", device=None, dtype=None):
        _ConvTransposeNd.__init__(self, in_channels, out_channels, ntuple(kernel_size), ntuple(stride), ntuple(padding), ntuple(dilation),
                                  True, ntuple(output_padding), groups, bias, padding_mode, device, dtype)

    def forward(self, input, output_size=None):
        if self.padding_mode != "zeros":
            raise ValueError(f"Only `zeros` padding mode is supported for ConvTranspose{n}d")
        extra = self.output_padding if output_size is None else self._output_padding(
            input, output_size, self.stride, self.padding, self.kernel_size, n, self.dilation)
        return getattr(F, name)(input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation)

    return {"__init__": __init__, "forward": forward, "__doc__": doc, "__module__": __name__}


# ------------------------------------------------------------------ lazy ones

class _LazyConvXdMixin(LazyModuleMixin):
    """in_channels is that of the first input."""

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input, *args, **kwargs):
        if not self.has_uninitialized_params():
            return
        self.in_channels = self._get_in_channels(input)
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        first, second = (self.in_channels, self.out_channels) if self.transposed else (self.out_channels, self.in_channels)
        materialize(self, weight=(first, second // self.groups, *self.kernel_size), bias=(self.out_channels,))
        self.reset_parameters()

    def _get_in_channels(self, input):
        n = self._get_num_spatial_dims()
        if input.dim() not in (n + 1, n + 2):
            raise RuntimeError(f"Expected {n + 1}D (unbatched) or {n + 2}D (batched) input to {type(self).__name__}, but got input of size: {input.shape}")
        return input.shape[1] if input.dim() == n + 2 else input.shape[0]

    def _get_num_spatial_dims(self):
        return len(self.kernel_size)


def _make_lazy(base, transposed):
    def __init__(self, out_channels, kernel_size, *args, device=None, dtype=None, **kwargs):
        names = ("stride", "padding", "output_padding", "groups", "bias", "dilation", "padding_mode") if transposed else (
            "stride", "padding", "dilation", "groups", "bias", "padding_mode")
        kwargs.update(zip(names, args))
        if len(args) > len(names):
            device, dtype = (*args[len(names):], None)[:2]
        bias = kwargs.pop("bias", True)
        LazyModuleMixin.__init__(self, 0, 0, kernel_size, bias=False, device=device, dtype=dtype, **kwargs)
        self.out_channels = out_channels
        make_lazy(self, device, dtype, weight=True, bias=bias)

    return type("Lazy" + base.__name__, (_LazyConvXdMixin, base), {
        "__init__": __init__, "cls_to_become": base, "__module__": __name__,
        "__doc__": f"{base.__name__} that learns in_channels from its first input."})


# The arguments of the three are the same but for their tuples: the classes are made in turn.
for _n, _ntuple in ((1, _single), (2, _pair), (3, _triple)):
    _kind = type(f"Conv{_n}d", (_ConvNd,), _make_conv(_n, _ntuple, f"Cross-correlation over {_n} dimension(s), and a bias."))
    _back = type(f"ConvTranspose{_n}d", (_ConvTransposeNd,), _make_transposed(
        _n, _ntuple, f"The gradient of Conv{_n}d by its input, as a layer: it enlarges."))
    for _c in (_kind, _back, _make_lazy(_kind, False), _make_lazy(_back, True)):
        globals()[_c.__name__] = _c
del _n, _ntuple, _kind, _back, _c
