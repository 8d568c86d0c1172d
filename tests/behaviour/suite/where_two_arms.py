"""Where: two arms, each with its own set-up statements, both ending in the same two names."""

import torch

ENTRY = "spectral_gate"
EXPECT = "fixed"


def spectral_gate(magnitude, floor=0.1):
    level = magnitude.mean()
    if level > 0.5:
        sharpened = magnitude.square()
        peak = sharpened.amax(dim=-1, keepdim=True)
        mask = sharpened / (peak + 1e-6)
        bias = level - 0.5
    else:
        lifted = magnitude + floor
        total = lifted.sum(dim=-1, keepdim=True)
        mask = lifted / total
        bias = level * 2
    gated = magnitude * mask
    return gated - bias, mask


compiled = torch.compile(spectral_gate)


def cases():
    g = torch.Generator().manual_seed(6)
    loud = torch.rand(3, 8, generator=g) + 0.6
    quiet = torch.rand(3, 8, generator=g) * 0.3
    return [((loud,), {}), ((quiet,), {}), ((quiet, 0.9), {}), ((torch.full((3, 8), 0.5),), {})]
