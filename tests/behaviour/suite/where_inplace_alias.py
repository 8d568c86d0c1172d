"""Where, declined: one arm writes through a view of an argument; the caller sees it, but only if that arm ran."""

import torch

ENTRY = "update_cache"
EXPECT = "declined"


def update_cache(cache, fresh, age):
    window = cache[:, -fresh.shape[1] :]
    alias = cache.view(-1)
    if age.max() > 3:
        window.mul_(0.5).add_(fresh)
        alias[0] = 100.0
    else:
        fresh = fresh + window
    summary = cache.sum(dim=1) + fresh.sum(dim=1)
    return summary


compiled = torch.compile(update_cache)


def cases():
    g = torch.Generator().manual_seed(25)
    cache = torch.randn(2, 6, generator=g)
    fresh = torch.randn(2, 2, generator=g)
    return [((cache, fresh, torch.tensor([1, 5])), {}), ((cache, fresh, torch.tensor([1, 2])), {})]
