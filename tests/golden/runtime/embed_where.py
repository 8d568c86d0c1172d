# graphmend-test: fix --runtime=embed
"""A branch only: what the file carries of the runtime."""
import torch


@torch.compile
def run(x: torch.Tensor):
    if (x > 3).any():
        x = x - 1
    return x
