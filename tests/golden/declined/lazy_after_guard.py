"""A lazy layer takes its parameters' shape from the first call, also from one that a guard would have refused."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.LazyLinear(3)
        self.tail = nn.Linear(3, 3)

    def forward(self, x):
        if x.isnan().any():
            raise ValueError("NaN")
        return self.head(x)


class Other(Net):
    def forward(self, x):
        if x.isnan().any():
            raise ValueError("NaN")
        return self.tail(x)


nets = torch.compile(Net()), torch.compile(Other())
