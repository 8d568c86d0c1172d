"""Trap: look-ups after the guard that the runtime cannot keep from failing, or that a guard in an arm must not change."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

ENTRY, EXPECT = "Lookup", "declined"


class Lookup(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.empty = nn.Embedding(6, 4), nn.Embedding(0, 4)
        nn.init.constant_(self.table.weight, 0.5)

    def forward(self, ids, kind: int):
        if kind == 0:  # nothing is in there
            if (ids >= 6).any():
                raise ValueError("large")
            return self.empty(ids)
        if kind == 1:  # in a graph below the graph
            if (ids >= 6).any():
                raise ValueError("large")
            return checkpoint(lambda x: self.table(x), ids, use_reentrant=False)
        if kind == 2:  # of a layer that is handed over
            if (ids >= 6).any():
                raise ValueError("large")
            return checkpoint(self.table, ids, use_reentrant=False)
        scale = ids * 2.0
        if ids.sum() > 8:  # where this does not hold, the guard in it does not count
            if (ids < 4).any():
                raise ValueError("small")
            scale = ids + 0.5
        return self.table(ids) * scale.unsqueeze(-1)


compiled = torch.compile(Lookup())


def cases():
    few, some, many, wrong = (torch.tensor(ids) for ids in ([0, 1], [1, 5], [4, 5], [2, 7]))
    nothing = torch.zeros(0, dtype=torch.int64)
    ids = [few, some, many, wrong, nothing]
    return [((x, kind), {}) for kind in range(4) for x in ids]
