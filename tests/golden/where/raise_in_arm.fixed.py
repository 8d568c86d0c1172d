"""A guard inside an arm raises only where that arm was meant."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    def _if_true():
        y = x / 2
        _graphmend.raise_if((y > 9).any(),
            lambda: ValueError("too large"))
        return y
    y = _graphmend.select(x.max() > 1, _if_true, lambda: x + w)
    return y
