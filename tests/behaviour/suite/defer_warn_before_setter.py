"""Defer: a finally body whose property prints, after a warning that may be an error."""
import warnings

import torch
from torch import nn

ENTRY = "Net"
EXPECT = "declined"

warnings.filterwarnings("error", message="rank 2")


class Loud:
    def __init__(self):
        self.given = None

    @property
    def value(self):
        return self.given

    @value.setter
    def value(self, value):
        print("value", value)
        self.given = value


loud = Loud()


class Net(nn.Module):
    def forward(self, x):
        try:
            warnings.warn(f"rank {x.dim()}")
            x = x + 1
        finally:
            loud.value = 1
        return x


def compiled():
    return torch.compile(Net())


def observe():
    return loud.given


def cases():
    return [((torch.ones(*shape),), {}) for shape in ([2], [2, 2])]
