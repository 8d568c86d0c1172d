"""defer_level"""
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
        log.info('one')
        log.setLevel(logging.INFO)
        log.info('two')
        log.setLevel(logging.WARNING)
        return x + 1


compiled = torch.compile(Net())


def make():
    return Net()


def cases():
    return [((torch.tensor([-1.0, 2.0]),), {}), ((torch.tensor([-1.0, 9.0]),), {})]
