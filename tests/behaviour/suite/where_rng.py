"""Where, declined: one arm draws random numbers; running both arms would advance the generator."""

import torch

ENTRY = "jitter_tokens"
EXPECT = "declined"


def jitter_tokens(tokens, quality):
    if quality.mean() < 0.5:
        noise = torch.randn_like(tokens)
        tokens = tokens + 0.1 * noise
    else:
        tokens = tokens * 1.5
    keep = torch.rand(tokens.shape[0], 1)
    return tokens * (keep > 0.3), keep


compiled = torch.compile(jitter_tokens)


def cases():
    g = torch.Generator().manual_seed(26)
    tokens = torch.randn(4, 3, generator=g)
    quality = torch.rand(4, generator=g)
    return [((tokens, quality * 0.4), {}), ((tokens, quality * 0.1 + 0.8), {})]
