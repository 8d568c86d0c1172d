"""Where: only one arm assigns; its scratch names die there, `boxes` existed before."""

import torch

ENTRY = "clip_boxes"
EXPECT = "fixed"


def area(boxes):
    sides = boxes[:, 2:] - boxes[:, :2]
    return sides.prod(dim=1)


def clip_boxes(boxes, height, width):
    limit = torch.tensor([width, height, width, height], dtype=boxes.dtype, device=boxes.device)
    areas = area(boxes)
    if (boxes > limit).any():
        overflow = (boxes - limit).clamp_min(0)
        boxes = boxes - overflow
        areas = area(boxes)
    keep = areas > 0.5
    return boxes, areas, keep


compiled = torch.compile(clip_boxes)


def cases():
    inside = torch.tensor([[0.0, 0.0, 2.0, 3.0], [1.0, 1.0, 1.5, 1.5]])
    outside = torch.tensor([[0.0, 0.0, 9.0, 3.0], [4.0, 4.0, 7.0, 8.0]])
    return [((inside, 5, 6), {}), ((outside, 5, 6), {}), ((outside,), {"height": 10, "width": 10})]
