"""torchvision.models: residual networks, DenseNet, VGG, AlexNet, SqueezeNet and MobileNetV2, with torchvision's parameter names. Weights are not loaded from anywhere:
load a state_dict."""
from ._make import get_model, list_models
from .alexnet import AlexNet, alexnet
from .densenet import DenseNet, densenet121, densenet161, densenet169, densenet201
from .mobilenetv2 import MobileNetV2, mobilenet_v2
from .resnet import (ResNet, resnet18, resnet34, resnet50, resnet101, resnet152, resnext50_32x4d, resnext101_32x8d, wide_resnet50_2, wide_resnet101_2)
from .squeezenet import SqueezeNet, squeezenet1_0, squeezenet1_1
from .vgg import VGG, vgg11, vgg11_bn, vgg13, vgg13_bn, vgg16, vgg16_bn, vgg19, vgg19_bn

__all__ = ["AlexNet", "DenseNet", "MobileNetV2", "ResNet", "SqueezeNet", "VGG", "alexnet", "densenet121", "densenet161", "densenet169",
           "densenet201", "get_model", "list_models", "mobilenet_v2", "squeezenet1_0", "squeezenet1_1", "resnet18", "resnet34", "resnet50", "resnet101", "resnet152",
           "resnext50_32x4d", "resnext101_32x8d", "wide_resnet50_2", "wide_resnet101_2", "vgg11", "vgg11_bn", "vgg13", "vgg13_bn", "vgg16", "vgg16_bn", "vgg19", "vgg19_bn"]


def __getattr__(name):
    if name.endswith("_Weights") and name[:1].isupper():
        from ._make import weights

        globals()[name] = made = weights(name)
        return made
    raise AttributeError(f"module 'torchvision.models' has no attribute '{name}': winnow brings a small torchvision with {', '.join(list_models())}")
