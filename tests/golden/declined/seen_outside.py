"""What is selected is used as the very object: stored, compared by `is`, an attribute that is returned."""

import torch
from torch import nn


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
        if x.sum() > 3:
            y = x * 2
        self.last = y
        return y

    def used_up(self, x):
        """Only its values count: rewritten."""
        y = x
        if x.sum() > 3:
            y = x * 2
        z = y
        return z + 1, torch.relu(y).view(-1), y.shape


net = Net()
for method in (net.attribute, net.identity, net.stored, net.helper, net.made_here, net.used_up):
    torch.compile(method)
