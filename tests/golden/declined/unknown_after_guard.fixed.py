"""What follows the guard could change the caller's tensor: modules that are not known, and in-place ones in containers."""

import functools

import torch
from torch import nn
from graphmend import runtime as _graphmend

class Given(nn.Module):
    def __init__(self, act=None):
        super().__init__()
        self.act = act or nn.Identity()

    def forward(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        return self.act(x) + 1


class Fresh(nn.Module):
    """The layer gets a tensor that was made here: fixed."""

    def __init__(self, act=None):
        super().__init__()
        self.act = act or nn.Identity()

    def forward(self, x):
        _graphmend.raise_if(x.sum() > 3,
            lambda: ValueError("large"), places=True)
        return self.act(x * 2) + 1


class Stacked(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.Sequential(nn.ReLU(inplace=True), nn.Linear(2, 2))

    def forward(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        return self.act(x)


class StackedAfterLinear(nn.Module):
    """Changes what the linear layer made: fixed."""

    def __init__(self):
        super().__init__()
        self.act = nn.Sequential(nn.Linear(2, 2), nn.ReLU(inplace=True))

    def forward(self, x):
        _graphmend.raise_if(x.sum() > 3,
            lambda: ValueError("large"))
        return self.act(x)


class Listed(nn.Module):
    def __init__(self):
        super().__init__()
        self.acts = nn.ModuleList([nn.Tanh(), nn.ReLU(True)])

    def forward(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        for act in reversed(self.acts):
            x = act(x)
        return x


def build(name):
    return nn.ReLU(inplace=True) if name == "relu" else nn.GELU()


class Built(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.act = build(name)

    def forward(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        return self.act(x)


class Partial(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = functools.partial(nn.functional.relu, inplace=True)

    def forward(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        return self.act(x)


class Hooked(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.Tanh()
        self.act.register_forward_pre_hook(lambda module, args: args[0].mul_(2))

    def forward(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        return self.act(x)


class LookUp(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Sequential(nn.Embedding(5, 2))

    def forward(self, ids):
        if (ids > 4).any():
            raise ValueError("large")
        return self.table(ids)


class UnknownLookUp(nn.Module):
    def __init__(self, table=None):
        super().__init__()
        self.table = table or nn.Identity()

    def forward(self, ids):
        ids = ids + 0
        if (ids > 4).any():
            raise ValueError("large")
        return self.table(ids)
