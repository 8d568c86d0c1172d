"""The lookup behind the check fails by itself on bad ids: the check's exception has to surface, not the lookup's."""

import torch
from torch import nn

ENTRY, EXPECT = "Lookup", "declined"


class Lookup(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(6, 4)

    def forward(self, ids):
        if ids.min() < 0 or ids.max() >= self.table.num_embeddings:
            raise ValueError(f"ids must be in [0, {self.table.num_embeddings})")
        return self.table(ids).sum(dim=-2)


def cases():
    return [
        ((torch.tensor([[0, 5], [2, 3]]),), {}),
        ((torch.tensor([[0, 6], [2, 3]]),), {}),
        ((torch.tensor([[-1, 1]]),), {}),
    ]
