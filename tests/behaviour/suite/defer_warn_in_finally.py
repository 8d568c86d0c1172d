"""Defer: a warning in a try whose finally body puts state back, as a decorator of transformers 5 does; it may be an error."""
import functools
import warnings
from contextvars import ContextVar

import torch
from torch import nn

ENTRY = "Net"
EXPECT = "fixed"


class Collector:
    """A context variable; while compiling, an attribute."""

    def __init__(self):
        self.variable = ContextVar("collected", default=None)
        self.value = None
        self.compiling = False

    def set(self, value):
        if torch.compiler.is_compiling():
            self.value = value
            self.compiling = True
            return None
        return self.variable.set(value)

    def reset(self, token):
        if self.compiling or token is None:
            self.value = None
            self.compiling = False
        else:
            self.variable.reset(token)


collector = Collector()
warnings.filterwarnings("error", message="rank 3")


def collecting(function):
    @functools.wraps(function)
    def wrapper(self, x):
        token = collector.set([])
        try:
            y = function(self, x)
        finally:
            collector.reset(token)
        return y

    return wrapper


class Inner(nn.Module):
    @collecting
    def forward(self, x):
        if x.dim() > 1:
            warnings.warn(f"rank {x.dim()}")
        return x + 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    @collecting
    def forward(self, x):
        print("in")
        y = self.inner(x * 2)
        print("out")
        return y


def compiled():
    return torch.compile(Net())


def observe():
    return collector.value, collector.compiling, collector.variable.get()


def cases():
    return [((torch.ones(*shape),), {}) for shape in ([2], [2, 2], [2, 2, 2])]
