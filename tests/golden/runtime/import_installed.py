# graphmend-test: fix --runtime=import
"""The runtime of an installed graphmend."""
import torch


@torch.compile
def run(x: torch.Tensor):
    print("x", x)
    return x
