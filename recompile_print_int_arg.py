"""recompile_print_int_arg"""
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

    def forward(self, x, s):
        print('s', s)
        return x + 1


compiled = torch.compile(Net())


def make():
    return Net()


def cases():
    return [((torch.ones(2), i), {}) for i in range(12)]
