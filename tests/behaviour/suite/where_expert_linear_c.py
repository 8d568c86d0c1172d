"""MoE-like: an expert runs only when a token asks for it; its gradients stay None otherwise."""

import torch
from torch import nn

ENTRY, EXPECT, GRAD = "TinyMoE", "declined", True


class TinyMoE(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Linear(4, 4)
        self.expert = nn.Linear(4, 4)

    def forward(self, x, gate):
        y = self.shared(x)
        if gate.max() > 0.5:
            y = y + self.expert(x)
        return y


def cases():
    g = torch.Generator().manual_seed(16)
    x = torch.randn(2, 4, generator=g)
    return [((x, torch.tensor([0.1, 0.9])), {}), ((x, torch.tensor([0.1, 0.2])), {})]
