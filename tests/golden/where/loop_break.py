"""A loop that a test on data ends: traced to its last turn, what it binds carried on from the turn that ended it."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])

    def forward(self, x: torch.Tensor, early: bool):
        for layer in self.layers:
            x = layer(x)
            if early and x.norm() > 3:
                break
        return x


@torch.compile
def refine(x: torch.Tensor):
    # Newton's steps
    for _ in range(4):
        nxt = 0.5 * (x + 2.0 / x)  # a step
        if (nxt - x).abs().max() < 1e-3:
            print("near enough")
            break
        if nxt.min() < 0:
            nxt = -nxt
        x = nxt
    return x, nxt


@torch.compile
def sweep(rows: torch.Tensor):
    total = torch.zeros(4)
    for i, row in enumerate(rows):
        if row.sum() < 4:
            total = total + row * i
        else:
            total = total - 1
            break
    for scale in (1.0, 0.5):
        if total.max() > 2:
            continue
        total = total * scale
    return total
