"""Like Florence-2: a vision tower of window and channel attention, then an encoder-decoder over image and text whose
layers clamp in half precision where they find an overflow.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

from .layers import Attention, FeedForward


@dataclass
class Florence2LikeConfig:
    vocab_size: int = 51289
    hidden_size: int = 1024
    encoder_layers: int = 12
    decoder_layers: int = 12
    heads: int = 16
    intermediate_size: int = 4096
    image_size: int = 224
    widths: tuple[int, ...] = (256, 512, 1024, 2048)
    depths: tuple[int, ...] = (1, 1, 9, 1)
    window: int = 7


class WindowBlock(nn.Module):
    """Attention inside each window of a feature map (batch, height, width, channels), then between channels."""

    def __init__(self, width: int, window: int) -> None:
        super().__init__()
        self.window = window
        self.spatial = Attention(width, max(1, width // 32))
        self.channel = nn.Linear(width, 3 * width)
        self.feed_forward = FeedForward(width, 4 * width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        n, h, w, c = x.shape
        size = self.window
        windows = self.norms[0](x).view(n, h // size, size, w // size, size, c).transpose(2, 3)
        mixed = self.spatial(windows.reshape(-1, size * size, c))
        x = x + mixed.view(n, h // size, w // size, size, size, c).transpose(2, 3).reshape(n, h, w, c)
        q, k, v = self.channel(self.norms[1](x).flatten(1, 2)).chunk(3, -1)
        weights = (q.transpose(1, 2) @ k * (h * w) ** -0.5).softmax(-1)
        x = x + (v @ weights.transpose(1, 2)).view(n, h, w, c)
        return x + self.feed_forward(self.norms[2](x))


class VisionTower(nn.Module):
    def __init__(self, config: Florence2LikeConfig) -> None:
        super().__init__()
        widths = (3, *config.widths)
        self.embeds = nn.ModuleList(
            nn.Conv2d(a, b, *((7, 4, 3) if i == 0 else (2, 2))) for i, (a, b) in enumerate(zip(widths, widths[1:]))
        )
        self.stages = nn.ModuleList(
            nn.Sequential(*(WindowBlock(width, config.window) for _ in range(depth)))
            for width, depth in zip(config.widths, config.depths)
        )

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        x = pixels
        for embed, stage in zip(self.embeds, self.stages):
            x = stage(embed(x).permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
        return x.flatten(2).transpose(1, 2)


class EncoderLayer(nn.Module):
    def __init__(self, config: Florence2LikeConfig) -> None:
        super().__init__()
        self.attention = Attention(config.hidden_size, config.heads)
        self.feed_forward = FeedForward(config.hidden_size, config.intermediate_size)
        self.norms = nn.ModuleList(nn.LayerNorm(config.hidden_size) for _ in range(2))

    def forward(self, hidden_states: torch.Tensor) -> torch.Tensor:
        hidden_states = self.norms[0](hidden_states + self.attention(hidden_states))
        hidden_states = self.norms[1](hidden_states + self.feed_forward(hidden_states))
        if hidden_states.dtype == torch.float16 and (
            torch.isinf(hidden_states).any() or torch.isnan(hidden_states).any()
        ):
            limit = torch.finfo(hidden_states.dtype).max - 1000
            hidden_states = torch.clamp(hidden_states, min=-limit, max=limit)
        return hidden_states


class DecoderLayer(nn.Module):
    def __init__(self, config: Florence2LikeConfig) -> None:
        super().__init__()
        self.attention = Attention(config.hidden_size, config.heads)
        self.cross_attention = Attention(config.hidden_size, config.heads)
        self.feed_forward = FeedForward(config.hidden_size, config.intermediate_size)
        self.norms = nn.ModuleList(nn.LayerNorm(config.hidden_size) for _ in range(3))

    def forward(self, hidden_states: torch.Tensor, memory: torch.Tensor) -> torch.Tensor:
        hidden_states = self.norms[0](hidden_states + self.attention(hidden_states, causal=True))
        hidden_states = self.norms[1](hidden_states + self.cross_attention(hidden_states, memory))
        return self.norms[2](hidden_states + self.feed_forward(hidden_states))


class Encoder(nn.Module):
    def __init__(self, config: Florence2LikeConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.encoder_layers))

    def forward(self, hidden_states: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            hidden_states = layer(hidden_states)
        return hidden_states


class LanguageModel(nn.Module):
    def __init__(self, config: Florence2LikeConfig) -> None:
        super().__init__()
        self.encoder = Encoder(config)
        self.decoder = nn.ModuleList(DecoderLayer(config) for _ in range(config.decoder_layers))

    def forward(self, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        source = self.encoder(source)
        for layer in self.decoder:
            target = layer(target, source)
        return target


class LanguageForConditionalGeneration(nn.Module):
    def __init__(self, config: Florence2LikeConfig) -> None:
        super().__init__()
        self.model = LanguageModel(config)
        self.head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)

    def forward(self, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        return self.head(self.model(source, target))


class Florence2LikeForConditionalGeneration(nn.Module):
    config_class = Florence2LikeConfig

    def __init__(self, config: Florence2LikeConfig) -> None:
        super().__init__()
        self.vision_tower = VisionTower(config)
        self.image_projection = nn.Linear(config.widths[-1], config.hidden_size, bias=False)
        self.embedding = nn.Embedding(config.vocab_size, config.hidden_size)
        self.language_model = LanguageForConditionalGeneration(config)

    def forward(
        self, input_ids: torch.Tensor, decoder_input_ids: torch.Tensor, pixel_values: torch.Tensor
    ) -> torch.Tensor:
        image = self.image_projection(self.vision_tower(pixel_values))
        source = torch.cat([image, self.embedding(input_ids)], 1)
        return self.language_model(source, self.embedding(decoder_input_ids))
