# An index within the size of what a name stood for when it was taken, not of what it stands for at the look-up.
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def turns(self, ids, tables: list[torch.Tensor]):
        if (ids < 0).any():
            raise ValueError("x")
        at = None
        for t in tables:
            if at is None:
                at = ids % t.shape[0]
            ids = ids + t[at].sum()
        return ids

    def assigned(self, ids, tables: list[torch.Tensor]):
        if (ids < 0).any():
            raise ValueError("x")
        at = None
        for i in range(2):
            t = tables[i] * 1
            if at is None:
                at = ids.clamp(0, len(t) - 1)
            ids = ids + t[at].sum()
        return ids

    def managed(self, ids, tables: list[torch.Tensor]):
        if (ids < 0).any():
            raise ValueError("x")
        at = None
        with tables.first() as t:
            at = ids % t.shape[0]
            return t[at]

    def classes(self, ids, sizes):
        if (ids < 0).any():
            raise ValueError("x")
        at = None
        for n in sizes:
            if at is None:
                at = ids % n
            ids = ids + F.one_hot(at, n).sum()
        return ids

    def turned(self, ids, x):
        if (ids < 0).any():
            raise ValueError("x")
        t = x * 2
        at = ids % t.shape[0]
        t.t_()
        return t[at]

    def under_other_name(self, ids, x):
        if (ids < 0).any():
            raise ValueError("x")
        t = x * 2
        u = t
        at = ids % t.shape[0]
        u.unsqueeze_(0)
        return t[at]

    def forward(self, ids, x, tables, sizes):
        self.turns(ids, tables), self.assigned(ids, tables), self.managed(ids, tables)
        self.classes(ids, sizes), self.turned(ids, x), self.under_other_name(ids, x)
        return ids


class Fixed(nn.Module):
    def forward(self, ids, x, n: int):
        if (ids < 0).any():
            raise ValueError("x")
        first, t = x * 1, x * 2
        at = ids % t.shape[0]
        for i in range(2):
            first = first + t[at] + x[ids.clamp(0, len(x) - 1)]
        place = F.one_hot(ids % n, n)
        return first, place, t * 1
