"""Branches that look at shapes, None, types, dtypes and flags: nothing here breaks a graph."""

import torch
from torch import nn

ENTRY, EXPECT = "Positions", "clean"


class Positions(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.dim = dim
        self.proj = nn.Linear(dim, dim)

    def forward(self, x, offset=None):
        if x.shape[-1] != self.dim:
            raise ValueError(f"expected {self.dim} features, got {x.shape[-1]}")
        if offset is None:
            offset = torch.zeros(1)
        elif isinstance(offset, (int, float)):
            offset = torch.tensor([float(offset)])
        if self.training and x.dtype is torch.float32:
            x = x * 1.5
        if not torch.is_tensor(offset) or x.size(0) > 100:
            return x
        return self.proj(x + offset)


def cases():
    g = torch.Generator().manual_seed(24)
    x = torch.randn(2, 4, generator=g)
    return [((x,), {}), ((x, 2), {}), ((x, torch.ones(1)), {})]
