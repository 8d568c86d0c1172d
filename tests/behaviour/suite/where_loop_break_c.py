"""A refinement loop that stops early on the data, and one that runs while a tensor says so."""

import torch

ENTRY, EXPECT, SELF_COMPILED = "refine", "declined", True


@torch.compile
def refine(x):
    for _ in range(4):
        nxt = 0.5 * (x + 2.0 / x)
        if (nxt - x).abs().max() < 1e-3:
            break
        x = nxt
    while x.sum() > 4.0:
        x = x * 0.75
    return x


def cases():
    return [
        ((torch.tensor([1.0, 3.0]),), {}),
        ((torch.tensor([1.4142, 1.4142]),), {}),
        ((torch.tensor([50.0, 80.0]),), {}),
    ]
