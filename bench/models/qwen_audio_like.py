"""Like Qwen-Audio: a decoder that looks in its tokens for audio and, where there is some, encodes what comes beside
them. Text alone never enters that branch, and brings nothing that it could read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from .layers import Attention, FeedForward


@dataclass
class QwenAudioLikeConfig:
    vocab_size: int = 155165
    hidden_size: int = 4096
    layers: int = 32
    heads: int = 32
    intermediate_size: int = 11008
    audio_start_id: int = 155163
    audio_layers: int = 32
    mel_bins: int = 80


class Block(nn.Module):
    def __init__(self, config: QwenAudioLikeConfig) -> None:
        super().__init__()
        self.attention = Attention(config.hidden_size, config.heads)
        self.feed_forward = FeedForward(config.hidden_size, config.intermediate_size)
        self.norms = nn.ModuleList(nn.LayerNorm(config.hidden_size) for _ in range(2))

    def forward(self, hidden: torch.Tensor, causal: bool = True) -> torch.Tensor:
        hidden = hidden + self.attention(self.norms[0](hidden), causal=causal)
        return hidden + self.feed_forward(self.norms[1](hidden))


class AudioEncoder(nn.Module):
    def __init__(self, config: QwenAudioLikeConfig) -> None:
        super().__init__()
        self.conv = nn.Conv1d(config.mel_bins, config.hidden_size, 3, padding=1)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.audio_layers))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        hidden = self.conv(features).transpose(1, 2)
        for block in self.blocks:
            hidden = block(hidden, causal=False)
        return hidden


class QwenAudioLikeModel(nn.Module):
    def __init__(self, config: QwenAudioLikeConfig) -> None:
        super().__init__()
        self.audio_start_id = config.audio_start_id
        self.embedding = nn.Embedding(config.vocab_size, config.hidden_size)
        self.audio = AudioEncoder(config)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.hidden_size)

    def forward(self, input_ids: torch.Tensor, audio_info: dict[str, Any] | None = None) -> torch.Tensor:
        audios, starts = None, None
        if torch.any(input_ids == self.audio_start_id):
            starts = torch.nonzero(input_ids == self.audio_start_id)
            audios = self.audio(audio_info["input_audios"])
        hidden = self.embedding(input_ids)
        if audios is not None:
            hidden = hidden.clone()
            for audio, (row, column) in zip(audios, starts.tolist()):
                hidden[row, column : column + len(audio)] = audio
        for block in self.blocks:
            hidden = block(hidden)
        return self.norm(hidden)


class QwenAudioLikeLMHeadModel(nn.Module):
    config_class = QwenAudioLikeConfig

    def __init__(self, config: QwenAudioLikeConfig) -> None:
        super().__init__()
        self.transformer = QwenAudioLikeModel(config)
        self.head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)

    def forward(self, input_ids: torch.Tensor, audio_info: dict[str, Any] | None = None) -> torch.Tensor:
        return self.head(self.transformer(input_ids, audio_info=audio_info))
