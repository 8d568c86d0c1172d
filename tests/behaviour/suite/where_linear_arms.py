"""Where: the arms use layers and a method of the module."""

import torch
from torch import nn

ENTRY = "make()"
EXPECT = "fixed"


class SwitchBlock(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.narrow = nn.Linear(width, width, bias=False)
        self.norm = nn.LayerNorm(width)

    def _squash(self, x):
        return torch.tanh(self.norm(x)) * 0.5

    def forward(self, x):
        score = x.mean()
        if score > 0:
            hidden = self.linear(x)
            out = self._squash(hidden)
        else:
            out = self.narrow(x) + x
        return out + score


def make():
    return SwitchBlock()


def cases():
    g = torch.Generator().manual_seed(15)
    x = torch.randn(3, 4, generator=g)
    return [((x.abs(),), {}), ((-x.abs(),), {}), ((x,), {}), ((torch.zeros(3, 4),), {})]
