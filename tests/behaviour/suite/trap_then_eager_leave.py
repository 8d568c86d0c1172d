"""Trap: what the guard stands before registers things, but not while compiling."""
import torch
from torch import nn

ENTRY = "Net"
EXPECT = "fixed"
SEEN = []


def register(kind):
    if torch.compiler.is_compiling():
        return
    SEEN.append(kind.__name__)


class Result:
    def __init__(self, value: torch.Tensor):
        register(type(self))
        self.value = value


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        if (x > 3).any():
            raise ValueError("too big")
        y = self.scaled(x)
        if (x < -3).any():
            raise ValueError("too small")
        return Result(y).value

    def scaled(self, x: torch.Tensor):
        if torch.compiler.is_compiling():
            return x * 2
        SEEN.append("scaled")
        return x * 2


def compiled():
    return torch.compile(Net())


def observe():
    return list(SEEN)


def cases():
    return [((torch.tensor(row),), {}) for row in ([1.0, 2.0], [4.0, 0.0], [-5.0, 1.0])]
