"""Where: a choice that is given a name where it stands: the name is bound whichever side is taken."""

import torch
from torch import nn

ENTRY, EXPECT = "Net", "fixed"


class Net(nn.Module):
    def forward(self, x):
        z = w = x
        out = (z := x + 1 if x.sum() > 0 else x - 1) * 2
        parts = [w := x * 2 if x.mean() > 1 else x * 3, z]
        return out + torch.stack(parts).sum(0) + z + w


def cases():
    return [((torch.ones(3),), {}), ((-torch.ones(3),), {}), ((torch.full((3,), 2.0),), {})]
