# graphmend-test: fix --runtime=embed
"""A guard only: what the file carries of the runtime."""
import torch


@torch.compile
def run(x: torch.Tensor):
    if (x > 3).any():
        raise ValueError("too big")
    return x
