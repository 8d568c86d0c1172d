"""Branches in branches, and in loops."""
import torch


@torch.compile
def run(x: torch.Tensor, w: torch.Tensor, n: int):
    if x.sum() > 0:
        if w.sum() > 0:
            y = x + w
        else:
            y = x - w
        z = y * 2
    else:
        z = w
    for i in range(n):
        if z.max() > 1:
            z = z / 2
    return z
