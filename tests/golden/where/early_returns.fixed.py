"""Early returns: what follows becomes the other arm."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def one(x: torch.Tensor):
    def _if_false():

        # the rest
        low = x.abs()
        return x - low + 1  # above zero
    return _graphmend.select((x > 0).all(), lambda: x, _if_false)


@torch.compile
def pair(x: torch.Tensor, w: torch.Tensor):
    y = x + w
    def _if_true():
        clean = torch.nan_to_num(y)
        return clean, w
    return _graphmend.select(y.isnan().any(), _if_true, lambda: _graphmend.select(y.sum() > 9,
            lambda: (y / 9, w),

            lambda: (y, w)))


@torch.compile
class Block(torch.nn.Module):
    def forward(self, x: torch.Tensor, flag: bool = False):
        if flag:
            return x
        return _graphmend.select(x.max() > 100, lambda: x / 100,
            lambda: x * 2)
