"""Where: data-dependent ternaries, one inside a larger expression and one in a keyword argument."""

import torch

ENTRY = "smooth_update"
EXPECT = "fixed"


def smooth_update(running, observed, momentum):
    drift = (observed - running).abs().max()
    step = observed * 2 if drift > 1 else observed + running
    blended = momentum * running + (1 - momentum) * step
    bounded = torch.clamp(blended, max=(step.amax() if blended.sum() < 0 else running.amax() + 1))
    return bounded, drift


compiled = torch.compile(smooth_update)


def cases():
    g = torch.Generator().manual_seed(13)
    a = torch.randn(4, generator=g)
    b = torch.randn(4, generator=g)
    return [
        ((a, b * 5, 0.9), {}),
        ((a, a + 0.1, 0.9), {}),
        ((-a.abs(), -b.abs() * 9, 0.5), {}),
        ((a.abs(), b.abs() * 0.1), {"momentum": 0.1}),
    ]
