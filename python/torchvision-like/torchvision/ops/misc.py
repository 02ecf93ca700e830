"""Layers that several models are made of."""
import torch
from torch import nn


class FrozenBatchNorm2d(nn.Module):
    """Batch normalization whose statistics and weights are buffers: they do not change."""

    def __init__(self, num_features, eps=1e-5):
        super().__init__()
        self.eps = eps
        for name, value in (("weight", 1.0), ("bias", 0.0), ("running_mean", 0.0), ("running_var", 1.0)):
            self.register_buffer(name, torch.full((num_features,), value))

    def forward(self, x):
        scale = self.weight * (self.running_var + self.eps).rsqrt()
        return x * scale.reshape(1, -1, 1, 1) + (self.bias - self.running_mean * scale).reshape(1, -1, 1, 1)

    def __repr__(self):
        return f"{self.__class__.__name__}({self.weight.shape[0]}, eps={self.eps})"


class _ConvNormActivation(nn.Sequential):
    _conv, _norm = None, None

    def __init__(self, in_channels, out_channels, kernel_size=3, stride=1, padding=None, groups=1, norm_layer=..., activation_layer=nn.ReLU, dilation=1,
                 inplace=True, bias=None):
        norm_layer = self._norm if norm_layer is ... else norm_layer
        if padding is None:
            padding = ((kernel_size - 1) // 2 * dilation if isinstance(kernel_size, int) and isinstance(dilation, int) else
                       tuple((k - 1) // 2 * d for k, d in zip(*(v if not isinstance(v, int) else [v] * 3 for v in (kernel_size, dilation)))))
        layers = [self._conv(in_channels, out_channels, kernel_size, stride, padding, dilation=dilation, groups=groups, bias=norm_layer is None if bias is None else bias)]
        if norm_layer is not None:
            layers.append(norm_layer(out_channels))
        if activation_layer is not None:
            layers.append(activation_layer(**({} if inplace is None else {"inplace": inplace})))
        super().__init__(*layers)
        self.out_channels = out_channels


class Conv2dNormActivation(_ConvNormActivation):
    """Convolution, normalization, activation; padded to keep the size at stride 1."""
    _conv, _norm = nn.Conv2d, nn.BatchNorm2d


class Conv3dNormActivation(_ConvNormActivation):
    """The same in three dimensions."""
    _conv, _norm = nn.Conv3d, nn.BatchNorm3d


class SqueezeExcitation(nn.Module):
    """Channels scaled by what two layers make of their means (Hu et al. 2018)."""

    def __init__(self, input_channels, squeeze_channels, activation=nn.ReLU, scale_activation=nn.Sigmoid):
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc1, self.fc2 = nn.Conv2d(input_channels, squeeze_channels, 1), nn.Conv2d(squeeze_channels, input_channels, 1)
        self.activation, self.scale_activation = activation(), scale_activation()

    def forward(self, input):
        return self.scale_activation(self.fc2(self.activation(self.fc1(self.avgpool(input))))) * input


class MLP(nn.Sequential):
    """Linear layers with normalization, activation and dropout between them."""

    def __init__(self, in_channels, hidden_channels, norm_layer=None, activation_layer=nn.ReLU, inplace=None, bias=True, dropout=0.0):
        options = {} if inplace is None else {"inplace": inplace}
        layers = []
        for size in hidden_channels[:-1]:
            layers.append(nn.Linear(in_channels, size, bias=bias))
            if norm_layer is not None:
                layers.append(norm_layer(size))
            layers += [activation_layer(**options), nn.Dropout(dropout, **options)]
            in_channels = size
        super().__init__(*layers, nn.Linear(in_channels, hidden_channels[-1], bias=bias), nn.Dropout(dropout, **options))


class Permute(nn.Module):
    """The dimensions in another order."""

    def __init__(self, dims):
        super().__init__()
        self.dims = dims

    def forward(self, x):
        return torch.permute(x, self.dims)
