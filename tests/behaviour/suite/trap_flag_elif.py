"""Trap: `if flag and (x < 0).any(): raise`, then an if/elif chain of raises; the first true test decides."""

import torch

ENTRY = "poisson_nll"
EXPECT = "fixed"


def poisson_nll(rate, counts, validate=True, eps=1e-8):
    if validate and (rate < 0).any():
        raise ValueError("rates must not be negative")
    if torch.isnan(counts).any():
        raise FloatingPointError("counts contain NaN")
    elif (counts < 0).any():
        raise ValueError("counts must not be negative")
    elif counts.max() > 1000:
        raise OverflowError("counts beyond 1000", tuple(counts.shape))
    log_rate = torch.log(rate.clamp_min(eps))
    per_item = rate - counts * log_rate
    return per_item.mean(), per_item


compiled = torch.compile(poisson_nll)


def cases():
    g = torch.Generator().manual_seed(3)
    rate = torch.rand(2, 3, generator=g) + 0.1
    counts = torch.tensor([[0.0, 1.0, 4.0], [2.0, 7.0, 3.0]])
    nan, negative, huge = counts.clone(), counts.clone(), counts.clone()
    nan[0, 0] = float("nan")
    negative[1, 1] = -1.0
    huge[0, 2] = 5000.0
    both = negative.clone()
    both[0, 2] = 5000.0
    return [
        ((rate, counts), {}),
        ((-rate, counts), {}),
        ((-rate, counts), {"validate": False}),
        ((rate, nan), {}),
        ((rate, negative), {}),
        ((rate, huge), {}),
        ((rate, both), {"validate": False}),
        ((-rate, nan), {}),
    ]
