"""recompile_print_calls"""
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
        print('calls', self.calls)
        return x + 1


compiled = torch.compile(Net())


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = Net()

    def forward(self, x):
        return self.m(x)


NETS = []


def bump(m, a):
    m.calls += 1


def make():
    n = Net()
    NETS.append(n)
    return n


def cases():
    return [((torch.tensor([float(i)]),), {}) for i in range(12) if not NETS or (setattr(NETS[-1], 'calls', NETS[-1].calls + 1) or True)]
