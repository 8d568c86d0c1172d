"""Conditional expressions in an assignment, an argument, a return, and inside each other."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    scale = _graphmend.select(x.max() > 1, lambda: x * 2, lambda: w)
    y = torch.add(x, _graphmend.select(w.isnan().any(), lambda: x.abs(), lambda: w))
    z = _graphmend.select(x.sum() > 0, lambda: (x + 1), lambda: _graphmend.select(w.sum() > 0, lambda: (x - 1), lambda: x))
    y = y + _graphmend.select(
        # positive
        (x > 0).all(), lambda: x,
        lambda: -x
    )
    return _graphmend.select((w > x).all(), lambda: scale * y, lambda: z)
