"""Like stella: an encoder that takes the padding out of its batch: which tokens there are (nonzero), how long each text
is (a Python list), and the tokens themselves (a boolean mask). Nothing that GraphMend rewrites: the breaks stay.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

from .layers import Attention, FeedForward


@dataclass
class StellaLikeConfig:
    vocab_size: int = 30528
    hidden_size: int = 1024
    layers: int = 24
    heads: int = 16
    intermediate_size: int = 4096


class Layer(nn.Module):
    def __init__(self, config: StellaLikeConfig) -> None:
        super().__init__()
        self.attention = Attention(config.hidden_size, config.heads)
        self.feed_forward = FeedForward(config.hidden_size, config.intermediate_size)
        self.norms = nn.ModuleList(nn.LayerNorm(config.hidden_size) for _ in range(2))

    def forward(self, hidden: torch.Tensor, lengths: list[int]) -> torch.Tensor:
        mixed = torch.cat([self.attention(text[None])[0] for text in hidden.split(lengths)])
        hidden = self.norms[0](hidden + mixed)
        return self.norms[1](hidden + self.feed_forward(hidden))


class StellaLikeModel(nn.Module):
    config_class = StellaLikeConfig

    def __init__(self, config: StellaLikeConfig) -> None:
        super().__init__()
        self.embedding = nn.Embedding(config.vocab_size, config.hidden_size)
        self.kinds = nn.Embedding(2, config.hidden_size)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        padded = self.embedding(input_ids) + self.kinds(token_type_ids)
        places = torch.nonzero(attention_mask.flatten(), as_tuple=False).flatten()
        lengths = attention_mask.sum(-1).tolist()
        hidden = padded[attention_mask.bool()]
        for layer in self.layers:
            hidden = layer(hidden, lengths)
        return torch.zeros_like(padded).flatten(0, 1).index_copy(0, places, hidden).view_as(padded)
