"""Trap: `if not torch.all(m): raise ValueError("...")` on an attention padding mask, constant text."""

import torch

ENTRY = "masked_attention"
EXPECT = "fixed"


def masked_attention(query, key, value, keep):
    scale = query.shape[-1] ** -0.5
    rows = keep.any(dim=-1)
    if not torch.all(rows):
        raise ValueError("every query needs at least one visible key")
    scores = torch.matmul(query, key.transpose(-1, -2)) * scale
    scores = scores.masked_fill(~keep, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, value)


compiled = torch.compile(masked_attention)


def cases():
    g = torch.Generator().manual_seed(11)
    q, k, v = (torch.randn(2, 4, 8, generator=g) for _ in range(3))
    causal = torch.ones(4, 4, dtype=torch.bool).tril().expand(2, 4, 4).clone()
    empty_row = causal.clone()
    empty_row[1, 2] = False
    return [
        ((q, k, v, causal), {}),
        ((q, k, v, empty_row), {}),
        ((q, k, v), {"keep": torch.ones(2, 4, 4, dtype=torch.bool)}),
        ((q, k, v), {"keep": torch.zeros(2, 4, 4, dtype=torch.bool)}),
    ]
