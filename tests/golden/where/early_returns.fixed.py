"""Early returns: what follows becomes the other arm."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def one(x: torch.Tensor):
    if (x > 0).all():
        return x

    # the rest
    low = x.min(-1, keepdim=True).values
    return x - low + 1  # above zero


@torch.compile
def pair(x: torch.Tensor, w: torch.Tensor):
    y = x + w
    def _if_true():
        clean = torch.nan_to_num(y)
        return clean, w
    def _if_false():
        return _graphmend.select(y.sum() > 9,
            lambda: (y / 9, w),

            lambda: (y, w))
    return _graphmend.select(y.isnan().any(), _if_true, _if_false)


class Block(torch.nn.Module):
    def forward(self, x: torch.Tensor, flag: bool = False):
        if flag:
            return x
        if x.max() > 100: return x / 100
        return x * 2
