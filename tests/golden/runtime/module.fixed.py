# graphmend-test: fix --runtime=module
"""The runtime as a module beside the file."""
import torch
import graphmend_runtime as _graphmend

@torch.compile
def run(x: torch.Tensor):
    _graphmend.defer(print, "x", x)
    return x
