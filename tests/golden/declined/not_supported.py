"""No rewrite exists."""
import torch


@torch.compile
def run(x: torch.Tensor):
    n = x.sum().item()
    return x * n
