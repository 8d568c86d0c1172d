"""Two arms: a conditional selection as an expression, or two functions."""
import torch


@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    if x.sum() > 0:
        y = x * 2
    else:
        y = x * 3
    if x.mean() > w.mean():
        low = x.abs()  # of the larger one
        z = x - low
    else:
        # of the smaller one
        z = w.exp()
    if w.sum() > 0:
        y = y + 1
    else:
        pass
    return y + z
