"""Branches that cannot run without an argument which may not be given: what they would raise is checked for."""

import torch
import torch.nn.functional as F


def encode(rows):
    return rows * 2


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.start, self.words = 5, torch.nn.Embedding(9, 4)
        self.audio = torch.nn.Linear(4, 4)

    def forward(self, ids, info=None, past=None):
        sounds, starts = None, None
        if past is None and torch.any(ids == self.start):
            starts = torch.nonzero(ids == self.start)
            sounds = self.audio(info["sounds"])
        hidden = self.words(ids)
        if sounds is not None:
            for sound, (row, column) in zip(sounds, starts.tolist()):
                hidden[row, column] = sound
        return hidden


model = torch.compile(Model())


@torch.compile
def places(ids: torch.Tensor, info=None):
    mask = ids == 3
    if not (mask.any() and mask.all()):
        places = torch.where(mask)
        print(info.rows[places])
    elif (ids == 4).any():
        for row in info["rows"]:
            print(row, (ids == 4).nonzero())
    return ids


@torch.compile
def others(ids: torch.Tensor, info=None, scale=None):
    if ids.sum() > 4:
        print(encode(info[-1]), F.relu(ids))
    if ids.sum() > 5:
        print(ids, scale.shape)
        return ids
    for turn in range(2):
        if (ids + turn).sum() > 6:
            ids = encode(scale.rows)
            print(ids)
    if (ids > 7).any():
        ids = F.linear(scale.rows, weight=ids)
        print(ids)
    return ids
