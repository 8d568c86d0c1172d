"""A small encoder with the things that break TorchDynamo's graph: a guard that raises on data, a branch on values, and
output in the middle of a forward."""

import logging

import torch
from torch import nn

logger = logging.getLogger(__name__)


class Layer(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        hidden = hidden + self.down(torch.relu(self.up(self.norm(hidden))))

        # Half precision overflows here in deep stacks.
        if torch.isinf(hidden).any():
            limit = torch.finfo(hidden.dtype).max - 1000
            hidden = torch.clamp(hidden, min=-limit, max=limit)
        return hidden


class Encoder(nn.Module):
    def __init__(self, vocabulary: int = 100, width: int = 32, depth: int = 2):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.layers = nn.ModuleList(Layer(width) for _ in range(depth))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        hidden = self.embed(tokens)
        if torch.isnan(hidden).any():
            raise ValueError("the embeddings hold NaN")
        for layer in self.layers:
            hidden = layer(hidden)
        logger.info("encoded %d sequences", tokens.shape[0])
        print("mean activation", hidden.mean())
        return hidden


def example():
    """What count_breaks.py compiles and calls."""
    torch.manual_seed(0)
    return Encoder().eval(), (torch.randint(0, 100, (2, 8)),), {}
