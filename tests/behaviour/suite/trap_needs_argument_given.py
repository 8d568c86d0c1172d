"""Trap: branches that need an argument, which some calls give; in an activation checkpoint nothing can be deferred."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

ENTRY, EXPECT, GRAD = "Model", "declined", True


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(6, 4)
        nn.init.constant_(self.words.weight, 0.5)

    def rows(self, ids, info=None, scale=None):
        print("rows", ids.shape)
        hidden = self.words(ids)
        if torch.any(ids == 5) and ids.shape[1] < 9:
            hidden = hidden * info["rows"]
            print("given")
        print("scale")
        if hidden.sum() > 4:
            print(scale.shape)
            hidden = hidden + scale
        return hidden + 1

    def forward(self, ids, kind: int, info=None, scale=None):
        if kind == 0:
            return self.rows(ids, info, scale)
        return checkpoint(self.rows, ids, info, scale, use_reentrant=False)


compiled = torch.compile(Model())


def cases():
    text, sound, longer = torch.tensor([[0, 1]]), torch.tensor([[5, 1]]), torch.tensor([[1, 1, 2]])
    info, scale = {"rows": torch.ones(4)}, torch.ones(4)
    given = [(info,), (None, scale), (info, scale), (None, None), ({}, [])]
    return [((ids, kind, *more), {}) for kind in range(2) for more in given for ids in (text, sound, longer)]
