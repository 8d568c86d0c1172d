"""The untaken branch has an infinite derivative: a select would turn the gradient into NaN."""

import torch
from torch import nn

ENTRY, EXPECT, GRAD = "Entropy", "declined", True


class Entropy(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([0.5, 1.5, 2.5]))

    def forward(self, p):
        h = p * self.weight
        if (h > 0).all():
            h = h * torch.log(h)
        else:
            h = h * 0.5
        return h.sum()


def cases():
    return [
        ((torch.tensor([0.2, 0.3, 0.5]).requires_grad_(),), {}),
        ((torch.tensor([0.2, 0.0, 0.5]).requires_grad_(),), {}),
    ]
