"""Where: a data-dependent early return; both returns give a tensor of the input's shape and type."""

import torch

ENTRY = "normalise_waveform"
EXPECT = "fixed"


def normalise_waveform(wave, target=0.25):
    loudness = wave.abs().amax()
    if loudness < 1e-6:
        return torch.zeros_like(wave)
    centred = wave - wave.mean(dim=-1, keepdim=True)
    power = centred.square().mean(dim=-1, keepdim=True)
    scaled = centred * (target / (power.sqrt() + 1e-9))
    if scaled.amax() > 1.0:
        return torch.tanh(scaled)
    return scaled


compiled = torch.compile(normalise_waveform)


def cases():
    g = torch.Generator().manual_seed(19)
    wave = torch.randn(2, 16, generator=g)
    click = torch.zeros(2, 16)
    click[0, 3] = 9.0
    return [((wave,), {}), ((click,), {}), ((torch.zeros(2, 16),), {}), ((wave,), {"target": 4.0})]
