# graphmend-test: fix --trap=assert-async
"""torch.compile as a call."""
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        if torch.isnan(x).any():
            raise ValueError("NaN")
        else:
            y = x * 2
        return y


def main():
    net = torch.compile(Net(), mode="reduce-overhead")
    return net(torch.ones(2))
