"""Trap: a decorator's class catches what the decorated function raises; it calls its first parameter `this`."""

import torch

ENTRY = "Net"
EXPECT = "declined"


class Rescued:
    def __init__(this, function):
        this.function = function

    def __call__(this, x):
        try:
            return this.function(x)
        except ValueError:
            return x.abs()


class RescuedBelow:
    def __init__(self, function):
        self.function = function

    def __call__(self, x):
        def attempt():
            return self.function(x)

        try:
            return attempt()
        except ValueError:
            return x.abs()


@Rescued
def half(x):
    if (x < 0).any():
        raise ValueError("negative")
    return x / 2


@RescuedBelow
def third(x):
    if (x < 0).any():
        raise ValueError("negative")
    return x / 3


class Net(torch.nn.Module):
    def forward(self, x):
        return half(x) + third(x)


def cases():
    return [((torch.ones(3),), {}), ((-torch.ones(3),), {})]
