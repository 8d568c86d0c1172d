"""Defer: {x=} shows the expression and its value of that moment, although what it reads is changed right after."""
import torch
from torch import nn

ENTRY = "make()"
EXPECT = "declined"


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(1))
        self.calls = 0
        self.names = {"last": "none"}

    def forward(self, x):
        print(f"{self.seen=} {self.calls = } {x.mean().item()=:.3f} {x.shape[0] + 1=}")
        print(f"{self.names['last']=} {x=!s}")
        self.seen += x.sum()
        self.calls += 1
        self.names["last"] = f"call {self.calls}"
        x = x * self.seen
        print(f"{self.seen.shape=} {self.seen=!r:>20} {x.max()=}")
        return x


MADE = []


def make():
    MADE.append(Counter())
    return MADE[-1]


def observe():
    module = MADE[-1]
    return module.seen, module.calls, module.names


def cases():
    x = torch.tensor([1.0, 2.0])
    return [((x,), {}), ((x * 3,), {}), ((-x,), {})]
