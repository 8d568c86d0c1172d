"""Where, declined: a branch inside the arm draws random numbers and writes an attribute, so that neither is rewritten."""
import torch
from torch import nn

ENTRY = "make()"
EXPECT = "declined"


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hits = 0

    def forward(self, x, w):
        if x.max() > 1:
            if w.max() > 1:
                x = x + torch.rand_like(x)
            y = x * 2
        else:
            if w.min() < 0:
                self.hits += 1
            y = w
        return y, torch.rand(2)


MADE = []


def make():
    MADE.append(Net())
    return MADE[-1]


def observe():
    module = MADE[-1]
    return module.hits


def cases():
    a, b = torch.tensor([0.5, 0.25]), torch.tensor([2.0, 3.0])
    return [((a, b), {}), ((b, a), {}), ((b, b), {}), ((a, -a), {})]
