"""What the two ways give can never be selected by torch.where."""
import torch


@torch.compile
def run(x: torch.Tensor, masked: bool):
    steps = 0
    for _ in range(3):
        if x.max() > 1:
            break
        x = x * 2
        steps += 1
    drop = False
    if x.sum() < 0:
        drop = True
    if x.min() < 0:
        scale = 2.0
    else:
        scale = x.mean()
    kept = x if x.min() > 0 else None
    if masked:
        if x.max() > 2:
            return x, steps, drop, kept, scale
        return None
    return x


@torch.compile
def zeros(x: torch.Tensor):
    if x.sum() > 0:
        k = 0.0
    else:
        k = -0.0
    if x.min() > 0:
        y, sign = x * 2, 1
    else:
        y, sign = x * 3, -1
    return y * k * sign
