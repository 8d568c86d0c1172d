"""Loops with a break inside loops with one, inside branches, and with branches inside."""
import torch

ENTRY, EXPECT = "work", "fixed"


def work(x: torch.Tensor, limit: torch.Tensor):
    for i in range(2):
        for k in [1.0, 2.0]:
            if x.sum() > limit:
                break
            x = x + k
        if x.max() > 6:
            x = x / 2
        x = x * (i + 1)
        if x.mean() > limit:
            x = x - 1
            break
        if x.min() < -3:
            x = x.abs()
    if x.sum() > 0:
        y = x
        for _ in range(2):
            y = y * 3
            if y.max() > 9:
                break
    else:
        y = x - 1
    return x, y


compiled = torch.compile(work)


def cases():
    x = torch.tensor([0.5, -1.0, 2.0])
    t = torch.tensor
    return [((x, t(4.0)), {}), ((x, t(100.0)), {}), ((-x * 2, t(0.0)), {})]
