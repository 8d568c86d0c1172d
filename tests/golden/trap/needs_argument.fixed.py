"""Branches that cannot run without an argument which may not be given: what they would raise is checked for."""

import torch
import torch.nn.functional as F
from graphmend import runtime as _graphmend

def encode(rows):
    return rows * 2


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.start, self.words = 5, torch.nn.Embedding(9, 4)
        self.audio = torch.nn.Linear(4, 4)

    def forward(self, ids, info=None, past=None):
        sounds, starts = None, None
        if _graphmend.needs(past is None and torch.any(ids == self.start), lambda info: info["sounds"], info, places=True):
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
    if _graphmend.needs(_graphmend.negate(_graphmend.both(mask.any(), lambda: mask.all())), lambda info: info.rows, info):
        places = torch.where(mask)
        _graphmend.defer(print, info.rows[places])
    elif _graphmend.needs((ids == 4).any(), lambda info: info["rows"], info):
        for row in info["rows"]:
            _graphmend.defer(print, row, (ids == 4).nonzero())
    return ids


@torch.compile
def others(ids: torch.Tensor, info=None, scale=None):
    if _graphmend.needs(ids.sum() > 4, lambda info: info[-1], info):
        _graphmend.defer(print, encode(info[-1]), F.relu(ids))
    if _graphmend.needs(ids.sum() > 5, lambda scale: scale.shape, scale):
        _graphmend.defer(print, ids, scale.shape)
        return ids
    for turn in range(2):
        if _graphmend.needs((ids + turn).sum() > 6, lambda scale: scale.rows, scale):
            ids = encode(scale.rows)
            _graphmend.defer(print, ids)
    if _graphmend.needs((ids > 7).any(), lambda scale: scale.rows, scale):
        ids = F.linear(scale.rows, weight=ids)
        _graphmend.defer(print, ids)
    return ids
