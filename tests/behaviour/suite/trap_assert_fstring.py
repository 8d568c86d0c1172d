"""Trap: asserts with formatted messages (an assert with constant text would not break the graph)."""

import torch

ENTRY = "mix_experts"
EXPECT = "fixed"


def mix_experts(logits, outputs, top=2):
    probabilities = torch.softmax(logits, dim=-1)
    total = probabilities.sum(dim=-1)
    assert torch.isfinite(total).all(), f"router produced non-finite rows for {top} experts"
    weights, chosen = probabilities.topk(top, dim=-1)
    assert (weights[..., 0] > 0.2).all(), f"router too flat: {weights[..., 0]}"
    weights = weights / weights.sum(dim=-1, keepdim=True)
    picked = torch.take_along_dim(outputs, chosen.unsqueeze(-1), dim=1)
    return (weights.unsqueeze(-1) * picked).sum(dim=1)


compiled = torch.compile(mix_experts)


def cases():
    g = torch.Generator().manual_seed(77)
    logits = torch.randn(3, 6, generator=g) * 3
    outputs = torch.randn(3, 6, 4, generator=g)
    infinite = logits.clone()
    infinite[0, 0] = float("inf")
    flat = torch.zeros(3, 6)
    return [((logits, outputs), {}), ((infinite, outputs), {}), ((flat, outputs), {}), ((logits, outputs, 3), {})]
