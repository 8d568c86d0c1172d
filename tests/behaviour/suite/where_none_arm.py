"""Where, declined: one arm leaves the mask None, and None means something else downstream."""

import torch

ENTRY = "prepare_mask"
EXPECT = "declined"


def prepare_mask(padding, scores):
    if padding.all():
        mask = None
    else:
        mask = padding.unsqueeze(1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(dim=-1)
    return weights, mask


compiled = torch.compile(prepare_mask)


def cases():
    g = torch.Generator().manual_seed(24)
    scores = torch.randn(2, 3, 3, generator=g)
    padding = torch.tensor([[True, True, False], [True, True, True]])
    return [((padding, scores), {}), ((torch.ones_like(padding), scores), {})]
