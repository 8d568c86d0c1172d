"""not, and, or and chains of comparisons between tensors."""
import torch


@torch.compile
def guards(x: torch.Tensor, w: torch.Tensor):
    if x.isnan().any() or w.isnan().any():
        raise ValueError("NaN")
    if x.min() > 0 and w.min() > 0 and (x == w).all():
        raise ValueError("the same")
    if 0 < x.max() < 1:
        raise ValueError("small")
    if not 0 <= w.min() <= 1:
        raise ValueError("outside")
    if x.max() > 9 and not (w.max() > 9 or w.min() < -9):
        raise ValueError("x alone")
    if x.sum():
        raise ValueError("nonzero sum")
    return x + w
