"""Costly arms: layers, attention, and an early return; torch.cond runs one."""
import torch
from torch import nn

ENTRY, EXPECT = "make()", "fixed"


def attend(x):
    return torch.softmax(x @ x.transpose(-1, -2), -1) @ x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(4, 8)
        self.down = nn.Linear(8, 4)

    def forward(self, x):
        if x.mean() > 0:
            hidden = torch.relu(self.up(x))
            out, kind = self.down(hidden), "wide"
        else:
            out, kind = attend(x), "wide"
        if x.max() > 3:
            return out
        return self.down(self.up(out)) if kind == "wide" else out


def make():
    torch.manual_seed(3)
    return Net().requires_grad_(False)


def cases():
    g = torch.Generator().manual_seed(15)
    x = torch.randn(3, 4, generator=g)
    return [((v,), {}) for v in (x.abs(), -x.abs(), x.abs() * 3)]
