"""What is done in functions that keep their results is done once for each argument, as long as the graph breaks there."""

import functools
import logging
from functools import lru_cache

import torch
from torch import nn
from graphmend import runtime as _graphmend

logger = logging.getLogger(__name__)


@functools.lru_cache(maxsize=None)
def warn_once(message):
    logger.warning(message)


@functools.cache
def table(n):
    announce(n)
    made = torch.arange(n)
    if made.sum() > 100:
        raise ValueError("large")
    return made


def announce(n):
    print("a table of", n)


def once(function):
    @lru_cache(None)
    def kept(*args):
        return function(*args)

    return kept


@once
def said(text):
    print(text)


def say(text):
    print(text)


say_once = lru_cache(None)(say)


class Net(nn.Module):
    @staticmethod
    @lru_cache
    def scale(n):
        print("scale", n)
        return n**-0.5

    def forward(self, x):
        warn_once("slow")
        said("once")
        say_once("once more")
        _graphmend.defer(print, "each time")
        return x * self.scale(x.shape[-1]) + table(x.shape[-1])


compiled = torch.compile(Net())
