"""Text: semicolons, `a = 1; print(x)` on one line, backslashes, parentheses over lines, odd spacing."""

import torch
from torch import nn

ENTRY = "make()"
OTHER = 1
EXPECT = "fixed"


class Snake(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.n = n
        self.alpha = nn.Parameter(torch.ones(n))

    def forward(self, x, loud=True):
        a = 1
        print("in", x.shape[0])
        b = a + 1
        print("b", b)
        y = x + b  # comment after a continuation
        if loud:
            print("loud")
            y = y * 2
        else:
            y = y - 1
            print("soft")

        # comment on its own,
        # and one at an odd depth
        if torch.isnan(y).any() or torch.isinf(y).any():
            # comment first
            raise ValueError("bad", self.n)
            print("never")
        wave = torch.sin(self.alpha * y)
        print(
            "out",
        )
        return y + wave**2 / self.alpha


def make():
    return Snake()


def cases():
    g = torch.Generator().manual_seed(54)
    x = torch.randn(2, 3, generator=g)
    return [((x,), {}), ((x, False), {}), ((x / 0,), {}), ((x * float("nan"),), {"loud": False})]
