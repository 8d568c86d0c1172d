"""Tabs, semicolons, one-line suites, a docstring with odd indentation."""

import torch
from torch import nn

ENTRY, EXPECT = "Net", "fixed"
EXPECT_BREAKS_BEFORE = 2
TEXT = {"keep": ["\t\tfirst = x * 2;", "an odd\n\t  docstring", "self.k=3"]}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 3

    def forward(self, x):
        """an odd
        docstring"""
        first = x * 2
        print("first", first.sum())
        if first.min() < 0:
            first = first.abs()
        return first / self.k


def cases():
    return [((torch.tensor([1.0, 2.0]),), {}), ((torch.tensor([1.0, -2.0]),), {})]
