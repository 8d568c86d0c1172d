# graphmend-test: fix --runtime=embed
"""A print only: what the file carries of the runtime."""
import torch


@torch.compile
def run(x: torch.Tensor):
    print("x", x)
    return x
