"""The arm may raise."""
import torch


@torch.compile
def run(x: torch.Tensor, ids: torch.Tensor, names: dict):
    if x.max() > 1:
        x = x[ids]
    y = names["scale"] if x.min() < 0 else 1
    return x * y
