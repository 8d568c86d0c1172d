"""Prints in a loop and in the forward of a submodule keep their order."""

import torch
from torch import nn

ENTRY, EXPECT = "Stack", "fixed"
EXPECT_BREAKS_BEFORE = 4


class Layer(nn.Module):
    def __init__(self, index):
        super().__init__()
        self.index = index

    def forward(self, x):
        print(f"layer {self.index}: {x.mean():.3f}")
        return x * 2 + self.index


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer(i) for i in range(3))

    def forward(self, x):
        for step, layer in enumerate(self.layers):
            print("before", step)
            x = layer(x)
        print("last", x.sum().item())
        return x


def cases():
    return [((torch.tensor([0.5, 1.5]),), {}), ((torch.tensor([-0.5, 1.5]),), {})]
