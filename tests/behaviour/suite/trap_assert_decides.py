"""Trap: asserts with constant messages on more than one tensor's truth, which Dynamo does not take by itself."""

import torch
from torch import nn

ENTRY, EXPECT = "Net", "fixed"


class Net(nn.Module):
    def forward(self, x, kind: int):
        if kind == 0:
            assert not x.isnan().any()
        elif kind == 1:
            assert x.sum() > 0 and x.max() < 9, "both"
        elif kind == 2:
            assert not (x.sum() < 0 or x.max() < 0), "neither"
        elif kind == 3:
            assert x.sum() > 0 if x.max() > 0 else x.min() > -9, "one"
        else:
            assert x.max() < 9 or x.sum() > 0, "either"
        return x * 2


def cases():
    values = ([1.0, 2.0], [-1.0, 0.5], [float("nan"), 9.0], [-20.0, 10.0])
    return [((torch.tensor(value), kind), {}) for kind in range(5) for value in values]
