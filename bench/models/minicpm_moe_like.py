"""Like the mixture of experts of MiniCPM: tokens are sorted by expert, and each expert takes as many as chose it, so
that shapes depend on data. Nothing that GraphMend rewrites: the breaks stay.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

from .layers import Attention, FeedForward


@dataclass
class MiniCpmMoeLikeConfig:
    vocab_size: int = 122753
    hidden_size: int = 2304
    layers: int = 40
    heads: int = 36
    intermediate_size: int = 5760
    experts: int = 8
    experts_per_token: int = 2


class Experts(nn.Module):
    def __init__(self, config: MiniCpmMoeLikeConfig) -> None:
        super().__init__()
        self.chosen = config.experts_per_token
        self.gate = nn.Linear(config.hidden_size, config.experts, bias=False)
        self.experts = nn.ModuleList(
            FeedForward(config.hidden_size, config.intermediate_size) for _ in range(config.experts)
        )

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        tokens = hidden.flatten(0, -2)
        weights, choice = self.gate(tokens).softmax(-1).topk(self.chosen)
        order = choice.flatten().argsort(stable=True)
        ends = choice.flatten().bincount(minlength=len(self.experts)).cumsum(0).tolist()
        sorted_tokens = tokens[order // self.chosen]
        done, start = [], 0
        for expert, end in zip(self.experts, ends):
            if end > start:
                done.append(expert(sorted_tokens[start:end]))
            start = end
        mixed = torch.cat(done) * weights.flatten()[order, None]
        return torch.zeros_like(tokens).index_add(0, order // self.chosen, mixed).view_as(hidden)


class Layer(nn.Module):
    def __init__(self, config: MiniCpmMoeLikeConfig) -> None:
        super().__init__()
        self.attention = Attention(config.hidden_size, config.heads)
        self.experts = Experts(config)
        self.norms = nn.ModuleList(nn.LayerNorm(config.hidden_size) for _ in range(2))

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        hidden = hidden + self.attention(self.norms[0](hidden), causal=True)
        return hidden + self.experts(self.norms[1](hidden))


class MiniCpmMoeLikeForCausalLM(nn.Module):
    config_class = MiniCpmMoeLikeConfig

    def __init__(self, config: MiniCpmMoeLikeConfig) -> None:
        super().__init__()
        self.embedding = nn.Embedding(config.vocab_size, config.hidden_size)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.hidden_size)
        self.head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)

    def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
        hidden = self.embedding(input_ids)
        for layer in self.layers:
            hidden = layer(hidden)
        return self.head(self.norm(hidden))
