"""SqueezeNet (Iandola et al. 2016): blocks that narrow the channels and widen them by 1x1 and 3x3 convolutions side by side."""
import torch
from torch import nn

from ._make import model


class Fire(nn.Module):
    """A 1x1 convolution, then a 1x1 and a 3x3 one of its result, joined."""

    def __init__(self, inplanes, squeeze_planes, expand1x1_planes, expand3x3_planes):
        super().__init__()
        self.inplanes = inplanes
        self.squeeze, self.squeeze_activation = nn.Conv2d(inplanes, squeeze_planes, 1), nn.ReLU(inplace=True)
        self.expand1x1, self.expand1x1_activation = nn.Conv2d(squeeze_planes, expand1x1_planes, 1), nn.ReLU(inplace=True)
        self.expand3x3, self.expand3x3_activation = nn.Conv2d(squeeze_planes, expand3x3_planes, 3, padding=1), nn.ReLU(inplace=True)

    def forward(self, x):
        x = self.squeeze_activation(self.squeeze(x))
        return torch.cat([self.expand1x1_activation(self.expand1x1(x)), self.expand3x3_activation(self.expand3x3(x))], 1)


# The first convolution, then fire modules (channels in, narrow, wide) and poolings, of each version.
_VERSIONS = {"1_0": ((96, 7), "P 96,16,64 128,16,64 128,32,128 P 256,32,128 256,48,192 384,48,192 384,64,256 P 512,64,256"),
             "1_1": ((64, 3), "P 64,16,64 128,16,64 P 128,32,128 256,32,128 P 256,48,192 384,48,192 384,64,256 512,64,256")}


class SqueezeNet(nn.Module):
    """features, and a classifier that is a convolution."""

    def __init__(self, version="1_0", num_classes=1000, dropout=0.5):
        super().__init__()
        if version not in _VERSIONS:
            raise ValueError(f"Unsupported SqueezeNet version {version}: 1_0 or 1_1 expected")
        self.num_classes = num_classes
        (channels, size), blocks = _VERSIONS[version]
        layers = [nn.Conv2d(3, channels, size, 2), nn.ReLU(inplace=True)]
        for block in blocks.split():
            inside = None if block == "P" else [int(n) for n in block.split(",")]
            layers.append(Fire(*inside, inside[-1]) if inside else nn.MaxPool2d(3, 2, ceil_mode=True))
        self.features = nn.Sequential(*layers)
        last = nn.Conv2d(512, num_classes, 1)
        self.classifier = nn.Sequential(nn.Dropout(dropout), last, nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d((1, 1)))
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                if m is last:
                    nn.init.normal_(m.weight, mean=0.0, std=0.01)
                else:
                    nn.init.kaiming_uniform_(m.weight)
                if m.bias is not None:
                    nn.init.constant_(m.bias, 0)

    def forward(self, x):
        return torch.flatten(self.classifier(self.features(x)), 1)


@model
def squeezenet1_0(**options):
    """The first version."""
    return SqueezeNet("1_0", **options)


@model
def squeezenet1_1(**options):
    """The version with 2.4 times less work."""
    return SqueezeNet("1_1", **options)
