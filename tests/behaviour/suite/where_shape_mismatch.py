"""Where, declined: the arms give different (broadcastable!) shapes."""

import torch

ENTRY = "pool_frames"
EXPECT = "declined"


def pool_frames(features, gate):
    if gate.sum() > 0:
        pooled = features.mean(dim=0, keepdim=True)
    else:
        pooled = features * gate.unsqueeze(-1)
    doubled = pooled + pooled
    return doubled


compiled = torch.compile(pool_frames)


def cases():
    g = torch.Generator().manual_seed(23)
    features = torch.randn(4, 3, generator=g)
    gate = torch.tensor([0.5, 0.1, 0.0, 0.2])
    return [((features, gate), {}), ((features, -gate), {})]
