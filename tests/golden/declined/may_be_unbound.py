"""Names that may have no value where they would be read."""
import torch


@torch.compile
def run(x: torch.Tensor, flag: bool):
    if flag:
        limit = 3
    if x.max() > 1 and x.min() > 0:
        x = x * limit
    if x.isnan().any():
        raise ValueError(limit)
    return x


@torch.compile
def in_class(x: torch.Tensor):
    class Kept:
        by = 2
        value = x * by if x.sum() > 0 else x

    return Kept.value
