"""defer_user_object"""
import collections, contextlib, dataclasses, io, logging, sys, types, typing, warnings
import numpy as np
import torch
from torch import nn

ENTRY = "make()"
EXPECT = "declined"
log = logging.getLogger("case")
class O:
    v = 0

    def __repr__(self):
        return f'O({self.v})'


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.state = {}
        self.items = [1]
        pass

    def forward(self, x):
        o = O()
        o.v = 1
        log.warning('%s', o)
        o.v = 2
        return x + o.v


compiled = torch.compile(Net())


def make():
    return Net()


def cases():
    return [((torch.tensor([-1.0, 2.0]),), {}), ((torch.tensor([-1.0, 9.0]),), {})]
