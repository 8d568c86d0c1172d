"""Trap: a layer after the guard changes the caller's tensor, or looks its values up: it is built in place or comes from elsewhere."""
import functools

import torch
from torch import nn

ENTRY = "make_net"
EXPECT = "declined"


def build(name):
    return nn.ReLU(inplace=True) if name == "relu" else nn.GELU()


TABLE = {"relu": nn.ReLU(inplace=True), "gelu": nn.GELU()}


class Net(nn.Module):
    def __init__(self, act):
        super().__init__()
        self.given = act
        self.stacked = nn.Sequential(nn.Sequential(nn.ReLU6(inplace=True)), nn.Tanh())
        self.listed = nn.ModuleList([nn.Tanh(), nn.ReLU(True)])
        self.named = nn.ModuleDict({"a": nn.ReLU(inplace=True)})
        self.built = build("relu")
        self.of_table = TABLE["relu"]
        self.partial = functools.partial(nn.functional.relu, inplace=True)

    def stack(self, x):
        self.check(x)
        return self.stacked(x)

    def check(self, x):
        if x.sum() > 3:
            raise ValueError("large")

    def forward(self, x, kind):
        if x.sum() > 3:
            raise ValueError("large")
        if kind == "given":
            return self.given(x)
        if kind == "stacked":
            return self.stack(x)
        if kind == "listed":
            for act in reversed(self.listed):
                x = act(x)
            return x
        if kind == "named":
            return self.named["a"](x)
        if kind == "built":
            return self.built(x)
        return self.of_table(x) if kind == "table" else self.partial(x)


def make_net():
    return Net(nn.ReLU(True))


compiled = torch.compile(make_net())


def cases():
    kinds = ["given", "stacked", "listed", "named", "built", "table", "partial"]
    return [((torch.tensor([-1.0, 9.0]), kind), {}) for kind in kinds]
