"""Like MoLFormer: linear attention, which raises where queries do not all see the same keys (`torch.equal`).

The random features of the kernel are drawn anew in every call, as in the published model's default.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

from .layers import FeedForward


@dataclass
class MolformerLikeConfig:
    vocab_size: int = 2362
    hidden_size: int = 768
    layers: int = 12
    heads: int = 12
    intermediate_size: int = 768
    features: int = 32


class LinearAttention(nn.Module):
    def __init__(self, config: MolformerLikeConfig) -> None:
        super().__init__()
        self.heads, self.features = config.heads, config.features
        self.in_proj = nn.Linear(config.hidden_size, 3 * config.hidden_size)
        self.out_proj = nn.Linear(config.hidden_size, config.hidden_size)

    def feature_map(self, x: torch.Tensor, omega: torch.Tensor) -> torch.Tensor:
        projected = x @ omega
        return torch.cat([projected.cos(), projected.sin()], -1) * self.features**-0.5

    def forward(self, hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        if not torch.equal(mask, mask[:, :1].expand_as(mask)):
            raise ValueError("linear attention needs the same keys for every query")
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.in_proj(hidden).chunk(3, -1))
        omega = torch.randn(q.shape[-1], self.features, device=hidden.device).to(hidden.dtype)
        q, k = self.feature_map(q, omega), self.feature_map(k, omega)
        k = k * mask[:, None, 0, :, None].to(k.dtype)
        context = q @ (k.transpose(-1, -2) @ v) / (1 + (q @ k.sum(-2).unsqueeze(-1)).abs())
        return self.out_proj(context.transpose(1, 2).flatten(-2))


class Layer(nn.Module):
    def __init__(self, config: MolformerLikeConfig) -> None:
        super().__init__()
        self.attention = LinearAttention(config)
        self.feed_forward = FeedForward(config.hidden_size, config.intermediate_size)
        self.norms = nn.ModuleList(nn.LayerNorm(config.hidden_size) for _ in range(2))

    def forward(self, hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        hidden = hidden + self.attention(self.norms[0](hidden), mask)
        return hidden + self.feed_forward(self.norms[1](hidden))


class Encoder(nn.Module):
    def __init__(self, config: MolformerLikeConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))

    def forward(self, hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            hidden = layer(hidden, mask)
        return hidden


class MolformerLikeModel(nn.Module):
    config_class = MolformerLikeConfig

    def __init__(self, config: MolformerLikeConfig) -> None:
        super().__init__()
        self.embedding = nn.Embedding(config.vocab_size, config.hidden_size)
        self.encoder = Encoder(config)
        self.norm = nn.LayerNorm(config.hidden_size)

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        mask = attention_mask[:, None, :].expand(-1, input_ids.shape[1], -1)
        return self.norm(self.encoder(self.embedding(input_ids), mask))
