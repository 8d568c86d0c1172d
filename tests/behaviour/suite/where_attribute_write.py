"""Where, declined: the branch writes attributes of the module, tensors and a plain counter."""

import torch
from torch import nn

ENTRY = "make()"
EXPECT = "declined"


class LossScaler(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.tensor(8.0))
        self.skipped = 0
        self.last_bad = None

    def forward(self, grads):
        if torch.isinf(grads).any():
            self.scale = self.scale / 2
            self.skipped += 1
            self.last_bad = grads
            grads = torch.zeros_like(grads)
        else:
            grads = grads / self.scale
        return grads * 2


def make():
    return LossScaler()


def cases():
    g = torch.Generator().manual_seed(28)
    grads = torch.randn(6, generator=g)
    burst = grads.clone()
    burst[3] = float("inf")
    return [((grads,), {}), ((burst,), {})]
