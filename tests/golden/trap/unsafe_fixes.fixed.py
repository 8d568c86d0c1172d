# graphmend-test: fix --unsafe-fixes --runtime=import
# graphmend-test: check --unsafe-fixes
# What differs, and only where a check fails, is what is left behind: of `calls` and of `seen`. A check that another
# exception could overtake stays.
import torch
from torch import nn
from graphmend import runtime as _graphmend

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.register_buffer("seen", torch.zeros(3))
        self.table = nn.Embedding(4, 3)

    def forward(self, x, rows):
        self.calls += 1
        _graphmend.raise_unless(torch.isfinite(x).all(),
            lambda: ValueError("not finite"), unsafe=True, places=True)
        self.seen.add_(x.detach())
        if rows.max() >= 4:
            raise IndexError("no such row")
        return x + self.table.weight[rows]
