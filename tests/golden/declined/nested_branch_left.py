"""A branch inside the arm was left."""
import torch


@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    if x.max() > 1:
        if w.max() > 1:
            x = x[x > 0]
        y = x
    else:
        y = w
    return y
