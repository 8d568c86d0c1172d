"""Gradients through a loop that is left early: the turns that do not run must not take part, infinite derivatives least."""
import torch
from torch import nn

ENTRY, EXPECT, GRAD = "build()", "declined", True


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gains = nn.ParameterList([nn.Parameter(torch.tensor([1.0, 0.5])) for _ in range(3)])

    def forward(self, x):
        y = x
        for gain in self.gains:
            y = y * gain
            if y.min() <= 0:
                break
            y = y.sqrt()
        return y


def build():
    return Net()


compiled = torch.compile(build())


def cases():
    def t(*values):
        return torch.tensor(values, requires_grad=True)

    return [((t(4.0, 9.0),), {}), ((t(0.0, 1.0),), {}), ((t(-1.0, 2.0),), {})]
