# graphmend-test: fix --runtime=module
"""The runtime as a module beside the file."""
import torch


@torch.compile
def run(x: torch.Tensor):
    print("x", x)
    return x
