"""VGG (Simonyan, Zisserman 2014): 3x3 convolutions, pooling, three linear layers."""
import torch
from torch import nn

from ._make import model

_CONFIGURATIONS = {"11": "64 M 128 M 256 256 M 512 512 M 512 512 M", "13": "64 64 M 128 128 M 256 256 M 512 512 M 512 512 M",
                   "16": "64 64 M 128 128 M 256 256 256 M 512 512 512 M 512 512 512 M",
                   "19": "64 64 M 128 128 M 256 256 256 256 M 512 512 512 512 M 512 512 512 512 M"}


def make_layers(cfg, batch_norm=False):
    """The convolutions: a number of channels each, "M" a pooling."""
    layers, channels = [], 3
    for v in cfg:
        if v == "M":
            layers.append(nn.MaxPool2d(2, 2))
            continue
        layers.append(nn.Conv2d(channels, int(v), 3, padding=1))
        if batch_norm:
            layers.append(nn.BatchNorm2d(int(v)))
        layers.append(nn.ReLU(inplace=True))
        channels = int(v)
    return nn.Sequential(*layers)


class VGG(nn.Module):
    """features, 7x7 averages, classifier."""

    def __init__(self, features, num_classes=1000, init_weights=True, dropout=0.5):
        super().__init__()
        self.features, self.avgpool = features, nn.AdaptiveAvgPool2d((7, 7))
        self.classifier = nn.Sequential(nn.Linear(512 * 7 * 7, 4096), nn.ReLU(True), nn.Dropout(dropout), nn.Linear(4096, 4096), nn.ReLU(True),
                                        nn.Dropout(dropout), nn.Linear(4096, num_classes))
        for m in self.modules() if init_weights else ():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
                nn.init.constant_(m.bias, 0)
            elif isinstance(m, nn.BatchNorm2d):
                nn.init.constant_(m.weight, 1)
                nn.init.constant_(m.bias, 0)
            elif isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, 0, 0.01)
                nn.init.constant_(m.bias, 0)

    def forward(self, x):
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


def _network(depth, batch_norm):
    def make(**options):
        return VGG(make_layers(_CONFIGURATIONS[depth].split(), batch_norm), **options)

    make.__name__ = make.__qualname__ = f"vgg{depth}" + "_bn" * batch_norm
    make.__doc__ = f"VGG with {depth} layers that have weights" + ", batch normalization after each convolution." * batch_norm
    return model(make)


vgg11, vgg13, vgg16, vgg19 = (_network(depth, False) for depth in _CONFIGURATIONS)
vgg11_bn, vgg13_bn, vgg16_bn, vgg19_bn = (_network(depth, True) for depth in _CONFIGURATIONS)
