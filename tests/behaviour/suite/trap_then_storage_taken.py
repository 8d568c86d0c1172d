"""Trap: after a check that fails, a tensor gets the storage of the caller's and is changed."""

import torch
from torch import nn

ENTRY, EXPECT = "Net", "declined"


def take(to, of):
    to.set_(of)


def taken(to, of):
    return to.set_(of)


def lend(to, of):
    to.set_(of)


def keep(to, of):
    to.add_(1)


TAKERS = {"lend": lend, "keep": keep}


class Holder:
    def __init__(self, tensor):
        self.tensor = tensor


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.arange(4.0))

    def first(self, x):
        if x.sum() < 0:
            raise ValueError("first")
        h = x.clone()
        h.set_(x)
        h.add_(1)
        return h * 1

    def source(self, x):
        if x.sum() < 0:
            raise ValueError("source")
        h = x.clone()
        h.set_(source=self.table)
        h[0] = 9.0
        return h * 1

    def before(self, x):
        h = x.clone()
        h.set_(x)
        if x.sum() < 0:
            raise ValueError("before")
        h.mul_(2)
        return h * 1

    def by_helper(self, x):
        h = x.clone()
        if x.sum() < 0:
            raise ValueError("by helper")
        take(h, x)
        h.mul_(2)
        return h * 1

    def of_helper(self, x):
        if x.sum() < 0:
            raise ValueError("of helper")
        h = taken(x.clone(), x)
        h.mul_(2)
        return h * 1

    def other_name(self, x):
        h = x.clone()
        k = h
        k.set_(x)
        if x.sum() < 0:
            raise ValueError("other name")
        h += 1
        return h * 1

    def in_list(self, x):
        h = x.clone()
        kept = [h]
        kept[0].set_(x)
        if x.sum() < 0:
            raise ValueError("in a list")
        h += 1
        return h * 1

    def by_attribute(self, x):
        h = Holder(x.clone())
        h.tensor.set_(x)
        if x.sum() < 0:
            raise ValueError("by an attribute")
        h.tensor.add_(1)
        return h.tensor * 1

    def by_function(self, x):
        h = x.clone()
        torch.Tensor.set_(h, x)
        if x.sum() < 0:
            raise ValueError("by a function")
        h.add_(1)
        return h * 1

    def view_of_it(self, x):
        h = x.clone()
        h.set_(x)
        k = h[1:]
        if x.sum() < 0:
            raise ValueError("a view of it")
        k.add_(1)
        return h * 1

    def by_data(self, x):
        h = x.clone()
        h.data = x
        if x.sum() < 0:
            raise ValueError("by data")
        h.add_(1)
        return h * 1

    def by_unknown(self, x, name: str):
        h = x.clone()
        TAKERS[name](h, x)
        if x.sum() < 0:
            raise ValueError("by what is not known")
        h.add_(1)
        return h * 1

    def forward(self, x, kind: int):
        if kind == 0:
            y = self.first(x)
        elif kind == 1:
            y = self.source(x)
        elif kind == 2:
            y = self.before(x)
        elif kind == 3:
            y = self.by_helper(x)
        elif kind == 4:
            y = self.of_helper(x)
        elif kind == 5:
            y = self.other_name(x)
        elif kind == 6:
            y = self.in_list(x)
        elif kind == 7:
            y = self.by_attribute(x)
        elif kind == 8:
            y = self.by_function(x)
        elif kind == 9:
            y = self.view_of_it(x)
        elif kind > 10:
            y = self.by_unknown(x, "lend" if kind == 11 else "keep")
        else:
            y = self.by_data(x)
        return y, x * 1, self.table * 1


def cases():
    up, down = torch.tensor([1.0, 2.0, 3.0, -1.0]), torch.tensor([-1.0, -2.0, -3.0, 1.0])
    return [((x.clone(), kind), {}) for kind in range(13) for x in (up, down)]
