"""An arm may change what it makes itself."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def lists(x: torch.Tensor):
    def _if_true():
        parts = []
        for i in range(3):
            parts.append(x * i)
        y = torch.cat(parts)
        return y
    y = _graphmend.select_one(x.max() > 1, _if_true, lambda: x.repeat(3))
    return y


@torch.compile
def tensors(x: torch.Tensor):
    def _if_true():
        h = x.clone()
        h[0] = 7
        h.mul_(2).add_(1)
        h += 1
        return h
    return _graphmend.select(x.max() > 1, _if_true, lambda: x * 3)
