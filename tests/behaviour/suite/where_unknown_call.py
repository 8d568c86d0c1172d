"""Where, declined: an arm calls what is only known at run time; it counts its calls and may raise."""
import torch
from torch import nn

ENTRY = "make()"
EXPECT = "declined"


class Counting:
    def __init__(self):
        self.calls = []

    def __call__(self, x):
        if self.calls and len(self.calls) > 3:
            raise RuntimeError("called too often")
        self.calls.append(tuple(x.shape))
        return x * 2


class Net(nn.Module):
    def __init__(self, act):
        super().__init__()
        self.act = act
        self.count = act

    def forward(self, x):
        if x.max() > 1:
            x = self.act(x)
        y = self.act(x) if x.min() > 1 else x
        return y


MADE = []


def make():
    MADE.append(Net(Counting()))
    return MADE[-1]


def observe():
    module = MADE[-1]
    return module.count.calls


def cases():
    x = torch.tensor([0.5, 0.25])
    return [((x,), {}), ((x * 3,), {}), ((x * 8,), {}), ((-x,), {})]
