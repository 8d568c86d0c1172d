"""Defer: the text of a tensor that has a history names its grad_fn, that of a Parameter says so: neither may change."""
import torch
from torch import nn

ENTRY = "make()"
EXPECT = "declined"
GRAD = True


class Affine(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([1.0, 2.0]))

    def forward(self, x):
        print("weight", self.weight)
        y = x * self.weight
        print("product", y)
        print("plain", x, y.detach())
        z = y.exp()
        print(f"sum {z.sum()}", [z])
        return z.sum()


def make():
    return Affine()


def cases():
    return [((torch.tensor([0.5, -1.0]),), {}), ((torch.tensor([0.0, 1.0], requires_grad=True),), {})]
