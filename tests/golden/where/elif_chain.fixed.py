"""An elif chain on tensor values, and one with a static test."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, mode: str):
    y = _graphmend.select(x.max() > 10,
        lambda: x / 10,
        lambda: _graphmend.select(x.max() > 1,
            lambda: x * 0.5,

            lambda: x))
    if mode == "raw":
        z = y
    else:
        z = _graphmend.select(y.min() < 0, lambda: y.abs(),

            lambda: y.sqrt())
    return z
