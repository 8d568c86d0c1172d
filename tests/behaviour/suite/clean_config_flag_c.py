"""The predicate looks like a tensor test and is a Python bool of the configuration."""

import torch
from torch import nn

ENTRY, EXPECT = "make_norm", "clean"


class Config:
    def __init__(self, mask_any, bound):
        self.mask_any, self.bound = mask_any, bound

    def any(self):
        return self.mask_any


class Norm(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.mask = config
        self.max = config.bound

    def forward(self, hidden):
        if self.mask.any() and self.max > 1:
            hidden = torch.clamp(hidden, -self.max, self.max)
        return hidden / hidden.norm()


def make_norm():
    return Norm(Config(True, 2.0))


def cases():
    return [((torch.tensor([3.0, -4.0]),), {})]
