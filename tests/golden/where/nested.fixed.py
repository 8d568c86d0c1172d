"""Branches in branches, and in loops."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, w: torch.Tensor, n: int):
    def _if_true():
        y = _graphmend.select(w.sum() > 0,
            lambda: x + w,

            lambda: x - w)
        z = y * 2
        return z
    z = _graphmend.select(x.sum() > 0, _if_true, lambda: w)
    for i in range(n):
        z = _graphmend.select(z.max() > 1,
            lambda: z / 2, lambda: z, smooth=True)
    return z
