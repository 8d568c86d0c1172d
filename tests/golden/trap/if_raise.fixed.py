"""The plain form, with constant arguments, none, and a class without a call."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def scale(x: torch.Tensor, w: torch.Tensor):
    _graphmend.raise_if(torch.isnan(x).any(),
        lambda: ValueError("x has NaN"))
    _graphmend.raise_if((w < 0).any(),
        lambda: RuntimeError)
    _graphmend.raise_if(x.sum() > 1e6, lambda: OverflowError())
    return x * w
