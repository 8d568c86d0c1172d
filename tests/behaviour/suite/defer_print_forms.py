"""Defer: print with sep, end, flush and file=sys.stderr; the pieces must come out in order on their own streams."""

import sys

import torch

ENTRY = "mel_energies"
EXPECT = "fixed"


def mel_energies(spectrum, filters, verbose=True):
    print("mel", tuple(spectrum.shape), filters.shape[0], sep=" | ", end=" -> ")
    bands = filters @ spectrum
    print(list(bands.shape), flush=True)
    energy = torch.log(bands.clamp_min(1e-5))
    if verbose:
        print("warning: natural log", energy.dtype, sep=": ", file=sys.stderr)
    print()
    print(*energy.shape, sep="x", end="!\n", file=sys.stdout)
    return energy - energy.mean(dim=-1, keepdim=True)


compiled = torch.compile(mel_energies)


def cases():
    g = torch.Generator().manual_seed(33)
    spectrum = torch.rand(6, 5, generator=g)
    filters = torch.rand(3, 6, generator=g)
    return [
        ((spectrum, filters), {}),
        ((spectrum, filters), {"verbose": False}),
        ((spectrum[:, :2], filters, True), {}),
    ]
