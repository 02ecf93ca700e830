"""DenseNet (Huang et al. 2017): every layer sees the results of all layers before it in its block."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from ._make import model


class _DenseLayer(nn.Module):
    """Normalization, 1x1, normalization, 3x3: growth_rate more channels."""

    def __init__(self, num_input_features, growth_rate, bn_size, drop_rate, memory_efficient=False):
        super().__init__()
        self.norm1, self.relu1 = nn.BatchNorm2d(num_input_features), nn.ReLU(inplace=True)
        self.conv1 = nn.Conv2d(num_input_features, bn_size * growth_rate, 1, bias=False)
        self.norm2, self.relu2 = nn.BatchNorm2d(bn_size * growth_rate), nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(bn_size * growth_rate, growth_rate, 3, padding=1, bias=False)
        self.drop_rate, self.memory_efficient = float(drop_rate), memory_efficient

    def bn_function(self, inputs):
        """The narrow part, of what stands before, joined."""
        return self.conv1(self.relu1(self.norm1(torch.cat(inputs, 1))))

    def forward(self, input):
        inputs = [input] if isinstance(input, torch.Tensor) else input
        if self.memory_efficient and any(t.requires_grad for t in inputs):
            narrow = checkpoint(lambda *parts: self.bn_function(parts), *inputs, use_reentrant=False)
        else:
            narrow = self.bn_function(inputs)
        new = self.conv2(self.relu2(self.norm2(narrow)))
        return F.dropout(new, self.drop_rate, self.training) if self.drop_rate > 0 else new


class _DenseBlock(nn.ModuleDict):
    def __init__(self, num_layers, num_input_features, bn_size, growth_rate, drop_rate, memory_efficient=False):
        super().__init__()
        for i in range(num_layers):
            self.add_module(f"denselayer{i + 1}", _DenseLayer(num_input_features + i * growth_rate, growth_rate, bn_size, drop_rate, memory_efficient))

    def forward(self, init_features):
        features = [init_features]
        for layer in self.values():
            features.append(layer(features))
        return torch.cat(features, 1)


class _Transition(nn.Sequential):
    """Half the size, fewer channels."""

    def __init__(self, num_input_features, num_output_features):
        super().__init__()
        self.norm, self.relu = nn.BatchNorm2d(num_input_features), nn.ReLU(inplace=True)
        self.conv, self.pool = nn.Conv2d(num_input_features, num_output_features, 1, bias=False), nn.AvgPool2d(2, 2)


class DenseNet(nn.Module):
    """features, mean over the image, classifier."""

    def __init__(self, growth_rate=32, block_config=(6, 12, 24, 16), num_init_features=64, bn_size=4, drop_rate=0, num_classes=1000, memory_efficient=False):
        super().__init__()
        self.features = nn.Sequential()
        for name, layer in (("conv0", nn.Conv2d(3, num_init_features, 7, 2, 3, bias=False)), ("norm0", nn.BatchNorm2d(num_init_features)),
                            ("relu0", nn.ReLU(inplace=True)), ("pool0", nn.MaxPool2d(3, 2, 1))):
            self.features.add_module(name, layer)
        channels = num_init_features
        for i, n in enumerate(block_config):
            self.features.add_module(f"denseblock{i + 1}", _DenseBlock(n, channels, bn_size, growth_rate, drop_rate, memory_efficient))
            channels += n * growth_rate
            if i != len(block_config) - 1:
                self.features.add_module(f"transition{i + 1}", _Transition(channels, channels // 2))
                channels //= 2
        self.features.add_module("norm5", nn.BatchNorm2d(channels))
        self.classifier = nn.Linear(channels, num_classes)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight)
            elif isinstance(m, nn.BatchNorm2d):
                nn.init.constant_(m.weight, 1)
                nn.init.constant_(m.bias, 0)
            elif isinstance(m, nn.Linear):
                nn.init.constant_(m.bias, 0)

    def forward(self, x):
        x = F.adaptive_avg_pool2d(F.relu(self.features(x), inplace=True), (1, 1))
        return self.classifier(torch.flatten(x, 1))


def _network(depth, growth_rate, block_config, num_init_features):
    def make(**options):
        return DenseNet(growth_rate, block_config, num_init_features, **options)

    make.__name__ = make.__qualname__ = f"densenet{depth}"
    make.__doc__ = f"DenseNet of {depth} layers."
    return model(make)


densenet121 = _network(121, 32, (6, 12, 24, 16), 64)
densenet161 = _network(161, 48, (6, 12, 36, 24), 96)
densenet169 = _network(169, 32, (6, 12, 32, 32), 64)
densenet201 = _network(201, 32, (6, 12, 48, 32), 64)
