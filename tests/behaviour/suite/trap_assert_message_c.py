"""A loss with an assert whose message is computed."""

import torch
from torch import nn
import torch.nn.functional as F

ENTRY, EXPECT = "SmoothedLoss", "fixed"
EXPECT_BREAKS_BEFORE = 1


class SmoothedLoss(nn.Module):
    def __init__(self, smoothing: float = 0.1):
        super().__init__()
        self.smoothing = smoothing

    def forward(self, logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        classes = logits.shape[-1]
        log_probs = F.log_softmax(logits, dim=-1)
        assert (target < 2.0).all(), f"weights above two in a batch of {target.shape[0]} with {classes} classes"
        smooth = target * (1 - self.smoothing) + self.smoothing / classes
        return -(smooth * log_probs).sum(-1).mean()


def cases():
    g = torch.Generator().manual_seed(5)
    logits, target = torch.randn(4, 5, generator=g), torch.rand(4, 5, generator=g)
    return [((logits, target), {}), ((logits, target + 2), {})]
