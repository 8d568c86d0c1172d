"""Two arms: a conditional selection as an expression, or two functions."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    y = _graphmend.select(x.sum() > 0,
        lambda: x * 2,

        lambda: x * 3)
    if x.mean() > w.mean():
        low = x.min(-1).values  # of the larger one
        z = x - low[..., None]
    else:
        # of the smaller one
        z = w.exp()
    def _if_true(y):
        y = y + 1
        return y
    def _if_false(y):
        pass
        return y
    y = _graphmend.select(w.sum() > 0, _if_true, _if_false, y)
    return y + z
