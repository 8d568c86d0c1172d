"""Costly arms in each other, and a loop: torch.cond in torch.cond."""
import torch

ENTRY, EXPECT = "work", "fixed"


def work(x):
    y = x + 1
    if x.min() < -1:
        for _ in range(2):
            y = y / 2
    elif x.std() > 0.5:
        y = torch.sort(y, dim=-1).values
    return y


compiled = torch.compile(work)


def cases():
    x = torch.arange(12.0).reshape(3, 4) / 10
    return [((v,), {}) for v in (x * 2, -x * 2, x / 9)]
