"""Where: if/elif/else whose tests use `or`, `not` and a chained comparison."""

import torch

ENTRY = "anneal"
EXPECT = "fixed"


def anneal(sigma, noise, sample):
    spread = sample.std()
    if spread > 3 or noise.abs().max() > 4:
        scale = sigma * 0.5
    elif not (noise > 0).any():
        scale = sigma + 1
    elif 0.5 < spread < 1.5:
        scale = sigma * 2
    else:
        scale = sigma - 0.25
    denoised = sample - scale * noise
    return denoised, scale


compiled = torch.compile(anneal)


def cases():
    g = torch.Generator().manual_seed(2)
    sigma = torch.tensor(0.8)
    noise = torch.randn(3, 5, generator=g).clamp(-2, 2)
    sample = torch.randn(3, 5, generator=g)
    return [
        ((sigma, noise, sample), {}),
        ((sigma, noise, sample * 9), {}),
        ((sigma, noise * 9, sample), {}),
        ((sigma, -noise.abs(), sample), {}),
        ((sigma, noise, sample * 0.1), {}),
    ]
