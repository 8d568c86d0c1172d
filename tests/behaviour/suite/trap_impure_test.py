"""Trap, declined: the right side of the test looks up what only the left side makes sure of, and draws random numbers."""
import torch

ENTRY = "embed"
EXPECT = "declined"


def embed(table, ids, noise):
    if (ids < len(table)).all() and table[ids].isnan().any():
        raise ValueError("an embedding has NaN", ids.tolist())
    if noise.max() > 1 and torch.rand(()) > 2:
        raise RuntimeError("never")
    return table[ids.clamp(0, len(table) - 1)] + noise + torch.rand(2)


compiled = torch.compile(embed)


def cases():
    g = torch.Generator().manual_seed(71)
    table = torch.randn(4, 2, generator=g)
    broken = table.clone()
    broken[1, 0] = float("nan")
    ids, outside = torch.tensor([0, 1]), torch.tensor([1, 9])
    small, large = torch.zeros(2), torch.full((2,), 3.0)
    return [((table, ids, small), {}), ((table, outside, large), {}), ((broken, ids, small), {}), ((broken, outside, small), {})]
