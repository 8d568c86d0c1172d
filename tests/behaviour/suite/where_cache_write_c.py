"""An attribute is written in one branch only: a running cache of the last good value."""

import torch
from torch import nn

ENTRY, EXPECT = "Tracker", "declined"


class Tracker(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = torch.zeros(3)
        self.hits = 0

    def forward(self, x):
        if x.sum() > 0:
            self.last = x * 2
            self.hits = self.hits + 1
        return x + self.last


def cases():
    return [((torch.ones(3),), {}), ((-torch.ones(3),), {})]
