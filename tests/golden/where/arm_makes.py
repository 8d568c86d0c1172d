"""An arm may change what it makes itself."""
import torch


@torch.compile
def lists(x: torch.Tensor):
    if x.max() > 1:
        parts = []
        for i in range(3):
            parts.append(x * i)
        y = torch.cat(parts)
    else:
        y = x.repeat(3)
    return y


@torch.compile
def tensors(x: torch.Tensor):
    if x.max() > 1:
        h = x.clone()
        h[0] = 7
        h.mul_(2).add_(1)
        h += 1
        return h
    return x * 3
