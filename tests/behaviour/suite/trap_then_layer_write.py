"""Trap: what follows the guard changes a layer's own buffers, through another's call too, or switches the module."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

ENTRY, EXPECT = "Net()", "declined"
# Where it is rewritten, the runtime sees the write while tracing, and breaks the graph more often than the original.
TEXT = {"keep": ['        if torch.isnan(x).any():\n            raise ValueError("nan")\n']}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.norm = nn.BatchNorm1d(4)
        self.spectral = nn.utils.parametrizations.spectral_norm(nn.Linear(4, 4))
        self.block = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
        self.heads = nn.ModuleList([nn.Identity()])

    def forward(self, x, kind: str):
        if torch.isnan(x).any():
            raise ValueError("nan")
        x = x * 2
        if kind == "checkpoint":
            return checkpoint(self.norm, x, use_reentrant=False)
        if kind == "sequential":
            return checkpoint(self.block, x, use_reentrant=False)
        if kind == "functional":
            return torch.func.functional_call(self.norm, {}, (x,))
        if kind == "map":
            return list(map(self.norm, [x]))
        if kind == "spectral":
            return self.spectral(x)
        if kind == "train":
            self.train(not self.training)
            return x
        self.heads.append(nn.Identity())
        return x


def cases():
    kinds = ("checkpoint", "sequential", "functional", "map", "spectral", "train", "append")
    return [((torch.full((2, 4), value), kind), {}) for kind in kinds for value in (1.0, float("nan"))]
