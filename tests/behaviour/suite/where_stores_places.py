"""Where: a store in an arm that is not taken, at places that are not there, of more than a mask has, or of what does not fit."""

import torch
from torch import nn

ENTRY, EXPECT = "Net", "declined"


class Net(nn.Module):
    def forward(self, x, at, kind: int):
        test = x.sum() > 0
        h = x * 2
        if kind == 0:
            if test:
                c = h.clone()
                c[at] = 0
                h = c + 1
            return h
        if kind == 1:
            if test:
                c = h.clone()
                c[..., at] = 1
                h = c + 1
            return h
        if kind == 2:
            if test:
                h[at] = 0
            return h
        if kind == 3:
            if test:
                h[h > 4] = at
            return h
        if kind == 4:
            if test:
                h[[0, 7]] = 1
            return h
        if kind == 5:
            if test:
                h.masked_fill_(h > 1, 100000)
            return h
        if kind == 6:
            if test:
                h = h.clamp(max=100000)
            return h
        if kind == 7:
            if test:
                h = h.masked_fill(h > 1, 1e300)
            return h
        if kind == 8:
            if test:
                h *= 1.5
            return h
        if test:
            h.fill_(float("inf"))
        return h


def cases():
    inputs = []
    for dtype in (torch.float32, torch.float16, torch.int64):
        up, down = torch.tensor([1, 2, 3, -1], dtype=dtype), torch.tensor([-1, -2, -3, 1], dtype=dtype)
        for kind in range(10):
            inputs += [((up, torch.tensor([1, 3]), kind), {}), ((down, torch.tensor([1, 9]), kind), {})]
    return inputs
