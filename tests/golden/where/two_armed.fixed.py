"""Two arms: a conditional selection as an expression, or two functions."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    y = _graphmend.select(x.sum() > 0,
        lambda: x * 2,

        lambda: x * 3)
    def _if_true():
        low = x.abs()  # of the larger one
        z = x - low
        return z
    # of the smaller one
    z = _graphmend.select(x.mean() > w.mean(), _if_true, lambda: w.exp())
    y = _graphmend.select(w.sum() > 0,
        lambda: y + 1, lambda: y)


    return y + z
