"""Trap: branches that look as if they needed an argument, or are given it: what raises first does, all is as it was."""

import torch
from torch import nn

ENTRY, EXPECT = "Model", "declined"
TURNS = 0


def noisy(x, *more):
    print("noisy", *more)
    return x


def pair():
    print("pair")
    return [1, 2]


class Model(nn.Module):
    def __init__(self, has_rows=False):
        super().__init__()
        self.words = nn.Embedding(6, 4)
        nn.init.constant_(self.words.weight, 0.5)
        if has_rows:
            self.rows = nn.Linear(4, 4)

    def first(self, ids, kind, rows, info=None):
        found, hidden = torch.any(ids == 5), ids * 1.0
        if kind == 0:
            if found:  # something else first
                hidden = hidden.view(7, -1) + info["rows"]
                print("rows")
        elif kind == 1:
            if found:
                noisy(hidden)
                hidden = info["rows"]
        elif kind == 2:
            if found:
                hidden = hidden + (info["rows"] if ids.shape[1] > 2 else 1)
                print("rows")
        elif kind == 3:
            if found:
                hidden = ids.shape[1] > 2 and info["rows"]
                print("rows")
        elif kind == 4:
            if found:
                hidden = noisy(x=info["rows"], *pair())
        elif kind == 5:
            if found:
                hidden = self.rows(info["rows"])
                print("rows")
        elif kind == 6:
            if found:
                hidden = rows.view(info["rows"])
                print("rows")
        elif kind == 7:
            if found:
                places = torch.nonzero(rows)
                hidden = places + info["rows"]
        elif kind == 8:
            if found:
                hidden = hidden + rows + info["rows"]
                print("rows")
        return hidden

    def second(self, ids, kind, rows, info=None):
        found, hidden = torch.any(ids == 5), ids * 1.0
        if kind == 9:
            if found:
                try:
                    hidden = info["rows"]
                except TypeError:
                    hidden = hidden + 2
        elif kind == 10:
            try:
                if found:
                    hidden = info["rows"]
                    print("rows")
            except TypeError:
                hidden = hidden + 3
        elif kind == 11:
            rows = {"rows": hidden * 2} if ids.shape[1] > 2 else rows
            if found:
                hidden = rows["rows"]
                print("rows")
        elif kind == 12:
            if found:
                print(info.__class__)
        elif kind == 13:
            if found:
                ids = ids.view(-1, 2)
                places = torch.nonzero(ids == 5)
                hidden = places + info["rows"]
        return hidden

    def scaled(self, ids, info=None):
        if torch.any(ids == 5):
            print("scaled")
            return self.words(ids) * info["rows"]
        return self.words(ids)

    def counted(self, ids, info=None):
        global TURNS
        if torch.any(ids == 5):
            TURNS = 1
            print(info["rows"])
        return ids + 1

    def forward(self, ids, kind: int, info=None):
        if kind < 9:
            return self.first(ids, kind, None, info)
        if kind < 14:
            return self.second(ids, kind, None, info)
        if kind == 14:
            return self.scaled(ids, info)
        return self.counted(ids)


compiled = torch.compile(Model())


def observe():
    return TURNS


def cases():
    text, sound, more = torch.tensor([[0, 1]]), torch.tensor([[5, 1]]), torch.tensor([[5, 1, 2]])
    return [((ids, kind), {}) for kind in range(16) for ids in (text, sound, more)]
