"""Random numbers are drawn in one branch only; the generator's state is observable."""

import torch
from torch import nn
import torch.nn.functional as F

ENTRY, EXPECT = "NoisyGate", "declined"


class NoisyGate(nn.Module):
    def forward(self, logits):
        spread = logits.std()
        if spread < 0.5:
            logits = logits + torch.rand_like(logits)
        return F.dropout(logits, p=0.5, training=True)


def cases():
    g = torch.Generator().manual_seed(22)
    x = torch.randn(3, 4, generator=g)
    return [((x * 3,), {}), ((x * 0.01,), {})]
