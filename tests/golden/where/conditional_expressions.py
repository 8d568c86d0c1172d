"""Conditional expressions in an assignment, an argument, a return, and inside each other."""
import torch


@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    scale = x * 2 if x.max() > 1 else w
    y = torch.add(x, w if not w.isnan().any() else x.abs())
    z = (x + 1) if x.sum() > 0 else (x - 1) if w.sum() > 0 else x
    y = y + (
        x  # positive
        if (x > 0).all()
        else -x
    )
    return scale * y if (w > x).all() else z
