"""Static and data-dependent parts, and a walrus in the test."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, training: bool, mask=None):
    x = _graphmend.select(training and x.max() > 1,
        lambda: x / 2, lambda: x, smooth=True)
    x = _graphmend.select(mask is not None and _graphmend.either(mask.any(), lambda: x.isnan().any()),
        lambda: x * 2, lambda: x, smooth=True)
    x = _graphmend.select((peak := x.abs().max()) > 3,
        lambda: x / peak, lambda: x)
    return x, peak
