"""`not` at the top of a test turns raise_if into raise_unless; deeper it stays a negation."""
import torch


@torch.compile
def normalize(x: torch.Tensor, w: torch.Tensor):
    if not torch.isfinite(x).all():
        raise ValueError("x is not finite")
    if not (not (w > 0).all()):
        raise ValueError("w is positive")
    if not (x > 0).all() or (w > 9).any():
        raise ValueError("one or the other")
    return x / w.abs().sum()
