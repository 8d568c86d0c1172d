"""Trap: a guard in every layer of a ModuleList and one more in the loop; the message names the layer."""
import torch
from torch import nn

ENTRY = "make()"
EXPECT = "fixed"


class Block(nn.Module):
    def __init__(self, width, factor):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.factor = factor

    def forward(self, x):
        y = self.linear(x) * self.factor
        if not torch.isfinite(y).all():
            raise FloatingPointError(f"block with factor {self.factor}")
        return x + y.relu()


class Stack(nn.Module):
    def __init__(self, width=3, depth=3):
        super().__init__()
        self.blocks = nn.ModuleList([Block(width, 10.0**i) for i in range(depth)])

    def forward(self, x):
        for i, block in enumerate(self.blocks):
            x = block(x)
            if x.abs().amax() > 1e6:
                raise OverflowError("activations explode", i)
        return x


def make():
    return Stack()


def cases():
    g = torch.Generator().manual_seed(107)
    x = torch.randn(2, 3, generator=g)
    return [((x,), {}), ((x * 1e5,), {}), ((x * 1e7,), {}), ((x * float("inf"),), {})]
