"""Boxes [N, 4] as (x1, y1, x2, y2) with x1 < x2, y1 < y2: areas, overlaps, suppression of those that overlap a better one."""
import torch


def box_area(boxes):
    """[N]: (x2 - x1) (y2 - y1)"""
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def box_convert(boxes, in_fmt, out_fmt):
    """Between "xyxy" (corners), "xywh" (corner, width, height) and "cxcywh" (centre, width, height)."""
    known = ("xyxy", "xywh", "cxcywh")
    if in_fmt not in known or out_fmt not in known:
        raise ValueError(f"Unsupported Bounding Box Conversions for given in_fmt {in_fmt} and out_fmt {out_fmt}")
    if in_fmt == out_fmt:
        return boxes.clone()
    a, b, c, d = boxes.unbind(-1)
    if in_fmt == "xywh":
        a, b, c, d = a, b, a + c, b + d
    elif in_fmt == "cxcywh":
        a, b, c, d = a - 0.5 * c, b - 0.5 * d, a + 0.5 * c, b + 0.5 * d
    if out_fmt == "xywh":
        a, b, c, d = a, b, c - a, d - b
    elif out_fmt == "cxcywh":
        a, b, c, d = (a + c) / 2, (b + d) / 2, c - a, d - b
    return torch.stack((a, b, c, d), dim=-1)


def clip_boxes_to_image(boxes, size):
    """Boxes cut at the borders of an image of size (height, width)."""
    height, width = size
    x, y = boxes[..., 0::2].clamp(min=0, max=width), boxes[..., 1::2].clamp(min=0, max=height)
    return torch.stack((x, y), dim=boxes.dim()).reshape(boxes.shape)


def remove_small_boxes(boxes, min_size):
    """The indices of boxes whose sides are at least min_size."""
    return torch.where((boxes[:, 2] - boxes[:, 0] >= min_size) & (boxes[:, 3] - boxes[:, 1] >= min_size))[0]


def _overlap(boxes1, boxes2):
    """(intersections, unions), each [N, M]"""
    low, high = torch.max(boxes1[:, None, :2], boxes2[:, :2]), torch.min(boxes1[:, None, 2:], boxes2[:, 2:])
    inter = (high - low).clamp(min=0).prod(-1)
    return inter, box_area(boxes1)[:, None] + box_area(boxes2) - inter


def box_iou(boxes1, boxes2):
    """[N, M]: intersection over union of each pair."""
    inter, union = _overlap(boxes1, boxes2)
    return inter / union


def generalized_box_iou(boxes1, boxes2):
    """[N, M]: intersection over union, less the part of the smallest box around both that neither covers."""
    inter, union = _overlap(boxes1, boxes2)
    low, high = torch.min(boxes1[:, None, :2], boxes2[:, :2]), torch.max(boxes1[:, None, 2:], boxes2[:, 2:])
    around = (high - low).clamp(min=0).prod(-1)
    return inter / union - (around - union) / around


def nms(boxes, scores, iou_threshold):
    """The indices of the boxes that stay, the best first: a box goes when its overlap with a better one that stays is above iou_threshold."""
    order = scores.sort(descending=True, stable=True)[1]
    over = (box_iou(boxes, boxes)[order][:, order] > iou_threshold).tolist()
    gone = [False] * len(over)
    for i, row in enumerate(over):
        if not gone[i]:
            for k in range(i + 1, len(row)):
                gone[k] = gone[k] or row[k]
    return order[torch.tensor([not g for g in gone], dtype=torch.bool)]


def batched_nms(boxes, scores, idxs, iou_threshold):
    """nms within each class idxs: boxes of different classes are moved apart."""
    if boxes.numel() == 0:
        return torch.empty((0,), dtype=torch.int64)
    apart = idxs.to(boxes) * (boxes.max() + 1)
    return nms(boxes + apart[:, None], scores, iou_threshold)
