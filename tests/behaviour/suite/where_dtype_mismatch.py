"""Where, declined: the arms give different dtypes, and selecting with torch.where would promote one of them."""

import torch

ENTRY = "pack_scores"
EXPECT = "declined"


def pack_scores(scores, threshold=0.5):
    top = scores.amax()
    if top > threshold:
        packed = (scores * 127).round().to(torch.int8)
        zero = torch.zeros((), dtype=torch.int8)
    else:
        packed = scores.half()
        zero = torch.zeros((), dtype=torch.float16)
    shifted = packed + zero
    return shifted, top


compiled = torch.compile(pack_scores)


def cases():
    g = torch.Generator().manual_seed(22)
    scores = torch.rand(2, 6, generator=g)
    return [((scores,), {}), ((scores * 0.2,), {}), ((scores, 2.0), {})]
