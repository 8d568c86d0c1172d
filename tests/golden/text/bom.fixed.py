"""A byte-order mark."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    # guard
    _graphmend.raise_if(x.isnan().any(),
        lambda: ValueError("NaN"))  # trailing
    _graphmend.defer(print,
        "x",  # first
        x.shape,
    )

    def _if_true():
        y = x * 2
        y = y + w
        return y
    y = _graphmend.select((w > 0).all(), _if_true, lambda: x)
    return y
