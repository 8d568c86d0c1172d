"""What comes after the guard changes a tensor of the caller."""
import torch


@torch.compile
def run(x: torch.Tensor, total: torch.Tensor):
    if x.isnan().any():
        raise ValueError("NaN")
    total.add_(x.sum())
    return x
