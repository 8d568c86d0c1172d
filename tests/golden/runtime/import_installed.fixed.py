# graphmend-test: fix --runtime=import
"""The runtime of an installed graphmend."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor):
    _graphmend.defer(print, "x", x)
    return x
