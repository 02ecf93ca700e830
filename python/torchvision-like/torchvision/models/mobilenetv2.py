"""MobileNetV2 (Sandler et al. 2018): inverted residual blocks of a 1x1, a depthwise 3x3 and a 1x1 convolution."""
from torch import nn

from ..ops.misc import Conv2dNormActivation
from ._make import model


def _make_divisible(v, divisor, min_value=None):
    """The nearest multiple of divisor that is not below 0.9 v."""
    nearest = max(min_value or divisor, int(v + divisor / 2) // divisor * divisor)
    return nearest + divisor if nearest < 0.9 * v else nearest


class InvertedResidual(nn.Module):
    """Wider, depthwise, narrower; with a residual where the shape stays."""

    def __init__(self, inp, oup, stride, expand_ratio, norm_layer=nn.BatchNorm2d):
        super().__init__()
        if stride not in (1, 2):
            raise ValueError(f"stride should be 1 or 2 instead of {stride}")
        hidden, common = int(round(inp * expand_ratio)), dict(norm_layer=norm_layer, activation_layer=nn.ReLU6)
        layers = [Conv2dNormActivation(inp, hidden, 1, **common)] if expand_ratio != 1 else []
        layers += [Conv2dNormActivation(hidden, hidden, stride=stride, groups=hidden, **common), nn.Conv2d(hidden, oup, 1, bias=False), norm_layer(oup)]
        self.conv, self.use_res_connect, self.out_channels = nn.Sequential(*layers), stride == 1 and inp == oup, oup

    def forward(self, x):
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


class MobileNetV2(nn.Module):
    """features, mean over the image, classifier."""

    def __init__(self, num_classes=1000, width_mult=1.0, inverted_residual_setting=None, round_nearest=8, block=None, norm_layer=None, dropout=0.2):
        super().__init__()
        block, norm_layer = block or InvertedResidual, norm_layer or nn.BatchNorm2d
        # expansion, channels, blocks, stride of the first
        setting = inverted_residual_setting or [[1, 16, 1, 1], [6, 24, 2, 2], [6, 32, 3, 2], [6, 64, 4, 2], [6, 96, 3, 1], [6, 160, 3, 2], [6, 320, 1, 1]]
        channels = _make_divisible(32 * width_mult, round_nearest)
        self.last_channel = _make_divisible(1280 * max(1.0, width_mult), round_nearest)
        features = [Conv2dNormActivation(3, channels, stride=2, norm_layer=norm_layer, activation_layer=nn.ReLU6)]
        for t, c, n, s in setting:
            out = _make_divisible(c * width_mult, round_nearest)
            for i in range(n):
                features.append(block(channels, out, s if i == 0 else 1, expand_ratio=t, norm_layer=norm_layer))
                channels = out
        features.append(Conv2dNormActivation(channels, self.last_channel, 1, norm_layer=norm_layer, activation_layer=nn.ReLU6))
        self.features = nn.Sequential(*features)
        self.classifier = nn.Sequential(nn.Dropout(dropout), nn.Linear(self.last_channel, num_classes))
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out")
                if m.bias is not None:
                    nn.init.zeros_(m.bias)
            elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.ones_(m.weight)
                nn.init.zeros_(m.bias)
            elif isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, 0, 0.01)
                nn.init.zeros_(m.bias)

    def forward(self, x):
        return self.classifier(self.features(x).mean((2, 3)))


@model
def mobilenet_v2(**options):
    """MobileNetV2 with num_classes outputs."""
    return MobileNetV2(**options)
