"""Defer: functions under functools.cache show something once for each argument, whichever function calls them how often."""

import functools
import logging

import torch
from torch import nn

ENTRY, EXPECT = "Net", "declined"
logger = logging.getLogger("kept")


@functools.lru_cache(maxsize=None)
def warn_once(message):
    logger.warning(message)


def announce(n):
    print("a table of", n)


@functools.cache
def table(n):
    announce(n)
    return torch.arange(float(n))


def once(function):
    @functools.lru_cache(None)
    def kept(*args):
        return function(*args)

    return kept


@once
def said(text):
    print(text)


class Layer(nn.Module):
    def forward(self, x):
        warn_once("slow")
        said("once")
        return x + table(x.shape[-1])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(3))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        print("each time", x)
        return x


compiled = torch.compile(Net())


def cases():
    return [((torch.ones(2, n),), {}) for n in (3, 4, 3)]
