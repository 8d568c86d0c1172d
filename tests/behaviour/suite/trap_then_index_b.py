"""A guard in front of a look-up that would fail by itself on bad ids: the guard's own error must surface."""

import torch

ENTRY = "make()"
EXPECT = "declined"


class Lookup(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(8, 4)

    def forward(self, ids):
        if ids.max() >= self.table.num_embeddings:
            raise IndexError(f"id {int(ids.max())} is outside a table of {self.table.num_embeddings}")
        return self.table(ids)


def make():
    return Lookup()


def cases():
    return [((torch.tensor([[1, 2, 3]]),), {}), ((torch.tensor([[1, 2, 30]]),), {})]
