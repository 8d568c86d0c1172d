"""The compiled class inherits its forward from a library that is not at hand: its methods may be called from there."""

import torch
from somewhere import Model, helper


class Tuned(Model):
    def __init__(self):
        super().__init__()
        print("made")  # not compiled

    def head(self, x):
        print("head", x)
        return helper(x)


class Other(Model):
    def head(self, x):
        print("not compiled", x)
        return x


net = torch.compile(Tuned())
