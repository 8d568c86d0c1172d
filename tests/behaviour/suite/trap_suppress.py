"""Trap: `with suppress(ValueError)` in the caller swallows what the guard raises."""
from contextlib import suppress

import torch

ENTRY = "refine"
EXPECT = "declined"


def newton_step(x, slope):
    if (slope.abs() < 1e-6).any():
        raise ValueError("slope vanishes")
    return x - (x * x - 2) / slope


def refine(x, damping):
    slope = 2 * x * damping
    with suppress(ValueError):
        x = newton_step(x, slope)
    return x, slope.sum()


compiled = torch.compile(refine)


def cases():
    x = torch.tensor([1.0, 2.0, 3.0])
    return [((x, torch.tensor(1.0)), {}), ((x, torch.tensor(0.0)), {})]
