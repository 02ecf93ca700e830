"""torchvision.ops: boxes, layers that models are made of, stochastic depth, focal loss. What pools regions is not there."""
from .boxes import (batched_nms, box_area, box_convert, box_iou, clip_boxes_to_image, generalized_box_iou, nms, remove_small_boxes)
from .misc import MLP, Conv2dNormActivation, Conv3dNormActivation, FrozenBatchNorm2d, Permute, SqueezeExcitation
from .losses import sigmoid_focal_loss
from .stochastic_depth import StochasticDepth, stochastic_depth

__all__ = ["MLP", "Conv2dNormActivation", "Conv3dNormActivation", "FrozenBatchNorm2d", "Permute", "SqueezeExcitation", "StochasticDepth", "batched_nms", "box_area",
           "box_convert", "box_iou", "clip_boxes_to_image", "generalized_box_iou", "nms", "remove_small_boxes", "sigmoid_focal_loss", "stochastic_depth"]

_ABSENT = ("deform_conv2d", "DeformConv2d", "roi_align", "RoIAlign", "roi_pool", "RoIPool", "ps_roi_align", "ps_roi_pool", "MultiScaleRoIAlign",
           "FeaturePyramidNetwork", "DropBlock2d", "drop_block2d", "masks_to_boxes", "complete_box_iou", "distance_box_iou", "generalized_box_iou_loss")


def __getattr__(name):
    if name not in _ABSENT:
        raise AttributeError(f"module 'torchvision.ops' has no attribute '{name}'")

    def refuse(*args, **kwargs):
        raise NotImplementedError(f"torchvision.ops.{name}: winnow brings a small torchvision without it")

    refuse.__name__ = refuse.__qualname__ = name
    return refuse
