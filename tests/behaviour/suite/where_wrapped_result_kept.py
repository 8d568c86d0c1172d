"""A decorator keeps what the layer returns, or gives another value instead: who changes the selection in place changes that."""

import torch
from torch import nn

ENTRY, EXPECT = "build()", "declined"
KEPT = []


def keeps(function):
    def wrapper(*args):
        result = function(*args)
        KEPT.append(result)
        return result

    return wrapper


def gives_others(function):
    def wrapper(self, hidden):
        if hidden.shape[0] == 2:
            return function(self, hidden)
        return hidden, hidden

    return wrapper


class Layer(nn.Module):
    @keeps
    def kept(self, hidden: torch.Tensor):
        return hidden * 2, hidden

    @gives_others
    def others(self, hidden: torch.Tensor):
        return hidden * 2, hidden


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = Layer()

    def forward(self, hidden):
        KEPT.clear()
        result = self.layer.kept(hidden)
        first = result[0]
        if first.max() > 1:
            first = torch.clamp(first, max=1.0)
        first.add_(1)
        result = self.layer.others(hidden)
        second = result[0]
        if second.max() > 1:
            second = torch.clamp(second, max=1.0)
        second.add_(1)
        return first, second


def build():
    return Net()


compiled = torch.compile(build())


def observe():
    return [[tensor.tolist() for tensor in pair] for pair in KEPT]


def cases():
    return [((s * torch.ones(n, 4),), {}) for n in (2, 3) for s in (2, 0.01)]
