"""Where: layer dropout with a rate above zero: which layers run depends on the draw, as it did."""
import torch
from torch import nn

ENTRY = "make()"
EXPECT = "declined"
GRAD = True


class Stack(nn.Module):
    def __init__(self, layerdrop):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        self.layerdrop = layerdrop

    def forward(self, x):
        for layer in self.layers:
            if self.training:
                dropout_probability = torch.rand([])
                if dropout_probability < self.layerdrop:
                    continue
            x = layer(x).relu()
        skip = True if self.training and (torch.rand([]) < self.layerdrop) else False
        return x if skip else x * torch.rand(4)


def make():
    torch.manual_seed(3)
    return Stack(0.5)


def cases():
    x = torch.arange(8.0).reshape(2, 4) / 8
    return [((x,), {}), ((-x,), {})]
