"""Trap: the message formats tensor values, one of which is overwritten in place after the check."""

import torch

ENTRY = "quantise_per_channel"
EXPECT = "fixed"


def quantise_per_channel(weight, bits=8):
    peak = weight.abs().amax(dim=1, keepdim=True)
    if (peak == 0).any():
        raise ValueError(f"dead channels, peaks are {peak.flatten()}")
    smallest = peak.min()
    if smallest < 1e-3:
        raise ArithmeticError(f"peak {smallest.item():.6f} is too small for {bits} bits")
    levels = 2 ** (bits - 1) - 1
    peak.div_(levels)
    codes = torch.round(weight / peak).clamp(-levels, levels)
    return codes.to(torch.int8), peak


compiled = torch.compile(quantise_per_channel)


def cases():
    g = torch.Generator().manual_seed(21)
    w = torch.randn(3, 5, generator=g)
    dead = w.clone()
    dead[1] = 0.0
    tiny = w.clone()
    tiny[2] *= 1e-5
    return [((w,), {}), ((dead,), {}), ((tiny,), {}), ((w, 4), {}), ((tiny,), {"bits": 4})]
