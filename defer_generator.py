"""defer_generator"""
import collections, contextlib, dataclasses, io, logging, sys, types, typing, warnings
import numpy as np
import torch
from torch import nn

ENTRY = "make()"
EXPECT = "declined"
log = logging.getLogger("case")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.state = {}
        self.items = [1]
        pass

    def forward(self, x):
        g = (i for i in range(3))
        print(*g)
        print(list(g))
        return x + 1


compiled = torch.compile(Net())


def make():
    return Net()


def cases():
    return [((torch.tensor([-1.0, 2.0]),), {}), ((torch.tensor([-1.0, 9.0]),), {})]
