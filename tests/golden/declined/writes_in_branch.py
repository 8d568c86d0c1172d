"""The arm writes more than local names."""
import torch
from torch import nn

count = 0


class Net(nn.Module):
    def forward(self, x: torch.Tensor, out: dict):
        global count
        if x.max() > 1:
            self.seen = x
        if x.max() > 2:
            out["x"] = x
        if x.max() > 3:
            count = 1
        if x.max() > 4:
            x.mul_(2)
        if x.max() > 5:
            x += 1
        return x
