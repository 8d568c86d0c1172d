"""A shape-and-value check that sits two helper methods below forward."""

import torch
from torch import nn

ENTRY, EXPECT = "Router", "fixed"
EXPECT_BREAKS_BEFORE = 3


class Router(nn.Module):
    def __init__(self, experts=4):
        super().__init__()
        self.experts = experts

    def _require(self, probs, what):
        total = probs.sum(-1)
        if not ((total - 1).abs() < 1e-4).all():
            raise RuntimeError(what, probs.shape[-1])

    def _validate(self, probs):
        if probs.dim() != 2:
            raise TypeError("two dimensions wanted")
        self._require(probs, "rows must sum to one")

    def forward(self, probs):
        self._validate(probs)
        top, at = probs.topk(2, dim=-1)
        return top / top.sum(-1, keepdim=True), at


def cases():
    g = torch.Generator().manual_seed(6)
    p = torch.softmax(torch.randn(3, 4, generator=g), -1)
    return [((p,), {}), ((p * 2,), {})]
