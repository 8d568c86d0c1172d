"""Early returns: what follows becomes the other arm."""
import torch


@torch.compile
def one(x: torch.Tensor):
    if (x > 0).all():
        return x

    # the rest
    low = x.abs()
    return x - low + 1  # above zero


@torch.compile
def pair(x: torch.Tensor, w: torch.Tensor):
    y = x + w
    if y.isnan().any():
        clean = torch.nan_to_num(y)
        return clean, w
    elif y.sum() > 9:
        return y / 9, w
    else:
        return y, w


@torch.compile
class Block(torch.nn.Module):
    def forward(self, x: torch.Tensor, flag: bool = False):
        if flag:
            return x
        if x.max() > 100: return x / 100
        return x * 2
