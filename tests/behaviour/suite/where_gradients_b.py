"""The untaken arm has an infinite derivative: gradients must stay those of the taken arm."""

import torch

ENTRY = "make()"
EXPECT = "declined"
GRAD = True


class Loss(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([1.0, -1.0]))

    def forward(self, x):
        y = x * self.weight
        if (y > 0).all():
            loss = torch.log(y).sum()
        else:
            loss = (y * 3).sum()
        if y.sum() >= 0:
            scale = torch.sqrt(y.sum())
        else:
            scale = y.sum().abs()
        return loss + scale


def make():
    return Loss()


def cases():
    return [((torch.tensor(v),), {}) for v in ([1.0, -2.0], [0.0, 2.0], [-3.0, 1.0], [0.0, 0.0])]
