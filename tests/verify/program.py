"""The program that test_verify.py rewrites, rightly and wrongly."""

import collections
import logging

import torch

logger = logging.getLogger("program")

ENTRY = "Model"
GRAD = True


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([2.0, 3.0]))

    def forward(self, x):
        print("rows", x.shape[0])
        print("columns", x.shape[1])
        if x.isnan().any():
            raise ValueError("not a number", 7)
        y = x * self.weight
        logger.warning("scaled")
        return {"scaled": y, "sum": y.sum()}


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls += 1
        return x.sum()


class Keeper(torch.nn.Module):
    """Has state in every place where a module may have some."""

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(()), persistent=False)
        self.seen = set()
        self.recent = collections.deque(maxlen=2)
        self.statistics = Statistics()
        self._rows = 0

    def forward(self, x):
        self.total += 1
        self.seen.add(x.shape[0])
        self.recent.append(x.shape[1])
        self.statistics.largest = x.shape[1]
        self._rows += x.shape[0]
        return x.sum()


class Statistics:
    def __init__(self):
        self.largest = 0


def cases():
    return [((torch.tensor([[1.0, 2.0]]),), {}), ((torch.tensor([[1.0, float("nan")]]),), {})]
