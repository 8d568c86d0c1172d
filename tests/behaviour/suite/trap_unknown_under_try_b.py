"""Trap: a call that cannot be resolved stands under a handler. Here it is the guarded module itself."""

import torch
from torch import nn

ENTRY = "make()"
EXPECT = "declined"


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
    return Model(Positive())


def cases():
    x = torch.tensor([1.0, 2.0, 3.0])
    return [((x,), {}), ((-x,), {}), ((x + 1,), {})]
