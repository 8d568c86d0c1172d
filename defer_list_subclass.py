"""defer_list_subclass"""
import collections, contextlib, dataclasses, io, logging, sys, types, typing, warnings
import numpy as np
import torch
from torch import nn

ENTRY = "make()"
EXPECT = "declined"
log = logging.getLogger("case")
class L(list):
    pass


def show(o):
    print('o', o)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.state = {}
        self.items = [1]
        pass

    def forward(self, x):
        l = L([1])
        show(l)
        l.append(2)
        return x + len(l)


compiled = torch.compile(Net())


def make():
    return Net()


def cases():
    return [((torch.tensor([-1.0, 2.0]),), {}), ((torch.tensor([-1.0, 9.0]),), {})]
