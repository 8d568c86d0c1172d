"""Names that only look like output: a local print that keeps its text, a logger that scales what it is given."""

import torch

ENTRY = "make()"
EXPECT = "declined"


class Gain:
    def __init__(self):
        self.calls = 0

    def info(self, x):
        self.calls += 1
        return x * 2


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.logger = Gain()
        self.kept = []

    def forward(self, x):
        kept = []

        def print(value):
            kept.append(value)

        print(x.sum())
        y = self.logger.info(x)
        return y, kept


def make():
    return Model()


def cases():
    return [((torch.ones(2),), {})]
