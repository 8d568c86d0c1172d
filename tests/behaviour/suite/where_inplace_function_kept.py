"""Where: a function that an attribute holds changes a view in place: the selected value must be that view."""

import torch
import torch.nn.functional as F

ENTRY, EXPECT = "Net", "declined"

ACTS = {"relu": F.relu_, "tanh": torch.tanh_}


class Net(torch.nn.Module):
    def __init__(self, inplace=True, name="tanh"):
        super().__init__()
        self.act = F.relu_ if inplace else F.relu
        self.other = ACTS[name]

    def forward(self, x):
        h = x.clone()
        if h.sum() > 0:
            a = h[0]
        else:
            a = h[1]
        self.act(a)
        b = h[2] if h.sum() > 0 else h[3]
        self.other(b)
        return h * 1


def cases():
    return [((torch.full((4, 2), value),), {}) for value in (1.0, -1.0)]
