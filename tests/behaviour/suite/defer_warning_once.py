"""Defer: a once-only warning, an lru_cached method put on the Logger class as transformers does."""

import functools
import logging

import torch
from torch import nn

ENTRY = "make()"
EXPECT = "fixed"


@functools.lru_cache(None)
def warning_once(self, *args, **kwargs):
    self.warning(*args, **kwargs)


logging.Logger.warning_once = warning_once
logger = logging.getLogger(__name__)


class CrossAttention(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.q = nn.Linear(width, width)
        self.kv = nn.Linear(width, 2 * width)

    def forward(self, x, context, output_attentions=False):
        if output_attentions:
            logger.warning_once("fused attention cannot return weights; using the manual path")
        k, v = self.kv(context).chunk(2, dim=-1)
        weights = (self.q(x) @ k.transpose(-1, -2)).softmax(dim=-1)
        if output_attentions:
            logger.warning_once("fused attention cannot return weights; using the manual path")
            logger.warning_once(f"weights have {weights.dim()} dimensions")
            return weights @ v, weights
        return weights @ v, None


def make():
    return CrossAttention()


def cases():
    g = torch.Generator().manual_seed(36)
    x, c = torch.randn(2, 3, 4, generator=g), torch.randn(2, 5, 4, generator=g)
    return [((x, c), {"output_attentions": True}), ((x, c), {}), ((x, c, True), {})]
