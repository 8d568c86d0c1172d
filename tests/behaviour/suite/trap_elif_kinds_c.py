"""Attention scores are checked; NaN and overflow are told apart by own exception classes."""

import torch
from torch import nn


class NonFiniteError(ArithmeticError):
    def __init__(self, layer, kind):
        super().__init__(layer, kind)
        self.layer, self.kind = layer, kind


class OverflowInScores(NonFiniteError):
    pass


ENTRY, EXPECT = "Scores", "fixed"
EXPECT_BREAKS_BEFORE = 2


class Scores(nn.Module):
    def __init__(self, layer=3):
        super().__init__()
        self.layer = layer

    def forward(self, q, k):
        scores = q @ k.transpose(-1, -2)
        if torch.isnan(scores).any():
            raise NonFiniteError(self.layer, "nan")
        elif torch.isinf(scores).any():
            raise OverflowInScores(self.layer, "inf")
        return torch.softmax(scores, dim=-1)


def cases():
    g = torch.Generator().manual_seed(2)
    q, k = torch.randn(2, 3, 4, generator=g), torch.randn(2, 3, 4, generator=g)
    nan, inf = q.clone(), q.clone()
    nan[0, 0, 0], inf[1] = float("nan"), 3e38
    return [((q, k), {}), ((nan, k), {}), ((inf, k.abs() + 5), {})]
