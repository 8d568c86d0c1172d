"""Trap: after the guard the module is written to, attribute and buffer: a failing guard must leave both alone."""
import torch
from torch import nn

ENTRY = "make()"
EXPECT = "declined"


class RunningPeak(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("peak", torch.zeros(()))
        self.calls = 0
        self.last = None

    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("NaN in batch")
        self.calls += 1
        self.last = x.shape[0]
        self.peak = torch.maximum(self.peak, x.abs().max())
        if self.peak > 100:
            raise OverflowError("peak is too high")
        return x / (self.peak + 1)


def make():
    return RunningPeak()


def cases():
    x = torch.tensor([1.0, -3.0])
    return [((x,), {}), ((x * float("nan"),), {}), ((x * 100,), {})]
