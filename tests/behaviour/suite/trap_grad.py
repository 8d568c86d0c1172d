"""Trap with gradients: the guards must not disturb the backward pass, and a failing guard leaves none."""

import torch
from torch import nn

ENTRY = "make()"
EXPECT = "fixed"
GRAD = True


class ContrastiveHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(5, 3)
        self.log_scale = nn.Parameter(torch.tensor(0.7))

    def forward(self, image, text):
        left = self.project(image)
        right = self.project(text)
        norms = left.norm(dim=-1)
        if (norms < 1e-4).any():
            raise ValueError("image embedding collapsed")
        left = left / norms.unsqueeze(-1)
        right = right / right.norm(dim=-1, keepdim=True)
        logits = self.log_scale.exp() * left @ right.t()
        if not torch.isfinite(logits).all():
            raise FloatingPointError(f"logits {tuple(logits.shape)} are not finite")
        labels = torch.arange(logits.shape[0], device=logits.device)
        return nn.functional.cross_entropy(logits, labels)


def make():
    return ContrastiveHead()


def cases():
    g = torch.Generator().manual_seed(9)
    image = torch.randn(4, 5, generator=g)
    text = torch.randn(4, 5, generator=g)
    bad = text.clone()
    bad[2, 0] = float("nan")
    return [((image, text), {}), ((image, bad), {}), ((image * 3, text), {})]
