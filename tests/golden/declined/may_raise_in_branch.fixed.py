"""The arm may raise."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, ids: torch.Tensor, names: dict):
    if x.max() > 1:
        x = x[ids]
    y = _graphmend.select(x.min() < 0, lambda: names["scale"], lambda: 1)
    return x * y
