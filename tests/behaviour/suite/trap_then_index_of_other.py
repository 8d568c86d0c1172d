"""Trap: the index after a check was taken within a table that its name stands for no more: another turn, another shape."""

import contextlib

import torch
from torch import nn
from torch.nn import functional as F

ENTRY, EXPECT = "Net", "declined"


class Layer(nn.Module):
    def __init__(self, rows):
        super().__init__()
        self.emb = nn.Embedding(rows, 2)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.tables = [torch.randn(9, 2), torch.randn(3, 2)]
        self.layers = nn.ModuleList([Layer(9), Layer(3)])

    def turns(self, ids, y):
        if (ids < 0).any():
            raise ValueError("turns")
        at = None
        for t in self.tables:
            if at is None:
                at = ids % t.shape[0]
            y = y + t[at]
        return y

    def walrus(self, ids, y):
        if (ids < 0).any():
            raise ValueError("walrus")
        at, i = None, 0
        while (t := self.tables[i]).shape[0] > 0:
            if at is None:
                at = ids % len(t)
            y = y + t[at]
            i += 1
            if i == 2:
                break
        return y

    def assigned(self, ids, y):
        if (ids < 0).any():
            raise ValueError("assigned")
        at = None
        for i in range(2):
            t = self.tables[i]
            if at is None:
                at = ids.clamp(0, t.size(0) - 1)
            y = y + t[at]
        return y

    def managed(self, ids, y):
        if (ids < 0).any():
            raise ValueError("managed")
        at = None
        for table in self.tables:
            with contextlib.nullcontext(table) as t:
                if at is None:
                    at = ids % t.shape[0]
                y = y + t[at]
        return y

    def of_layers(self, ids, y):
        if (ids < 0).any():
            raise ValueError("of layers")
        at = None
        for layer in self.layers:
            if at is None:
                at = ids % layer.emb.num_embeddings
            y = y + F.embedding(at, layer.emb.weight * 1)
        return y

    def classes(self, ids, y):
        if (ids < 0).any():
            raise ValueError("classes")
        at = None
        for n in (9, 3):
            if at is None:
                at = ids % n
            y = y + F.one_hot(at, n).sum()
        return y

    def turned(self, ids, y):
        if (ids < 0).any():
            raise ValueError("turned")
        t = self.tables[0] * 1
        at = ids % t.shape[0]
        t.t_()
        return y + t[at].sum()

    def under_other_name(self, ids, y):
        if (ids < 0).any():
            raise ValueError("under another name")
        t = self.tables[0] * 1
        at = ids % t.shape[0]
        u = t
        u.transpose_(0, 1)
        return y + t[at].sum()

    def places(self, ids, y):
        if (ids < 0).any():
            raise ValueError("places")
        p = self.tables[0][None] * 1 + ids.sum()
        at = p.argmax(1, keepdim=True)
        p.transpose_(1, 2)
        return y + torch.gather(p, 1, at.expand(1, 1, 2)).sum()

    def forward(self, ids, kind: int):
        y = torch.zeros(3, 2)
        if kind == 0:
            y = self.turns(ids, y)
        elif kind == 1:
            y = self.walrus(ids, y)
        elif kind == 2:
            y = self.assigned(ids, y)
        elif kind == 3:
            y = self.managed(ids, y)
        elif kind == 4:
            y = self.of_layers(ids, y)
        elif kind == 5:
            y = self.classes(ids, y)
        elif kind == 6:
            y = self.turned(ids, y)
        elif kind == 7:
            y = self.under_other_name(ids, y)
        else:
            y = self.places(ids, y)
        return y


def cases():
    good, bad = torch.tensor([0, 1, 1]), torch.tensor([8, 1, -1])
    return [((ids.clone(), kind), {}) for kind in range(9) for ids in (good, bad)]
