"""A mask is dropped when it hides nothing: the two values have different types."""

import torch
from torch import nn

ENTRY, EXPECT = "Attend", "declined"


class Attend(nn.Module):
    def forward(self, q, mask):
        bias = mask if (mask < 0).any() else None
        scores = q @ q.transpose(-1, -2)
        if bias is not None:
            scores = scores + bias
        return scores.softmax(-1)


def cases():
    g = torch.Generator().manual_seed(20)
    q = torch.randn(3, 4, generator=g)
    m = torch.zeros(3, 3)
    n = m.clone()
    n[0, 2] = -1e9
    return [((q, m), {}), ((q, n), {})]
