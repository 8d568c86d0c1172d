"""Trap: after the guard the values that it rejects are looked up by a layer in a Sequential, or one that is not known."""
import torch
from torch import nn

ENTRY = "make_net"
EXPECT = "declined"


class Net(nn.Module):
    def __init__(self, table):
        super().__init__()
        self.given = table
        self.stacked = nn.Sequential(nn.Embedding(5, 2))

    def forward(self, ids):
        ids = ids + 0
        if (ids > 4).any():
            raise ValueError("large")
        return self.given(ids)


class Stacked(Net):
    def forward(self, ids):
        if (ids > 4).any():
            raise ValueError("large")
        return self.stacked(ids)


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.nets = nn.ModuleList([Net(nn.Embedding(5, 2)), Stacked(nn.Identity())])

    def forward(self, ids, which):
        return self.nets[which](ids)


def make_net():
    return Both()


compiled = torch.compile(make_net())


def cases():
    return [((torch.tensor([1, 9]), which), {}) for which in (0, 1)]
