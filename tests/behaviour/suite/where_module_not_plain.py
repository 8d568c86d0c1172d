"""Modules in an arm that do more than give a value: in place, by a hook, with statistics or a power iteration."""
import torch
from torch import nn

ENTRY, EXPECT = "Net()", "declined"
CALLS = []


def observe():
    return len(CALLS)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU(inplace=True)
        self.act = nn.SiLU(True)
        self.drop = nn.Dropout(0.0, True)
        self.hooked = nn.Linear(4, 4)
        self.hooked.register_forward_hook(lambda module, inputs, output: CALLS.append(1))
        self.spectral = nn.utils.parametrizations.spectral_norm(nn.Linear(4, 4))
        self.norm = nn.BatchNorm1d(4)

    @torch.no_grad()
    def forward(self, x):
        a, b, c, d, e, f = x * 1, x * 2, x * 3, x * 4, x * 5, x * 6
        first = self.relu(a) if x.sum() > 0 else a * 2
        if x.sum() > 0:
            second = self.act(b)
        else:
            second = b
        if x.sum() > 0:
            c = self.hooked(c)
        if x.sum() > 0:
            d = self.spectral(d)
        if x.sum() > 0:
            e = self.norm(e)
        if x.sum() > 0:
            f = self.drop(f)
        return first, a, second, b, c, d, e, f


compiled = torch.compile(Net())


def cases():
    x = torch.arange(16.0).reshape(4, 4) - 4
    return [((x,), {}), ((-x,), {})]
