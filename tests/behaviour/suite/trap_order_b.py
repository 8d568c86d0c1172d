"""Prints around two guards: what was printed before the guard that fails stays, what comes later does not."""

import torch

ENTRY = "schedule"
EXPECT = "fixed"


def schedule(step, sigma):
    print("step", step.shape[0])
    if (sigma <= 0).any():
        raise ValueError("sigma must be positive")
    scaled = step / sigma
    print("scaled", scaled.sum())
    if scaled.abs().max() > 1e3:
        raise OverflowError("step too large", 1e3)
    print("done")
    return scaled


compiled = torch.compile(schedule)


def cases():
    one = torch.ones(3)
    return [((one, one), {}), ((one, -one), {}), ((one * 1e6, one), {}), ((one * 1e6, -one), {})]
