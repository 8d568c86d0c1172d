"""Trap: a call that cannot be resolved stands under a handler. Whether it comes to the guard is seen while tracing."""

import torch
from torch import nn

ENTRY = "make()"
EXPECT = "fixed"


class Positive(nn.Module):
    def forward(self, x):
        if (x <= 0).any():
            raise ValueError("not positive")
        return x.log()


class Model(nn.Module):
    def __init__(self, fallback):
        super().__init__()
        self.positive = Positive()
        self.fallback = fallback

    def forward(self, x):
        try:
            y = self.fallback(x)
        except ValueError:
            y = x.abs()
        return self.positive(y + x)


def make():
    return Model(torch.nn.functional.relu)


def cases():
    x = torch.tensor([1.0, 2.0, 3.0])
    return [((x,), {}), ((-x,), {}), ((x + 1,), {})]
