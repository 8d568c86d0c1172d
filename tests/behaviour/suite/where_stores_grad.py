"""Where: a store in place that autograd would refuse, or fail at in the backward pass, does so only where it is made."""

import torch
from torch import nn

ENTRY, EXPECT, GRAD = "Net", "declined", True


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))

    def forward(self, x, kind: int):
        test = x.sum() > 0
        if kind == 0:  # the result of exp is kept
            h = (x * self.weight).exp()
            if test:
                h[0] = 0.0
            return h.sum()
        if kind == 1:  # a factor is kept that needs no gradient itself
            h = x + 1
            y = h * self.weight
            if test:
                h[0] = 0.0
            return y.sum() + h.sum()
        if kind == 2:  # or a view of it
            h = x + 1
            y = h.unsqueeze(0) * self.weight
            if test:
                h += 1
            return y.sum() + h.sum()
        if kind == 3:  # places are kept
            h = (x > 0).long() + 1
            y = self.weight[h]
            if test:
                h[0] = 3
            return y.sum() + h.sum()
        if kind == 4:  # a leaf
            h = torch.zeros(4, requires_grad=True)
            if test:
                h[0] = 1.0
            return (h * self.weight).sum()
        if kind == 5:  # what is stored needs a gradient
            h = x + 1
            if test:
                h[0] = self.weight.sum()
            return h.sum()
        if kind == 6:
            h = x * self.weight
            with torch.no_grad():
                if test:
                    h[0] = 1.0
            return h.sum()
        if kind == 7:  # kept in an earlier graph
            h = x + 1
            y = h * self.weight
            torch._dynamo.graph_break()
            if test:
                h[0] = 0.0
            return y.sum() + h.sum()
        if kind == 8:  # an operator of several steps, one of which keeps what comes of it
            h = torch.softmax(x * self.weight, 0)
            if (h > 0.5).any():
                h[h > 0.5] = 0.5
            return h.square().sum()
        h = x * self.weight
        mask = h > 1
        if mask.any():
            h[mask] = 0.0
        return h.square().sum()


def cases():
    up, down = torch.tensor([1.0, 2.0, 3.0, -1.0]), torch.tensor([-1.0, -2.0, -3.0, 1.0])
    return [((x.clone(), kind), {}) for kind in range(10) for x in (up, down)]
