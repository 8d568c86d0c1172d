"""The selected tensor is changed in place: its other name must see it."""
import torch


@torch.compile
def run(x: torch.Tensor):
    out = x
    if x.max() > 1:
        out = x * 2
    out.add_(1)
    return out, x
