"""defer_dict_subclass"""
import collections, contextlib, dataclasses, io, logging, sys, types, typing, warnings
import numpy as np
import torch
from torch import nn

ENTRY = "make()"
EXPECT = "declined"
log = logging.getLogger("case")
class L(dict):
    pass


def show(o):
    print('o', o)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.state = {}
        self.items = [1]
        self.l = L(a=1)

    def forward(self, x):
        show(self.l)
        self.l['b'] = 2
        return x + 1


compiled = torch.compile(Net())


def make():
    return Net()


def cases():
    return [((torch.tensor([-1.0, 2.0]),), {}), ((torch.tensor([-1.0, 9.0]),), {})]
