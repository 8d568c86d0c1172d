"""Trap: branches on data that cannot run without an argument, which is not given: they raise what they would have."""

import torch
from torch import nn

ENTRY, EXPECT, GRAD = "Model", "fixed", True


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.start = 5
        self.words, self.audio = nn.Embedding(6, 4), nn.Linear(4, 4)
        for weight in self.parameters():
            nn.init.constant_(weight, 0.5)

    def forward(self, ids, info=None, scale=None):
        print("ids", ids.shape)
        sounds, starts = None, None
        if torch.any(ids == self.start):
            starts = torch.nonzero(ids == self.start)
            sounds = self.audio(info["sounds"])
        hidden = self.words(ids)
        if sounds is not None:
            for sound, (row, column) in zip(sounds, starts.tolist()):
                hidden[row, column] = sound
        print("hidden", hidden.sum())
        if not (hidden < 1).all() or ids.sum() == 7:
            hidden = scale.weight * hidden
            print("scaled")
        else:
            hidden = hidden + 1
        if ids.sum() == 9:
            print(info[0])
            return hidden * 2
        if not (ids != 2).all():
            print(self.start, info[-1])
        return hidden


compiled = torch.compile(Model())


def cases():
    text, sound, beyond = torch.tensor([[0, 1]]), torch.tensor([[5, 1]]), torch.tensor([[5, 6], [0, 1]])
    seven, nine, both, two = (torch.tensor([ids]) for ids in ([4, 3], [4, 4, 1], [5, 2], [2, 4]))
    return [((ids,), {}) for ids in (text, sound, beyond, seven, nine, both, two)]
