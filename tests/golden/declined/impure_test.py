"""The right side would be evaluated although the left one decides."""
import torch


@torch.compile
def run(x: torch.Tensor, ids: torch.Tensor):
    if (ids < len(x)).all() and x[ids].isnan().any():
        raise ValueError("NaN")
    if 0 < x.max() < 1:
        raise ValueError("small")
    return x
