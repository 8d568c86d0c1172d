"""A clamp of what a decorated layer returns first, taken by its place, beside a cache that the next layer changes in place."""

import functools

import torch
from torch import nn

ENTRY, EXPECT = "build()", "fixed"


def renames(old, new):
    def wrap(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            if old in kwargs:
                kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return wrapper

    return wrap


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(4, 4)

    @renames("past", "cache")
    def forward(self, hidden, bias=None, cache=None):
        scores = self.q(hidden)
        if cache is not None:
            cache.add_(1)
        if bias is None:
            bias = scores.mean(0)
        scores += bias
        hidden = hidden + torch.softmax(scores, -1)
        return hidden, cache, bias


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.ModuleList([Layer(), Layer()])

    @renames("past", "cache")
    def forward(self, hidden, cache=None):
        first = self.layer[0](hidden, past=cache)
        hidden = first[0]
        rest = first[1:]
        if hidden.dtype == torch.float32 and hidden.max() > 1:
            hidden = torch.clamp(hidden, max=1.0)
        second = self.layer[1](hidden, bias=rest[1], cache=rest[0])
        hidden = second[0]
        if hidden.dtype == torch.float32 and hidden.max() > 0.5:
            hidden = torch.clamp(hidden, max=0.5)
        hidden.mul_(2)
        return (hidden,) + rest + second[1:]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = nn.ModuleList(Block() for _ in range(2))

    def forward(self, hidden):
        cache = torch.zeros(2)
        for block in self.block:
            hidden, *rest = block(hidden, past=cache)
        return hidden, cache, rest


def build():
    torch.manual_seed(0)
    return Net()


compiled = torch.compile(build())


def cases():
    x = torch.linspace(-1, 2, 8).view(2, 4)
    return [((s * x,), {}) for s in (2, 0.01, -1)]
