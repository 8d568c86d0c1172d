"""A training step that stops on a NaN activation; gradients flow when it does not."""

import torch
from torch import nn

ENTRY, EXPECT, GRAD = "Block", "fixed", True
EXPECT_BREAKS_BEFORE = 1


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(4, 8), nn.Linear(8, 4)

    def forward(self, x):
        h = torch.tanh(self.up(x))
        if h.isnan().any():
            raise FloatingPointError(f"NaN after the first projection, batch {x.size(0)}")
        return x + self.down(h)


def cases():
    g = torch.Generator().manual_seed(9)
    x = torch.randn(3, 4, generator=g)
    bad = x.clone()
    bad[1, 1] = float("nan")
    return [((x.requires_grad_(),), {}), ((bad.requires_grad_(),), {})]
