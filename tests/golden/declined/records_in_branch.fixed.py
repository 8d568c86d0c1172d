"""Only torch.cond could run the arm, and nothing can be recorded there."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor):
    if x.max() > 1:
        _graphmend.defer(print, "noise")
        x = x + torch.rand_like(x)
    return x
