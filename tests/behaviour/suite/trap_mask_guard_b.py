"""A normalisation that refuses an all-masked batch."""

import torch

ENTRY = "normalise"
EXPECT = "fixed"


def normalise(x, mask):
    total = mask.sum(-1, keepdim=True)
    if not torch.all(total > 0):
        raise ValueError("every row needs at least one kept position")
    return (x * mask).sum(-1, keepdim=True) / total


compiled = torch.compile(normalise)


def cases():
    torch.manual_seed(1)
    x = torch.randn(3, 4)
    return [((x, torch.ones(3, 4)), {}), ((x, torch.tensor([[1.0, 1, 1, 1], [0, 0, 0, 0], [1, 0, 0, 0]])), {})]
