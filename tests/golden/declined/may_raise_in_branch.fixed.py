"""The arm may raise, and a shape that depends on values breaks the graph."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, names: dict):
    if x.max() > 1:
        x = x[x > 0]
    y = _graphmend.select(x.min() < 0, lambda: names["scale"], lambda: 1)
    return x * y
