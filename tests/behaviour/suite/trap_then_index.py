"""Trap: the guard protects an indexing that itself fails on bad data: the guard's exception must still win."""

import torch

ENTRY = "gather_rows"
EXPECT = "declined"


def gather_rows(table, index, offset):
    limit = table.shape[0]
    if (index >= limit).any():
        raise KeyError("row index out of range", limit)
    rows = table[index]
    centred = rows - rows.mean(dim=-1, keepdim=True)
    moved = centred + offset
    return torch.nn.functional.normalize(moved, dim=-1)


compiled = torch.compile(gather_rows)


def cases():
    g = torch.Generator().manual_seed(4)
    table = torch.randn(6, 3, generator=g)
    offset = torch.randn(3, generator=g)
    good = torch.tensor([0, 5, 2, 2])
    return [((table, good, offset), {}), ((table, good + 1, offset), {}), ((table, good - 3, offset), {})]
