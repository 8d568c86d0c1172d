# graphmend-test: fix --runtime=embed
"""The runtime's source in the file: the only case that holds it."""
import torch


@torch.compile
def run(x: torch.Tensor):
    print("x", x)
    return x
