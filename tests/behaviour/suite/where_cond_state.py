"""A module that keeps statistics, writes in place and on attributes in one arm: nothing may change where it is not taken."""
import torch
from torch import nn

ENTRY, EXPECT = "make()", "declined"


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4, affine=False)
        self.register_buffer("seen", torch.zeros(4))
        self.calls = 0

    def forward(self, x):
        if x.mean() > 0:
            x = self.norm(x)
        if x.std() > 2:
            self.seen.add_(torch.rand(4))
            x = x / 2
        if x.max() > 1:
            self.calls += 1
            x = x + torch.rand_like(x)
        return x


def make():
    return Norm()


def cases():
    g = torch.Generator().manual_seed(4)
    x = torch.randn(3, 4, generator=g)
    return [((x + 1,), {}), ((x - 1,), {}), ((x * 9 - 9,), {}), ((x - 4,), {})]
