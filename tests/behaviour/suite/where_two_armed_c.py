"""Rescaling of a residual stream: both arms set up names and give the same variable."""

import torch

ENTRY, EXPECT, SELF_COMPILED = "rescale", "fixed", True
EXPECT_BREAKS_BEFORE = 1


@torch.compile
def rescale(x, limit):
    norm = x.pow(2).sum(-1).max()
    if norm > limit.sum():
        factor = limit.sum() * 0.5
        y = x * factor
    else:
        shift = x.mean()
        y = x + shift
    return y.sin()


def cases():
    g = torch.Generator().manual_seed(11)
    x = torch.randn(3, 4, generator=g)
    return [((x, torch.tensor([1.0])), {}), ((x, torch.tensor([1000.0])), {})]
