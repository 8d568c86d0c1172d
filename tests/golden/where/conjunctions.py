"""Static and data-dependent parts, and a walrus in the test."""
import torch


@torch.compile
def run(x: torch.Tensor, training: bool, mask=None):
    if training and x.max() > 1:
        x = x / 2
    if mask is not None and (mask.any() or x.isnan().any()):
        x = x * 2
    if (peak := x.abs().max()) > 3:
        x = x / peak
    return x, peak
