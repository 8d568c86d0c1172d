"""Trap, declined: attributes and a dict are written before the guard, and seen by whoever catches the exception."""
import torch
from torch import nn

ENTRY = "make()"
EXPECT = "declined"


class Meter(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.last = {}

    def forward(self, x):
        self.calls += 1
        self.last["mean"] = x.mean()
        if x.isnan().any():
            raise ValueError("NaN in call", self.calls)
        self.good = self.calls
        return x * self.calls


MADE = []


def make():
    MADE.append(Meter())
    return MADE[-1]


def observe():
    module = MADE[-1]
    return module.calls, sorted(module.last), getattr(module, "good", None)


def cases():
    x = torch.tensor([1.0, 2.0])
    return [((x,), {}), ((x / 0 * 0,), {}), ((x + 1,), {})]
