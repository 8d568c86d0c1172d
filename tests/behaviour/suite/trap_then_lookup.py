"""Trap: what the guard refuses is looked up after it, where it would fail by itself: the guard's exception comes first."""

import torch
import torch.nn.functional as F
from torch import nn

ENTRY, EXPECT, GRAD = "Lookup", "fixed", True


class Lookup(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(6, 4)
        nn.init.constant_(self.table.weight, 0.5)

    def forward(self, ids, rows, kind: int):
        if (ids >= 6).any():
            raise ValueError(f"large: {ids}")
        hidden = self.table(ids)
        if not (ids >= 0).all():
            raise KeyError("negative")
        if kind == 0:
            return hidden + F.embedding(ids - 2, self.table.weight).sum()
        if kind == 1:
            return hidden, rows.gather(1, ids), rows.index_select(0, ids[:, 0])
        return torch.take_along_dim(rows, ids) * hidden.sum()


compiled = torch.compile(Lookup())


def cases():
    good, large, negative = torch.tensor([[2, 5], [3, 2]]), torch.tensor([[2, 6], [3, 2]]), torch.tensor([[2, 5], [-1, 2]])
    both, beyond = torch.tensor([[-7, 9], [3, 2]]), torch.tensor([[2, 5], [0, 2]])
    rows = torch.arange(36.0).view(6, 6).sin()
    return [((ids, rows, kind), {}) for kind in range(3) for ids in (good, large, negative, both, beyond)]
