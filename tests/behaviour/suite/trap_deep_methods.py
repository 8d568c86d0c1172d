"""Trap: the guard stands two calls deep in self-methods, with work before and after every call."""

import torch
from torch import nn

ENTRY = "make()"
EXPECT = "fixed"


class RotaryTable(nn.Module):
    def __init__(self, dim=8, longest=16):
        super().__init__()
        self.longest = longest
        inverse = 1.0 / (10000 ** (torch.arange(0, dim, 2).float() / dim))
        self.register_buffer("inverse", inverse)

    def _check(self, positions):
        if (positions >= self.longest).any():
            raise IndexError(f"position beyond {self.longest}")
        if positions.min() < 0:
            raise IndexError("negative position")
        return positions.to(self.inverse.dtype)

    def _angles(self, positions):
        steps = self._check(positions)
        return steps.unsqueeze(-1) * self.inverse

    def forward(self, x, positions):
        half = x.shape[-1] // 2
        angles = self._angles(positions)
        cos, sin = angles.cos(), angles.sin()
        first, second = x[..., :half], x[..., half:]
        return torch.cat((first * cos - second * sin, first * sin + second * cos), dim=-1)


def make():
    return RotaryTable()


def cases():
    g = torch.Generator().manual_seed(8)
    x = torch.randn(2, 5, 8, generator=g)
    fine = torch.arange(5).expand(2, 5)
    return [((x, fine), {}), ((x, fine + 12), {}), ((x, fine - 1), {}), ((x,), {"positions": fine + 11})]
