"""In training: dropout in one arm, look-ups in both, parameters in one arm only, whose .grad stays None where it is not taken."""
import torch
from torch import nn

ENTRY, EXPECT, GRAD = "make()", "declined", True


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(3, 3)
        self.other = nn.Linear(3, 3)
        self.drop = nn.Dropout(0.5)

    def forward(self, x, ids):
        h = self.mix(x)
        if h.mean() > 0:
            h = self.drop(h)
        if ids.max() < 3:
            h = h[ids]
        else:
            h = h * 2
        if h.std() > 1:
            h = self.other(h)[ids % 3]
        return h


def make():
    torch.manual_seed(1)
    return Mixed()


def cases():
    x = torch.arange(9.0).reshape(3, 3) / 5
    each = ((x, [0, 1, 1]), (-x, [3, 1, 0]), (x * 5, [0, 1, 1]))
    return [((v.clone().requires_grad_(), torch.tensor(i)), {}) for v, i in each]
