"""One-armed branches: the other arm keeps the value."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    x = _graphmend.select(x.max() > 1,
        lambda: x / 2, lambda: x, smooth=True)
    x = _graphmend.select(x.isnan().any(), lambda: torch.nan_to_num(x), lambda: x, smooth=True)
    def _if_true(w, x):
        w = w.abs()
        x = x + w
        return w, x
    w, x = _graphmend.select((w > 0).all(), lambda w, x: (w, x), _if_true, w, x)
    return x, w
