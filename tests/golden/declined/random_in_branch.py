"""The arm draws random numbers."""
import torch


@torch.compile
def run(x: torch.Tensor):
    if x.max() > 1:
        x = x + torch.rand_like(x)
    return x
