"""Python catches some exceptions itself: an AttributeError where an attribute is read, the end of an iteration."""
import torch
from torch import nn


class Gone(AttributeError):
    pass


def checked(x):
    if (x < 0).any():
        raise Gone("negative")
    return x


class Batch:
    def __init__(self, x):
        self.x = x

    @property
    def size(self):
        if self.x.sum() > 10:
            raise AttributeError("no size")
        return self.x + 1

    @property
    def scale(self):
        return checked(self.x)

    @property
    def bound(self):
        if self.x.sum() > 10:
            raise ValueError("no bound")
        return self.x + 2

    def __getattr__(self, name):
        if self.x.sum() > 20:
            raise AttributeError(name)
        return self.x

    def __getitem__(self, index):
        if self.x[index] > 10:
            raise IndexError("beyond")
        if self.x[index] < 0:
            raise KeyError("before")
        return self.x[index]

    def __len__(self):
        if self.x.sum() < 0:
            raise TypeError("no length")
        return 3


class Model(nn.Module):
    def forward(self, x):
        batch = Batch(x)
        total = batch.size + batch.scale + batch.bound + batch.other
        return total + batch[1] * len(batch)
