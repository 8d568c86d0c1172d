"""What is selected is used as the very object: stored, compared by `is`, an attribute that is returned."""

import operator

import torch
from torch import nn
from graphmend import runtime as _graphmend

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(2))
        self.last = None

    def attribute(self, x):
        y = self.seen
        if x.sum() > 3:
            y = x * 2
        return y

    def identity(self, x):
        y = x
        if x.sum() > 3:
            y = x * 2
        return x + 100 if y is x else y

    def stored(self, x):
        y = x if x.sum() > 3 else x * 2
        self.last = y
        return y + 1

    def helper(self, x):
        y = x
        if x.sum() > 3:
            y = x * 2
        return self.same(y, x)

    def same(self, a, b):
        return a + 100 if a is b else a

    def made_here(self, x):
        """Nobody else has it: rewritten."""
        y = x + 1
        y = _graphmend.select(x.sum() > 3,
            lambda: x * 2, lambda: y)
        self.last = y
        return y

    def used_up(self, x):
        """Only its values count: rewritten."""
        y = x
        y = _graphmend.select(x.sum() > 3,
            lambda: x * 2, lambda: y)
        z = y
        return z + 1, torch.relu(y).view(-1), y.shape


net = Net()
for method in (net.attribute, net.identity, net.stored, net.helper, net.made_here, net.used_up):
    torch.compile(method)


def shows_place(x: torch.Tensor):
    y = x if x.sum() > 3 else x * 2
    return y + (1 if y.data_ptr() == x.data_ptr() else 5)


def shows_base(x: torch.Tensor):
    x = x.clone()
    y = x[:] if x.sum() > 3 else x * 2
    return y + (1 if y._base is None else 2)


def shows_number(x: torch.Tensor):
    x = x.clone()
    y = x[:] if x.sum() > 3 else x * 2
    return y + (1 if id(y) == id(x) else 2)


def shows_by_operator(x: torch.Tensor):
    x = x.clone()
    y = x if x.sum() > 3 else x * 2
    return y + (1 if operator.is_(y, x) else 2)


def shows_by_getattr(x: torch.Tensor):
    x = x.clone()
    y = x[1:] if x.sum() > 3 else x[1:] * 2
    return y + getattr(y, "storage_offset")()


def shows_set(x: torch.Tensor):
    x = x.clone()
    y = x if x.sum() > 3 else x * 2
    return y + (1 if x.is_set_to(y) else 2)


for function in (shows_place, shows_base, shows_number, shows_by_operator, shows_by_getattr, shows_set):
    torch.compile(function)
