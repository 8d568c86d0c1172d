"""A numerics check whose exception is caught in the same region and turned into a fallback."""

import torch

ENTRY, EXPECT, SELF_COMPILED = "stable", "declined", True


class Unstable(RuntimeError):
    pass


def checked_exp(x):
    y = x.exp()
    if torch.isinf(y).any():
        raise Unstable("exp overflows")
    return y


@torch.compile
def stable(x):
    x = x - x.mean()
    try:
        y = checked_exp(x)
    except Unstable:
        y = (x - x.max()).exp()
    return y / y.sum()


def cases():
    return [((torch.tensor([1.0, 2.0, 3.0]),), {}), ((torch.tensor([1.0, 2.0, 900.0]),), {})]
