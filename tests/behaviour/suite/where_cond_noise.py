"""One arm draws random numbers, in a loop and in a submodule: torch.cond draws them only where the original does."""
import torch
import torch.nn.functional as F
from torch import nn

ENTRY, EXPECT = "make()", "fixed"


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("limit", torch.tensor(0.5))
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        if x.mean() > self.limit:
            x = self.drop(x)
        return x


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.gates = nn.ModuleList([Gate(), Gate()])

    def forward(self, x):
        for gate in self.gates:
            x = gate(x) + 0.25
        keep = F.dropout(torch.ones_like(x), 0.5, training=self.training)
        return x * keep, keep


def make():
    return Stack()


def cases():
    x = torch.linspace(-1, 1, 12).reshape(3, 4)
    return [((x,), {}), ((x + 2,), {})]
