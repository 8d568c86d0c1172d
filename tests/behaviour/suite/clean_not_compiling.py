"""Clean: the author already guards prints, logging and checks with is_compiling()."""

import logging

import torch

ENTRY = "alibi_bias"
EXPECT = "clean"

logger = logging.getLogger("positions.alibi")


def alibi_bias(scores, slopes):
    if not torch.compiler.is_compiling():
        print("alibi for", slopes.shape[0], "heads")
        if (slopes <= 0).any():
            raise ValueError("slopes must be positive")
    length = scores.shape[-1]
    distance = torch.arange(length).view(1, -1) - torch.arange(length).view(-1, 1)
    bias = -slopes.view(-1, 1, 1) * distance.abs()
    if torch.compiler.is_compiling():
        return scores + bias
    else:
        logger.warning("eager path")
    return scores + bias


compiled = torch.compile(alibi_bias)


def cases():
    g = torch.Generator().manual_seed(45)
    scores = torch.randn(2, 3, 3, generator=g)
    return [((scores, torch.tensor([0.5, 0.25])), {}), ((scores, torch.tensor([1.0, 2.0])), {})]
