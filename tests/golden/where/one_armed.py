"""One-armed branches: the other arm keeps the value."""
import torch


@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    if x.max() > 1:
        x = x / 2
    if x.isnan().any(): x = torch.nan_to_num(x)
    if not (w > 0).all():
        w = w.abs()
        x = x + w
    return x, w
