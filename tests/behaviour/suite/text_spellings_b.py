"""Less usual ways to compile, wrapped and inherited code."""

import functools

import torch as t
from torch import compile as tc

ENTRY = "make()"
EXPECT = "fixed"


def noted(function):
    @functools.wraps(function)
    def inner(*args):
        print("call", function.__name__)
        return function(*args)

    return inner


class Base(t.nn.Module):
    def forward(self, x):
        if (x == 0).any():
            raise ZeroDivisionError("zero in input")
        return 1 / x


class Child(Base):
    @noted
    def scaled(self, x):
        return x * 2

    def forward(self, x):
        return self.scaled(super().forward(x))


class Runner:
    def __init__(self):
        self.model = tc(Child(), dynamic=False)


def make():
    return Child()


def cases():
    return [((t.tensor([1.0, 2.0]),), {}), ((t.tensor([1.0, 0.0]),), {})]
