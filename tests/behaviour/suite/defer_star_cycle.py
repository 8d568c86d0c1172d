"""Defer, declined: modules that import each other's names hand on a print that is none of Python's."""
import _stars_first
import torch
from _stars_second import *

ENTRY = "step"
EXPECT = "declined"


def step(x):
    y = _stars_first.print("first", x)
    print("second", y)
    return y + 1


compiled = torch.compile(step)


def observe():
    return _stars_first.SEEN


def cases():
    return [((torch.tensor([1.0, 2.0]),), {})]
