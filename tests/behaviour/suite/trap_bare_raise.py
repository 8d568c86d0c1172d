"""Trap, declined: the guard raises again what is being handled."""
import torch

ENTRY = "invert"
EXPECT = "declined"


def parse(shape):
    if len(shape) != 2:
        raise ValueError("not a matrix", tuple(shape))
    return shape[0]


def invert(x):
    try:
        n = parse(x.shape)
    except ValueError:
        if (x < 0).any():
            raise
        n = 1
    return x * n


compiled = torch.compile(invert)


def cases():
    return [((torch.ones(2, 2),), {}), ((torch.ones(3),), {}), ((-torch.ones(3),), {}), ((-torch.ones(2, 2),), {})]
